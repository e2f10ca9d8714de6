# SPDX-License-Identifier: BSD-3-Clause
# Dslash is right in all versions and however the lattice is cut, and is found wrong where the exchange is.

# raddle_add_dslash_run(<name> PROCESSES <n>... ARGUMENTS <argument>... [PROGRAM <target>] [EXPECT <regex>]
#   [TRIES <n>] [ENVIRONMENT <setting>...] [ONCE])
function(raddle_add_dslash_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROGRAM;EXPECT;TRIES" "PROCESSES;ARGUMENTS;ENVIRONMENT")
  raddle_options_given(once ONCE)
  if(NOT arg_PROGRAM)
    set(arg_PROGRAM dslash)
  endif()
  if(NOT arg_EXPECT)
    list(GET arg_ARGUMENTS 0 version)
    set(arg_EXPECT "reference +right.*hermiticity +right.*waves +right.*dslash ${version}: right")
  endif()
  raddle_add_mpi_run(
    examples.dslash.${name}
    PROCESSES ${arg_PROCESSES}
    COMMAND $<TARGET_FILE:${arg_PROGRAM}> ${arg_ARGUMENTS} --iterations 2
    ENVIRONMENT ${arg_ENVIRONMENT}
    EXPECT "${arg_EXPECT}"
    TRIES "${arg_TRIES}"
    ${once}
  )
endfunction()

if(GTest_FOUND)
  add_executable(dslash_test dslash_test.cpp)
  target_link_libraries(dslash_test PRIVATE dslash_operator raddle_options GTest::gtest_main)
  add_test(NAME dslash_test COMMAND dslash_test)
endif()

raddle_add_dslash_run(process PROCESSES 1 2 3 4 ARGUMENTS process --lattice 4x4x4x8)
foreach(version master lane thread endpoint)
  raddle_add_dslash_run(
    ${version}.too-few-threads
    PROCESSES 2
    ARGUMENTS ${version} --threads 2 --lattice 4x4x4x8
    ENVIRONMENT OMP_THREAD_LIMIT=1
    EXPECT "dslash: OpenMP gives 1 threads, and 2 are needed"
    TRIES 3
    ONCE
  )
endforeach()
foreach(
  grid
  2x2x1x1
  1x1x2x2
  1x2x1x2
  4x1x1x1
  1x1x4x1
)
  raddle_add_dslash_run(process.${grid} PROCESSES 4 ARGUMENTS process --lattice 4x4x4x6 --grid ${grid} ONCE)
endforeach()
raddle_add_dslash_run(
  process.uneven
  PROCESSES 2 4
  ARGUMENTS process --lattice 5x3x7x5 --antiperiodic --seed 7
  ONCE
)
foreach(version master lane)
  raddle_add_dslash_run(${version} PROCESSES 1 2 ARGUMENTS ${version} --lattice 4x4x4x8 --antiperiodic)
  raddle_add_dslash_run(${version}.uneven PROCESSES 2 ARGUMENTS ${version} --lattice 3x5x3x7 --grid 1x2x1x1 ONCE)
endforeach()
foreach(version thread endpoint)
  raddle_add_dslash_run(${version}.2x1x1x2 PROCESSES 2 ARGUMENTS ${version} --lattice 4x4x4x8 --grid 2x1x1x2)
  raddle_add_dslash_run(
    ${version}.uneven
    PROCESSES 2
    ARGUMENTS ${version} --lattice 5x3x7x5 --grid 1x2x2x1 --antiperiodic
    ONCE
  )
  raddle_add_dslash_run(${version}.four PROCESSES 1 ARGUMENTS ${version} --threads 4 --lattice 4x4x4x8 --grid 1x2x2x1)
  raddle_add_dslash_run(${version}.ring PROCESSES 1 ARGUMENTS ${version} --threads 4 --lattice 4x4x4x8 --grid 1x1x1x4 ONCE)
  raddle_add_dslash_run(${version}.threes PROCESSES 3 ARGUMENTS ${version} --threads 1 --lattice 4x4x6x4 ONCE)
endforeach()
raddle_add_dslash_run(
  endpoint.between-nodes
  PROCESSES 2
  ENVIRONMENT RADDLE_NODE=rank
  ARGUMENTS endpoint --lattice 4x4x4x8 --grid 2x1x1x2
)
# Two processes with a proxy each: the program is the same.
raddle_add_dslash_run(
  endpoint.proxies
  PROCESSES 4
  ENVIRONMENT RADDLE_ENGINE=proxy RADDLE_PROXIES=1 RADDLE_PROXY_OVERSUBSCRIBE=1
  ARGUMENTS endpoint --threads 1 --lattice 4x4x4x8
)

# The ends of a dimension taken for each other, and numbers that are wrong by little, are found.
foreach(fault other-face one-bit)
  string(REPLACE - _ file ${fault})
  add_executable(dslash-${fault} dslash_faults/${file}.cpp)
  target_link_libraries(dslash-${fault} PRIVATE dslash_program raddle_options ${CMAKE_DL_LIBS})
  foreach(version process endpoint)
    raddle_add_dslash_run(
      catches-${fault}.${version}
      PROCESSES 2
      PROGRAM dslash-${fault}
      ARGUMENTS ${version} --threads 1 --lattice 4x4x4x8
      EXPECT "reference +WRONG.*dslash ${version}: WRONG\n.*launcher: [1-9]"
      ONCE
    )
  endforeach()
endforeach()

raddle_add_dslash_run(
  no-such-grid
  ONCE
  PROCESSES 2
  ARGUMENTS process --grid 2x2x1x1
  EXPECT "the grid 2x2x1x1 is not one of 2 domains"
)
raddle_add_dslash_run(no-room ONCE PROCESSES 3 ARGUMENTS process --lattice 2x2x2x2 EXPECT "no grid of 3 domains fits 2x2x2x2")
raddle_add_dslash_run(no-such-version ONCE PROCESSES 1 ARGUMENTS fibre EXPECT "no version is called 'fibre'")

# Of the benchmark: threads of one process that share its domain have nobody to exchange with, and say so.
raddle_bench_plan(plan dslash-shared SETS "dslash|lane,master|one-process|\"extent\": 4")
raddle_add_mpi_run(
  dslash.nobody-to-exchange-with
  ONCE
  PROCESSES 1
  COMMAND $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "share its domain exchange nothing.*share its domain exchange nothing.*\"rows\":0,\"errors\":0"
)
raddle_bench_plan(plan dslash-no-room SETS "dslash|process|node|\"extent\": 2, \"parties\": 7")
raddle_add_mpi_run(
  dslash.no-room
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level single --plan ${plan}
  EXPECT "no grid of 7 domains fits 2x2x2x4"
)
add_executable(bench-one-bit dslash_faults/one_bit.cpp)
target_link_libraries(bench-one-bit PRIVATE raddle_bench_mpi)
raddle_bench_plan(plan dslash-one-bit SETS "dslash|process|node|\"extent\": 4")
raddle_add_mpi_run(
  validation-catches-corruption.dslash
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:bench-one-bit> --level single --plan ${plan}
  EXPECT "\"code\":\"validation\".*bytes arrived wrong.*\"rows\":0,\"errors\":1"
)
