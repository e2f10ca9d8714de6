# SPDX-License-Identifier: BSD-3-Clause
# The benchmarks of partitioned communication: every mechanism in every order, all bytes compared, nothing skipped.

# The number of partitions is no power of two, and none of threads divides it.
set(partitions "\"bytes\": 333000, \"partition_bytes\": 9000")
set(
  mechanisms
  bulk
  send
  send-persistent
  isend
  win
  psend
  raddle-none
  raddle-fixed
  raddle-auto
  raddle-bulk
)
set(of_requests ${mechanisms})
list(FILTER of_requests INCLUDE REGEX "psend|raddle")
set(of_raddle ${mechanisms})
list(FILTER of_raddle INCLUDE REGEX "raddle")

# raddle_add_partitioned_bench_run(<name> PROCESSES <n> [SETTINGS <assignment>...] SETS <set>... [ONCE])
function(raddle_add_partitioned_bench_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROCESSES" "SETTINGS;SETS")
  raddle_options_given(once ONCE)
  raddle_add_bench_run(
    partitioned.${name}
    ${once}
    PROCESSES ${arg_PROCESSES}
    LEVEL multiple
    START ${with_libraddle} ${arg_SETTINGS}
    SETS ${arg_SETS}
  )
  set_tests_properties(
    bench.partitioned.${name}.n${arg_PROCESSES}
    PROPERTIES FAIL_REGULAR_EXPRESSION "variant-unavailable"
  )
endfunction()

foreach(threads 1 2)
  set(once "")
  if(threads EQUAL 1)
    set(once ONCE)
  endif()
  set(sets "")
  foreach(mechanism IN LISTS mechanisms)
    set(work "${partitions}, \"threads\": ${threads}, \"mechanism\": \"${mechanism}\"")
    foreach(order linear inverse random neighbours)
      list(APPEND sets "partitioned_bandwidth|thread|node|${work}, \"order\": \"${order}\"")
    endforeach()
    list(
      APPEND sets
      "partitioned_bandwidth|thread|node|${work}, \"order\": \"stride\", \"stride\": 4"
      "partitioned_tail|thread|node|${work}, \"spread_ms\": 1, \"noise\": \"gaussian\""
    )
  endforeach()
  foreach(mechanism IN LISTS of_requests)
    set(work "${partitions}, \"threads\": ${threads}, \"mechanism\": \"${mechanism}\"")
    list(
      APPEND sets
      "partitioned_ready|thread|node|${work}"
      "partitioned_bandwidth|thread|node|${work}, \"completion\": \"sender\""
      "partitioned_bandwidth|thread|node|${work}, \"completion\": \"receiver\""
    )
  endforeach()
  raddle_add_partitioned_bench_run(threads-${threads} ${once} PROCESSES 2 SETS ${sets})

  # Without a way straight into the receiver's buffer, and with every process for a node of its own.
  set(sets "")
  foreach(mechanism IN LISTS of_raddle)
    set(work "${partitions}, \"threads\": ${threads}, \"mechanism\": \"${mechanism}\", \"direct\": \"no\"")
    list(
      APPEND sets
      "partitioned_bandwidth|thread|node|${work}, \"completion\": \"receiver\""
      "partitioned_bandwidth|thread|node|${work}, \"order\": \"neighbours\""
      "partitioned_tail|thread|node|${work}, \"spread_ms\": 1, \"noise\": \"single\""
      "partitioned_ready|thread|node|${work}"
    )
  endforeach()
  raddle_add_partitioned_bench_run(messages-${threads} ${once} PROCESSES 2 SETTINGS RADDLE_PART_DIRECT=0 SETS ${sets})

  set(sets "")
  foreach(mechanism bulk ${of_raddle})
    foreach(order linear neighbours)
      list(
        APPEND sets
        "partitioned_bandwidth|endpoint-direct|@|${partitions}, \"threads\": ${threads}, \"mechanism\": \"${mechanism}\", \"order\": \"${order}\""
      )
    endforeach()
  endforeach()
  string(REPLACE "|@|" "|node|" between "${sets}")
  raddle_add_partitioned_bench_run(endpoints-${threads} ${once} PROCESSES 2 SETS ${between})
  string(REPLACE "|@|" "|one-process|" within "${sets}")
  raddle_add_partitioned_bench_run(one-process-${threads} ${once} PROCESSES 1 SETS ${within})
endforeach()

# The sizes at the ends of the study; the one of most partitions is the one in which mechanisms drown.
set(sets "")
foreach(mechanism IN LISTS mechanisms)
  list(
    APPEND sets
    "partitioned_bandwidth|thread|node|\"bytes\": 1048576, \"partition_bytes\": 512, \"mechanism\": \"${mechanism}\""
    "partitioned_bandwidth|thread|node|\"bytes\": 1048576, \"partition_bytes\": 1048576, \"mechanism\": \"${mechanism}\""
  )
endforeach()
raddle_add_partitioned_bench_run(sizes PROCESSES 2 SETS ${sets})

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
    "endpoints have no windows.*no partitioned communication but Raddle.s.*only a partitioned request.*\"rows\":0,\"errors\":0"
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
