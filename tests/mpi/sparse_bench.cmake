# SPDX-License-Identifier: BSD-3-Clause
# What the benchmarks of sparse exchange tell, and what they refuse.

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
  EXPECT "rsx counts by windows of processes.*those that exchange are ranks.*\"rows\":0,\"errors\":0"
)
foreach(
  case
  IN
  ITEMS
    "1|\"ranks\": 1|'ranks' is 1. allowed: 2 to 4096"
    "2|\"ranks\": 2, \"fraction\": 0|'fraction' is 0. allowed: above 0, 1 at most"
    "2|\"ranks\": 2, \"bytes\": 0|'bytes' must be at least 1"
    "2|\"ranks\": 2, \"seed\": -1|'seed' is -1. allowed: 0 to"
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
