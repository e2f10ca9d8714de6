# SPDX-License-Identifier: BSD-3-Clause
# What endpoints make of datatypes and statuses, and what is known of MPIs, with the archive, whose insides a test may touch.
if(GTest_FOUND)
  foreach(test layout_test layout_random_test mpi_quirks_test status_test)
    add_executable(${test} ${test}.cpp)
    target_link_libraries(${test} PRIVATE raddle_interpose)
    raddle_use_mpi_gtest(${test})
    raddle_add_mpi_run(${test} PROCESSES 1 COMMAND $<TARGET_FILE:${test}>)
  endforeach()
  raddle_add_mpi_run(
    mpi_quirks.by-network
    PROCESSES 2
    COMMAND $<TARGET_FILE:mpi_quirks_test>
    ENVIRONMENT ${RADDLE_BY_NETWORK}
  )
endif()
