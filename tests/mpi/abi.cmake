# SPDX-License-Identifier: BSD-3-Clause
# What is so only of a build for the MPI-5 ABI. tests/install/test_abi.py runs it with each library that has it.
if(NOT RADDLE_MPI_ABI)
  return()
endif()
add_executable(abi_constants abi_constants.c)
target_link_libraries(abi_constants PRIVATE raddle)
raddle_add_mpi_run(abi.constants PROCESSES 1 2 COMMAND $<TARGET_FILE:abi_constants>)

# A library of this ABI that has no functions at all.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/empty.c" "")
add_library(abi_without_functions SHARED "${CMAKE_CURRENT_BINARY_DIR}/empty.c")
set_target_properties(
  abi_without_functions
  PROPERTIES OUTPUT_NAME mpi_abi SOVERSION 1 LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/without_functions"
)
add_executable(abi_lacking abi_lacking.c)
target_link_libraries(abi_lacking PRIVATE raddle)
add_test(
  NAME abi.lacking
  COMMAND
    "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=$<TARGET_FILE_DIR:abi_without_functions>" $<TARGET_FILE:abi_lacking>
)
set_tests_properties(
  abi.lacking
  PROPERTIES
    PASS_REGULAR_EXPRESSION "raddle: MPI_Comm_rank is called, and the MPI library of this process has no such function"
)
