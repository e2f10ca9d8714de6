# SPDX-License-Identifier: BSD-3-Clause
# Tests that run under this MPI's mpiexec. The numbers of processes are part of a test's declaration.

# raddle_options_given(<variable> <option>...): those of a function's options that were given to it, to pass them on.
macro(raddle_options_given variable)
  set(${variable} "")
  foreach(option IN ITEMS ${ARGN})
    if(arg_${option})
      list(APPEND ${variable} ${option})
    endif()
  endforeach()
endmacro()

# raddle_once(<variable> <processes>): ONCE for all numbers of processes of a function's run but the last, and where it was
# asked for.
macro(raddle_once variable processes)
  set(${variable} "")
  list(GET arg_PROCESSES -1 last)
  if(arg_ONCE OR NOT ${processes} EQUAL last)
    set(${variable} ONCE)
  endif()
endmacro()

# More contexts than CPUs, also of tests that run beside each other: nobody may spin. What raddle/mpis/*.toml has for the
# profile `shared`.
set(
  raddle_yielding
  OMP_WAIT_POLICY=passive
  MPIR_CVAR_CH4_PROGRESS_THROTTLE=true
  MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT=1
  MPIR_CVAR_POLLS_BEFORE_YIELD=1
  I_MPI_THREAD_YIELD=2
  I_MPI_SPIN_COUNT=1
  OMPI_MCA_mpi_yield_when_idle=true
)

# With these the MPI has the processes of this node as if each were on another one: placement `no-shm` of raddle/mpis/*.toml,
# but for MPICH with the network that it would choose.
set(
  RADDLE_BY_NETWORK
  MPIR_CVAR_NOLOCAL=1
  OMPI_MCA_pml=ob1
  OMPI_MCA_btl=self,tcp
  OMPI_MCA_btl_tcp_if_include=lo
  I_MPI_FABRICS=ofi
  I_MPI_OFI_PROVIDER=tcp
  I_MPI_COLL_INTRANODE=pt2pt
)

# The properties of a test that starts so many processes: `raddle_mpi_test_properties(<name> <processes> [<option>...])`,
# with the options of raddle_add_mpi_run. Each process counts as one of the tests that CTest runs beside each other.
function(raddle_mpi_test_properties name processes)
  cmake_parse_arguments(PARSE_ARGV 2 arg "ALONE;ONCE;LONG" "EXPECT;TIMEOUT;TRIES" "PROCESSES;COMMAND;ENVIRONMENT")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 90)
  endif()
  if(RADDLE_COVERAGE)
    math(EXPR arg_TIMEOUT "4 * ${arg_TIMEOUT}") # threads meet in the counters of lines
  endif()
  set(labels mpi)
  if(arg_LONG)
    list(APPEND labels long)
  endif()
  if(arg_ONCE)
    list(APPEND labels once)
  endif()
  set_tests_properties(
    ${name}
    PROPERTIES
      TIMEOUT ${arg_TIMEOUT}
      PROCESSORS ${processes}
      RUN_SERIAL "${arg_ALONE}"
      LABELS "${labels}"
      ENVIRONMENT "${raddle_yielding};${arg_ENVIRONMENT}"
  )
endfunction()

# raddle_add_mpi_run(<name> PROCESSES <n>... COMMAND <program> <argument>... [EXPECT <regex>] [TIMEOUT <seconds>]
#   [TRIES <n>] [ENVIRONMENT <setting>...] [ALONE] [ONCE] [LONG])
# One test for each number. With EXPECT the output decides and not how the launcher ends: Intel MPI's now and then ends
# by a signal of its own (SIGPIPE) when a process has gone, which CTest calls a failure whatever was printed.
# TRIES: so often it is started, for what is expected is said before an MPI_Abort, and the launcher (MPICH's) now and then
# ends all before it has passed that on.
# ALONE: it keeps all CPUs busy, so nothing runs beside it. ONCE: what it tries is not the MPI, so that `make test` runs it
# on one of them; so it does with all numbers but the last. LONG: of `make test-long` only.
function(raddle_add_mpi_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALONE;ONCE;LONG" "EXPECT;TIMEOUT;TRIES" "PROCESSES;COMMAND;ENVIRONMENT")
  # Where a killed mpiexec has left its directory, PRRTE starts nothing: status 213 (docs/evidence/mpi-notes.md).
  set(start "\"$@\"\ncode=$?\n[ $code != 213 ] || { \"$@\"\ncode=$?\n}\n")
  set(told "[ $code = 0 ] || echo launcher: $code")
  if(arg_TRIES)
    set(within sh -c "for try in $(seq ${arg_TRIES})\ndo ${start}${told}\ndone" sh)
  elseif(arg_EXPECT)
    set(within sh -c "${start}${told}" sh)
  else()
    set(within sh -c "${start}exit $code" sh)
  endif()
  foreach(processes IN LISTS arg_PROCESSES)
    add_test(
      NAME ${name}.n${processes}
      COMMAND ${within} ${MPIEXEC_EXECUTABLE} ${MPIEXEC_PREFLAGS} ${MPIEXEC_NUMPROC_FLAG} ${processes} ${arg_COMMAND}
    )
    raddle_once(once ${processes})
    raddle_mpi_test_properties(${name}.n${processes} ${processes} ${once} ${ARGN})
    if(arg_EXPECT)
      set_tests_properties(${name}.n${processes} PROPERTIES PASS_REGULAR_EXPRESSION "${arg_EXPECT}")
    endif()
  endforeach()
endfunction()

# raddle_add_spawning_test(<name> PROCESSES <n> COMMAND <program> <argument>... EXPECT <regex>): 2 processes, which start
# others so that there are n.
function(raddle_add_spawning_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROCESSES;EXPECT" "COMMAND")
  add_test(
    NAME ${name}
    COMMAND
      sh -c "\"$@\" || echo launcher: $?" sh ${MPIEXEC_EXECUTABLE} ${MPIEXEC_PREFLAGS} ${MPIEXEC_NUMPROC_FLAG} 2
      ${arg_COMMAND}
  )
  raddle_mpi_test_properties(${name} ${arg_PROCESSES})
  set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${arg_EXPECT}" FAIL_REGULAR_EXPRESSION "still here")
endfunction()

# Makes a program one of GoogleTest whose ranks all run all tests.
function(raddle_use_mpi_gtest name)
  target_link_libraries(${name} PRIVATE mpi_gtest_main)
  target_precompile_headers(${name} REUSE_FROM mpi_gtest_main)
endfunction()

# raddle_add_mpi_test(<name> SOURCES <file>... PROCESSES <n>...): a GoogleTest program with MPI, all ranks run all tests.
function(raddle_add_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;PROCESSES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE raddle)
  raddle_use_mpi_gtest(${name})
  raddle_add_mpi_run(${name} PROCESSES ${arg_PROCESSES} COMMAND $<TARGET_FILE:${name}>)
endfunction()

# raddle_columns(<row> <variable>...): what stands in a row between its bars; the last variable gets all that is left.
function(raddle_columns row)
  set(names ${ARGN})
  list(POP_BACK names last)
  foreach(name IN LISTS names)
    string(REGEX MATCH "^([^|]*)[|](.*)$" matched "${row}")
    set(${name} "${CMAKE_MATCH_1}" PARENT_SCOPE)
    set(row "${CMAKE_MATCH_2}")
  endforeach()
  set(${last} "${row}" PARENT_SCOPE)
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
