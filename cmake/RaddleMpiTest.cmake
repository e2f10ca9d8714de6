# SPDX-License-Identifier: BSD-3-Clause
# Tests that run under this MPI's mpiexec. The numbers of processes are part of a test's declaration.

# raddle_add_mpi_run(<name> PROCESSES <n>... COMMAND <program> <argument>... [EXPECT <regex>] [TIMEOUT <seconds>])
# One test for each number. With EXPECT the output decides and not how the launcher ends: Intel MPI's now and then ends
# by a signal of its own (SIGPIPE) when a process has gone, which CTest calls a failure whatever was printed.
function(raddle_add_mpi_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPECT;TIMEOUT" "PROCESSES;COMMAND")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  set(within "")
  if(arg_EXPECT)
    set(within sh -c "\"$@\" || echo launcher: $?" sh)
  endif()
  foreach(processes IN LISTS arg_PROCESSES)
    add_test(
      NAME ${name}.n${processes}
      COMMAND ${within} ${MPIEXEC_EXECUTABLE} ${MPIEXEC_PREFLAGS} ${MPIEXEC_NUMPROC_FLAG} ${processes} ${arg_COMMAND}
    )
    # MPICH spins: two tests at once on two cores would only wait for each other.
    set_tests_properties(
      ${name}.n${processes}
      PROPERTIES TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ON LABELS mpi
    )
    if(arg_EXPECT)
      set_tests_properties(${name}.n${processes} PROPERTIES PASS_REGULAR_EXPRESSION "${arg_EXPECT}")
    endif()
  endforeach()
endfunction()

# raddle_add_mpi_test(<name> SOURCES <file>... PROCESSES <n>...): a GoogleTest program with MPI, all ranks run all tests.
function(raddle_add_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;PROCESSES")
  add_executable(${name} ${arg_SOURCES} "${PROJECT_SOURCE_DIR}/tests/mpi/main.cpp")
  target_link_libraries(${name} PRIVATE raddle raddle_options GTest::gtest)
  raddle_add_mpi_run(${name} PROCESSES ${arg_PROCESSES} COMMAND $<TARGET_FILE:${name}>)
endfunction()

# raddle_bench_plan(<variable> <name> [PATIENCE <seconds>] SETS <set>...): writes a plan of short samples and puts its
# path into <variable>. A set is "benchmark|variant,variant|placement|JSON members of its parameters".
function(raddle_bench_plan variable name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "PATIENCE" "SETS")
  if(NOT arg_PATIENCE)
    set(arg_PATIENCE 30)
  endif()
  set(sets "")
  foreach(set IN LISTS arg_SETS)
    string(REGEX MATCH "^(.*)[|](.*)[|](.*)[|](.*)$" matched "${set}")
    set(params "${CMAKE_MATCH_4}")
    set(placement "${CMAKE_MATCH_3}")
    set(benchmark "${CMAKE_MATCH_1}")
    string(REPLACE "," "\", \"" variants "${CMAKE_MATCH_2}")
    string(
      APPEND sets
      ",\n  {\"benchmark\": \"${benchmark}\", \"placement\": \"${placement}\", \"variants\": [\"${variants}\"], \"params\": {${params}}}"
    )
  endforeach()
  string(SUBSTRING "${sets}" 1 -1 sets)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/plans/${name}.json")
  file(
    WRITE "${file}"
    "{\"schema\": 1, \"launch\": \"${name}\", \"block\": 0, \"seed\": 1, \"mpi\": \"test\", \"profile\": \"shared\",
 \"sampling\": {\"min_samples\": 3, \"max_samples\": 5, \"batch\": 2, \"half_width\": 0.5, \"min_sample_seconds\": 0.0001,
  \"max_seconds\": 0.2, \"warmup_seconds\": 0.02},
 \"patience\": ${arg_PATIENCE},
 \"sets\": [${sets}\n ]}\n"
  )
  set(${variable} "${file}" PARENT_SCOPE)
endfunction()
