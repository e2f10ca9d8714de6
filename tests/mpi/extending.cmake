# SPDX-License-Identifier: BSD-3-Clause
# A benchmark that is added as docs/build/extending.md says, by two files in a folder of suites: it is found, runs in every variant, and
# notices messages that are damaged.
set(added "${PROJECT_SOURCE_DIR}/tests/extending/suites")
raddle_declare_benchmarks(raddle_benchmarks_added "${added}")
raddle_glob(sources "${added}/*/*.cpp")
add_executable(raddle-bench-extended ${sources})
add_executable(bench-extended-corrupt ${sources} corrupt.cpp)
foreach(program raddle-bench-extended bench-extended-corrupt)
  target_link_libraries(${program} PRIVATE raddle_bench_mpi raddle_benchmarks_added)
endforeach()
raddle_try_benchmarks(extending "${added}" raddle-bench-extended bench-extended-corrupt)

# An engine that is added as it says: a folder, and a line of the list. The library's other objects are as they are.
set(loopback "${PROJECT_SOURCE_DIR}/tests/extending/loopback")
add_executable(
  extending_engine
  "${loopback}/program.c"
  "${loopback}/engine.cpp"
  "${PROJECT_SOURCE_DIR}/src/engines/registry.cpp"
  "${PROJECT_SOURCE_DIR}/src/platform/settings.cpp"
)
target_include_directories(extending_engine BEFORE PRIVATE "${loopback}" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(extending_engine PRIVATE raddle_interpose raddle_engines MPI::MPI_C)
set_target_properties(extending_engine PROPERTIES LINKER_LANGUAGE CXX)
raddle_add_mpi_run(
  extending.engine
  PROCESSES 1
  COMMAND $<TARGET_FILE:extending_engine>
  ENVIRONMENT RADDLE_ENGINE=loopback
  EXPECT "loopback: 12 messages.*program: all well"
)

# An algorithm of sparse exchange, likewise: a file, and a line of the list.
set(linear "${PROJECT_SOURCE_DIR}/tests/extending/linear")
set(longer "${CMAKE_CURRENT_BINARY_DIR}/extending")
file(READ "${PROJECT_SOURCE_DIR}/src/platform/sparse_algorithms.def" list)
file(
  CONFIGURE
  OUTPUT "${longer}/platform/sparse_algorithms.def"
  CONTENT "${list}RADDLE_SPARSE_ALGORITHM(linear, nothing)\n"
  @ONLY
)
add_executable(
  extending_algorithm
  "${linear}/program.c"
  "${linear}/linear.cpp"
  "${PROJECT_SOURCE_DIR}/src/platform/settings.cpp"
  "${PROJECT_SOURCE_DIR}/src/sparse/registry.cpp"
)
target_include_directories(extending_algorithm BEFORE PRIVATE "${longer}" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(extending_algorithm PRIVATE raddle_interpose raddle_engines MPI::MPI_C)
set_target_properties(extending_algorithm PROPERTIES LINKER_LANGUAGE CXX)
raddle_add_mpi_run(
  extending.algorithm
  PROCESSES 2 3
  COMMAND $<TARGET_FILE:extending_algorithm>
  ENVIRONMENT RADDLE_SPARSE_ALGORITHM=linear
  EXPECT "program: all well"
)
