# SPDX-License-Identifier: BSD-3-Clause
# The layer between a program and its MPI.

# With the archive, whose insides a test may touch.
if(GTest_FOUND)
  set(refusals "${PROJECT_BINARY_DIR}/src/interpose/generated/refusals.cpp")
  set_source_files_properties("${refusals}" PROPERTIES GENERATED ON COMPILE_OPTIONS "-O0;-Wno-deprecated-declarations")
  add_executable(
    interpose_test
    bad_arguments_test.cpp
    error_texts_test.cpp
    interpose_partitioned_test.cpp
    interpose_test.cpp
    "${refusals}"
  )
  add_dependencies(interpose_test raddle_interpose)
  target_link_libraries(interpose_test PRIVATE raddle_interpose)
  raddle_use_mpi_gtest(interpose_test)
  raddle_add_mpi_run(interpose_test PROCESSES 1 2 COMMAND $<TARGET_FILE:interpose_test>)
  # With little and with much: in one process, on a node, between nodes.
  add_executable(unlike_calls_test unlike_calls_test.cpp)
  target_link_libraries(unlike_calls_test PRIVATE raddle_interpose)
  raddle_use_mpi_gtest(unlike_calls_test)
  raddle_add_mpi_run(unlike_calls_test PROCESSES 1 2 COMMAND $<TARGET_FILE:unlike_calls_test>)
  raddle_add_mpi_run(
    unlike-calls.between-nodes
    PROCESSES 2
    COMMAND $<TARGET_FILE:unlike_calls_test>
    ENVIRONMENT RADDLE_NODE=rank
  )
  raddle_add_mpi_run(
    unlike-calls.no-single-copy
    PROCESSES 2
    COMMAND $<TARGET_FILE:unlike_calls_test>
    ENVIRONMENT RADDLE_SINGLE_COPY=off
    ONCE
  )
  add_executable(completion_test completion_test.cpp completion_one_test.cpp)
  target_link_libraries(completion_test PRIVATE raddle_interpose)
  raddle_use_mpi_gtest(completion_test)
  raddle_add_mpi_run(completion_test PROCESSES 1 COMMAND $<TARGET_FILE:completion_test>)
  raddle_add_mpi_run(
    interpose.fatal
    PROCESSES 1
    COMMAND $<TARGET_FILE:interpose_test> --gtest_also_run_disabled_tests --gtest_filter=*Fatal
    EXPECT "Raddle: MPI_Grequest_complete is not supported on an endpoint"
  )
  set_tests_properties(interpose.fatal.n1 PROPERTIES FAIL_REGULAR_EXPRESSION "still here")
endif()

# A program that was never told of Raddle, as it is and linked with it, and a tool of somebody else's. Preloaded, by
# `raddle exec`: tests/interpose.
add_executable(interpose_program interpose_program.c)
target_link_libraries(interpose_program PRIVATE MPI::MPI_C)
add_executable(interpose_linked interpose_program.c)
target_link_libraries(interpose_linked PRIVATE raddle MPI::MPI_C)
add_library(interpose_tool SHARED interpose_tool.c)
target_link_libraries(interpose_tool PRIVATE MPI::MPI_C)
add_executable(interpose_with_tool interpose_program.c)
target_link_libraries(interpose_with_tool PRIVATE interpose_tool MPI::MPI_C)
set_target_properties(
  interpose_program
  interpose_linked
  interpose_tool
  interpose_with_tool
  PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin"
)
raddle_add_mpi_run(
  interpose.linked
  PROCESSES 2
  COMMAND $<TARGET_FILE:interpose_linked>
  ENVIRONMENT RADDLE_COUNT_CALLS=1
  EXPECT "called .* MPI_Isend=2 "
)
# In the wrong order, whatever CMake makes of a list of libraries.
add_executable(link_order link_order.c)
target_include_directories(link_order PRIVATE "${PROJECT_SOURCE_DIR}/include" ${MPI_C_INCLUDE_DIRS})
target_link_options(
  link_order
  PRIVATE -Wl,--no-as-needed ${MPI_C_LIBRARIES} $<TARGET_FILE:raddle> -Wl,-rpath,$<TARGET_FILE_DIR:raddle>
)
add_dependencies(link_order raddle)
raddle_add_mpi_run(
  interpose.linked-behind-the-mpi
  PROCESSES 2
  COMMAND $<TARGET_FILE:link_order>
  EXPECT
    "endpoints: [^\n]*linked behind the MPI.*partitioned: [^\n]*linked behind the MPI.*sparse: [^\n]*linked behind the MPI.*all refused"
)
raddle_add_mpi_run(
  interpose.bad-setting
  PROCESSES 1
  COMMAND $<TARGET_FILE:interpose_linked>
  ENVIRONMENT RADDLE_COUNT_CALLS=yes
  EXPECT "raddle: RADDLE_COUNT_CALLS is 'yes'. valid: 0 or 1"
)

# No source of the library throws an error code of the MPI's away: the compiler refuses that.
add_test(
  NAME interpose.codes-are-looked-at
  COMMAND
    ${CMAKE_CXX_COMPILER} -std=c++20 -Werror=unused-result -fsyntax-only
    "-I$<JOIN:$<TARGET_PROPERTY:MPI::MPI_C,INTERFACE_INCLUDE_DIRECTORIES>,;-I>" -include
    "${PROJECT_BINARY_DIR}/src/codes.h" "${CMAKE_CURRENT_SOURCE_DIR}/thrown_away.cpp"
  COMMAND_EXPAND_LISTS
)
set_tests_properties(
  interpose.codes-are-looked-at
  PROPERTIES PASS_REGULAR_EXPRESSION "ignoring return value of .*MPI_Barrier" TIMEOUT 60
)
