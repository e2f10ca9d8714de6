# SPDX-License-Identifier: BSD-3-Clause
# The same program over an MPI that misbehaves, through its profiling interface.
foreach(fault corrupt low-level mute)
  string(REPLACE - _ file ${fault})
  add_executable(bench-${fault} ${file}.cpp)
  target_link_libraries(bench-${fault} PRIVATE raddle_bench_mpi)
endforeach()

# raddle_add_corruption_run(<benchmark> <name> PROCESSES <n> [LEVEL <level>] [VARIANT <variant>] [PARAMS <json>]
#   [PRELOAD <library>]): what corrupt.cpp does to its messages of 1000 bytes must be noticed, and the point not timed.
function(raddle_add_corruption_run benchmark name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "PROCESSES;LEVEL;VARIANT;PARAMS;PRELOAD" "")
  if(NOT arg_LEVEL)
    set(arg_LEVEL single)
  endif()
  if(NOT arg_VARIANT)
    set(arg_VARIANT process)
  endif()
  if(arg_PARAMS)
    string(PREPEND arg_PARAMS ", ")
  endif()
  set(start "")
  if(arg_PRELOAD)
    set(start env LD_PRELOAD=${arg_PRELOAD})
  endif()
  raddle_bench_plan(plan corrupt-${name} SETS "${benchmark}|${arg_VARIANT}|node|\"bytes\": 1000${arg_PARAMS}")
  raddle_add_mpi_run(
    validation-catches-corruption.${name}
    PROCESSES ${arg_PROCESSES}
    COMMAND ${start} $<TARGET_FILE:bench-corrupt> --level ${arg_LEVEL} --plan ${plan}
    EXPECT "\"code\":\"validation\".*bytes arrived wrong.*\"rows\":0,\"errors\":1"
    ONCE
  )
endfunction()

foreach(
  benchmark
  latency
  msgrate
  bandwidth
  ep_overhead
  ep_throughput
  concurrent_latency
  concurrent_bandwidth
  blocking_receive
)
  raddle_add_corruption_run(${benchmark} ${benchmark} PROCESSES 2)
endforeach()
raddle_add_corruption_run(thread_overhead thread_overhead PROCESSES 2 PARAMS "\"level\": \"single\"")
raddle_add_corruption_run(
  lock_operations
  lock_operations
  PROCESSES 2
  PARAMS "\"level\": \"single\""
  PRELOAD "${locks}"
)
foreach(mode published windowed unexpected)
  raddle_add_corruption_run(message_rate message_rate.${mode} PROCESSES 2 PARAMS "\"mode\": \"${mode}\"")
endforeach()
foreach(
  collective
  allreduce
  barrier
  bcast
  alltoall
  iallreduce
)
  raddle_add_corruption_run(
    concurrent_collectives
    concurrent_collectives.${collective}
    PROCESSES 2
    PARAMS "\"collective\": \"${collective}\""
  )
endforeach()
foreach(collective allreduce barrier bcast alltoall)
  raddle_add_corruption_run(${collective} ${collective} PROCESSES 2)
endforeach()
raddle_add_corruption_run(fft_exchange fft_exchange.process PROCESSES 2)
foreach(benchmark partitioned_bandwidth partitioned_tail)
  foreach(mechanism send isend)
    raddle_add_corruption_run(
      ${benchmark}
      ${benchmark}.${mechanism}
      PROCESSES 2
      PARAMS "\"partition_bytes\": 1000, \"mechanism\": \"${mechanism}\""
    )
  endforeach()
endforeach()
foreach(algorithm native-alltoallv native-nbx)
  raddle_add_corruption_run(
    dsde_census
    dsde_census.${algorithm}
    PROCESSES 4
    PARAMS "\"ranks\": 4, \"algorithm\": \"${algorithm}\""
  )
endforeach()
raddle_add_corruption_run(fft_exchange fft_exchange.master PROCESSES 2 LEVEL funneled VARIANT master)
foreach(variant thread lane)
  raddle_add_corruption_run(fft_exchange fft_exchange.${variant} PROCESSES 2 LEVEL multiple VARIANT ${variant})
endforeach()
raddle_add_corruption_run(overlap overlap PROCESSES 2)
raddle_add_corruption_run(ep_overhead ep_overhead.self PROCESSES 1 PARAMS "\"partner\": \"self\"")
raddle_add_corruption_run(short_long short_long.short PROCESSES 4 PARAMS "\"long_bytes\": 5000")
raddle_add_corruption_run(collective_compute collective_compute PROCESSES 4)
raddle_add_corruption_run(liveness liveness PROCESSES 2 LEVEL multiple VARIANT thread)
foreach(benchmark latency msgrate liveness fft_exchange)
  raddle_add_corruption_run(
    ${benchmark}
    ${benchmark}.endpoint-direct
    PROCESSES 2
    LEVEL multiple
    VARIANT endpoint-direct
    PRELOAD $<TARGET_FILE:raddle>
  )
endforeach()

# A rank that never sends: the watchdog tells who waited for what on both sides, long before a test would give up.
raddle_bench_plan(plan mute PATIENCE 1 SETS "latency|process|node|\"bytes\": 1000")
raddle_add_mpi_run(
  watchdog-ends-a-hang
  PROCESSES 2
  COMMAND $<TARGET_FILE:bench-mute> --level single --plan ${plan}
  EXPECT
    "\"code\":\"hang\".*nothing moved for 1 s; validating latency process; process 0, thread 0 .flow 0, party 0.: in MPI_Recv, peer rank 1, tag 1"
)
raddle_bench_plan(plan mute-threads PATIENCE 1 SETS "concurrent_latency|thread|node|\"bytes\": 1000, \"threads\": 2")
raddle_add_mpi_run(
  watchdog-ends-a-hang-of-threads
  PROCESSES 2
  COMMAND $<TARGET_FILE:bench-mute> --level multiple --plan ${plan}
  EXPECT "process 1, thread 1 .flow 1, party 1.: in MPI_Send, peer rank 0, tag 5"
)

raddle_bench_plan(plan low-level SETS "latency|thread|node|")
raddle_add_mpi_run(
  no-thread-multiple
  PROCESSES 2
  COMMAND $<TARGET_FILE:bench-low-level> --level multiple --plan ${plan}
  EXPECT "\"code\":\"no-thread-multiple\".*provides thread level 'funneled' where 'multiple' was asked for"
)
