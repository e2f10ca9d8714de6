# SPDX-License-Identifier: BSD-3-Clause
# The benchmarks of sparse exchange: every algorithm with every pattern, all messages compared, nothing skipped. Needs what
# sparse.cmake defines.

set(of_endpoints ${sparse_algorithms_of_endpoints} auto)
set(algorithms native-alltoallv native-nbx ${sparse_algorithms} auto)

# raddle_add_sparse_bench_run(<name> PROCESSES <n> LEVEL <level> SETS <set>... [ONCE])
function(raddle_add_sparse_bench_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROCESSES;LEVEL" "SETS")
  raddle_options_given(once ONCE)
  raddle_add_bench_run(
    sparse.${name}
    ${once}
    PROCESSES ${arg_PROCESSES}
    LEVEL ${arg_LEVEL}
    START ${with_libraddle} RADDLE_THREAD_LEVEL=program
    SETS ${arg_SETS}
  )
  set_tests_properties(bench.sparse.${name}.n${arg_PROCESSES} PROPERTIES FAIL_REGULAR_EXPRESSION "variant-unavailable")
endfunction()

# raddle_sparse_sets(<variable> <where> <ranks> ALGORITHMS <name>... [PATTERNS <name>...])
function(raddle_sparse_sets variable where ranks)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "ALGORITHMS;PATTERNS")
  set(sets "")
  foreach(algorithm IN LISTS arg_ALGORITHMS)
    foreach(pattern IN LISTS arg_PATTERNS)
      list(
        APPEND sets
        "dsde_algorithms|${where}|\"ranks\": ${ranks}, \"algorithm\": \"${algorithm}\", \"pattern\": \"${pattern}\""
      )
    endforeach()
  endforeach()
  set(${variable} "${sets}" PARENT_SCOPE)
endfunction()

foreach(ranks 2 3 4)
  set(once "")
  if(ranks LESS 4)
    set(once ONCE)
  endif()
  raddle_sparse_sets(sets "process|node" ${ranks} ALGORITHMS ${algorithms} PATTERNS random)
  list(TRANSFORM sets APPEND ", \"fraction\": 0.7, \"bytes\": 1001")
  raddle_add_sparse_bench_run(processes-${ranks} ${once} PROCESSES ${ranks} LEVEL single SETS ${sets})
endforeach()
foreach(pattern clustered skewed nearest empty)
  raddle_sparse_sets(sets "process|node" 4 ALGORITHMS ${algorithms} PATTERNS ${pattern})
  raddle_add_sparse_bench_run(${pattern} ONCE PROCESSES 4 LEVEL single SETS ${sets})
endforeach()
# Messages that do not travel with their announcement.
raddle_sparse_sets(sets "process|node" 4 ALGORITHMS ${algorithms} PATTERNS random)
list(TRANSFORM sets APPEND ", \"bytes\": 300000")
raddle_add_sparse_bench_run(large PROCESSES 4 LEVEL single SETS ${sets})

raddle_sparse_sets(
  sets
  "endpoint-direct|one-process"
  4
  ALGORITHMS native-alltoallv ${of_endpoints}
  PATTERNS random nearest empty
)
raddle_add_sparse_bench_run(one-process PROCESSES 1 LEVEL multiple SETS ${sets})
raddle_sparse_sets(
  sets
  "endpoint-direct|node"
  4
  ALGORITHMS native-alltoallv ${of_endpoints}
  PATTERNS random skewed
)
raddle_add_sparse_bench_run(endpoints PROCESSES 2 LEVEL multiple SETS ${sets})

# What was chosen is told: one of Raddle's, as the list of algorithms counts them.
raddle_bench_plan(plan sparse-chosen SETS "dsde_algorithms|process|node|\"ranks\": 2, \"algorithm\": \"auto\"")
raddle_add_mpi_run(
  bench.sparse.told-choice
  ONCE
  PROCESSES 2
  COMMAND ${with_libraddle} RADDLE_THREAD_LEVEL=program $<TARGET_FILE:raddle-bench> --level single --plan ${plan}
  EXPECT "\"chosen\":.[2-9][.0]*[],].*\"rows\":1,\"errors\":0"
)

# What cannot be measured is said by name.
raddle_bench_plan(
  plan
  sparse-alone
  SETS
    "dsde_census|process|node|\"ranks\": 2, \"algorithm\": \"nbx\""
    "dsde_census|process|node|\"ranks\": 2, \"algorithm\": \"native-nbx\""
)
raddle_add_mpi_run(
  bench.sparse.not-preloaded
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level single --plan ${plan}
  EXPECT "libraddle, which has Raddle_Sparse_exchange, is not preloaded.*\"rows\":1,\"errors\":0"
)
raddle_bench_plan(
  plan
  sparse-refused
  SETS
    "dsde_endpoints|endpoint-direct|node|\"ranks\": 4, \"algorithm\": \"rsx\""
    "dsde_endpoints|thread|node|\"ranks\": 4"
)
raddle_add_mpi_run(
  bench.sparse.refused
  ONCE
  PROCESSES 2
  COMMAND ${with_libraddle} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "endpoints have no windows.*those that exchange are ranks.*\"rows\":0,\"errors\":0"
)
foreach(
  case
  IN
  ITEMS
    "1|\"ranks\": 1|'ranks' must be 2 to 4096"
    "2|\"ranks\": 2, \"fraction\": 0|'fraction' must be more than 0, and 1 at most"
    "2|\"ranks\": 2, \"bytes\": 0|'bytes' must be at least 1"
    "2|\"ranks\": 2, \"seed\": -1|'seed' must not be negative"
    "2|\"ranks\": 4|needs 4 processes; this launch has 2"
)
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 processes)
  list(GET case 1 params)
  list(GET case 2 said)
  string(MAKE_C_IDENTIFIER "${params}" name)
  raddle_bench_plan(plan sparse-${name} SETS "dsde_census|process|node|${params}")
  raddle_add_mpi_run(
    bench.sparse.wrong${name}
    ONCE
    PROCESSES ${processes}
    COMMAND $<TARGET_FILE:raddle-bench> --level single --plan ${plan}
    EXPECT "${said}"
  )
endforeach()
