# SPDX-License-Identifier: BSD-3-Clause
# The same program over an MPI that misbehaves, through its profiling interface.
foreach(fault low-level mute)
  string(REPLACE - _ file ${fault})
  add_executable(bench-${fault} ${file}.cpp)
  target_link_libraries(bench-${fault} PRIVATE raddle_bench_mpi)
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
