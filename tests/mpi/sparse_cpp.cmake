# SPDX-License-Identifier: BSD-3-Clause
# The C++ header.
if(GTest_FOUND)
  raddle_add_mpi_test(sparse_cpp_test SOURCES sparse_cpp_test.cpp PROCESSES 1 2 3)
endif()
