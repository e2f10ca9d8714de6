# SPDX-License-Identifier: BSD-3-Clause
# What the benchmarks of partitioned communication tell, and what they refuse.

set(partitions "\"bytes\": 333000, \"partition_bytes\": 9000")

# What is not worth measuring works all the same: both ways, between endpoints, and not straight into buffers.
set(sets "")
foreach(threads 1 2)
  foreach(mechanism raddle-none raddle-fixed raddle-auto raddle-bulk)
    list(
      APPEND sets
      "${partitions}, \"threads\": ${threads}, \"mechanism\": \"${mechanism}\", \"order\": \"neighbours\""
    )
  endforeach()
endforeach()
foreach(way IN ITEMS "endpoint-direct|yes|1|node|2" "endpoint-direct|yes|1|one-process|1" "thread|no|0|node|2")
  raddle_columns(
    "${way}"
    variant
    direct
    setting
    placement
    processes
  )
  list(
    TRANSFORM sets
    PREPEND "partitioned_bandwidth|${variant}|${placement}|\"direct\": \"${direct}\", "
    OUTPUT_VARIABLE both
  )
  raddle_bench_plan(plan partitioned-both-ways-${variant}-${placement} SETS ${both})
  raddle_add_mpi_run(
    bench.partitioned.both-ways-${variant}-${placement}
    PROCESSES ${processes}
    COMMAND ${with_libraddle} RADDLE_PART_DIRECT=${setting} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
    EXPECT "\"rows\":8,\"errors\":0"
  )
endforeach()

# The moments of a round are told: 37 when partitions became ready, 37 when they arrived.
raddle_bench_plan(plan partitioned-timeline SETS "partitioned_tail|thread|node|${partitions}, \"spread_ms\": 1")
string(REPEAT "[-0-9.e]+," 73 moments)
raddle_add_mpi_run(
  bench.partitioned.timeline
  ONCE
  PROCESSES 2
  COMMAND ${with_libraddle} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "\"trace\":.\"us\":.${moments}[-0-9.e]+.}.*\"rows\":1,\"errors\":0"
)

# A round of one message is told as one, and one without messages as none.
foreach(about IN ITEMS "no|1|0" "yes|0|1")
  string(REPLACE "|" ";" about "${about}")
  list(GET about 0 direct)
  list(GET about 1 messages)
  list(GET about 2 setting)
  raddle_bench_plan(
    plan
    partitioned-messages-${direct}
    SETS "partitioned_bandwidth|thread|node|${partitions}, \"mechanism\": \"raddle-bulk\", \"direct\": \"${direct}\""
  )
  raddle_add_mpi_run(
    bench.partitioned.told-messages-${messages}
    ONCE
    PROCESSES 2
    COMMAND ${with_libraddle} RADDLE_PART_DIRECT=${setting} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
    EXPECT "\"messages\":.${messages}[.0]*[],].*\"rows\":1,\"errors\":0"
  )
endforeach()

# What cannot be measured is said by name.
raddle_bench_plan(plan partitioned-alone SETS "partitioned_bandwidth|thread|node|${partitions}")
raddle_add_mpi_run(
  bench.partitioned.not-preloaded
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "variant-unavailable.*libraddle, which has Raddle_Psend_init, is not preloaded"
)
raddle_bench_plan(
  plan
  partitioned-refused
  SETS
    "partitioned_bandwidth|endpoint-direct|node|${partitions}, \"mechanism\": \"win\""
    "partitioned_bandwidth|endpoint-direct|node|${partitions}, \"mechanism\": \"psend\""
    "partitioned_bandwidth|thread|node|${partitions}, \"mechanism\": \"isend\", \"completion\": \"sender\""
)
raddle_add_mpi_run(
  bench.partitioned.refused
  ONCE
  PROCESSES 2
  COMMAND ${with_libraddle} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT
    "the suite rma measures windows of endpoints.*no partitioned communication but Raddle.s.*only a partitioned request.*\"rows\":0,\"errors\":0"
)
raddle_bench_plan(plan partitioned-direct SETS "partitioned_ready|thread|node|${partitions}, \"direct\": \"no\"")
raddle_add_mpi_run(
  bench.partitioned.direct-all-the-same
  ONCE
  PROCESSES 2
  COMMAND ${with_libraddle} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "'direct' is 'no', and this launch has no RADDLE_PART_DIRECT=0"
)
raddle_bench_plan(
  plan
  partitioned-uneven
  SETS "partitioned_ready|thread|node|\"bytes\": 1000, \"partition_bytes\": 300"
)
raddle_add_mpi_run(
  bench.partitioned.uneven
  ONCE
  PROCESSES 2
  COMMAND ${with_libraddle} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "'bytes' must be a multiple of 'partition_bytes', and neither 0"
)
