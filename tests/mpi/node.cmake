# SPDX-License-Identifier: BSD-3-Clause
# What the ranks of a node find out together, with the archive, whose insides a test may touch.
if(GTest_FOUND)
  add_executable(node_comm_test node_comm_test.cpp)
  target_link_libraries(node_comm_test PRIVATE raddle_node)
  raddle_use_mpi_gtest(node_comm_test)
  raddle_add_mpi_run(node_comm_test PROCESSES 1 2 4 COMMAND $<TARGET_FILE:node_comm_test>)
  raddle_add_mpi_run(
    node_comm_test.no-single-copy
    PROCESSES 2
    COMMAND $<TARGET_FILE:node_comm_test>
    ENVIRONMENT RADDLE_SINGLE_COPY=off
    ONCE
  )
endif()
