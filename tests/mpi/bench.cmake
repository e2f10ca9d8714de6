# SPDX-License-Identifier: BSD-3-Clause
# Every benchmark in every variant and shape, with short samples: all rows are made, and none of them is damaged.

# raddle_add_bench_run(<name> PROCESSES <n> LEVEL <level> [START <word>...] SETS <set>... [ONCE]). START goes before the
# program's name. A failed point is an exit status; a variant that this MPI lacks is skipped by name.
function(raddle_add_bench_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROCESSES;LEVEL" "START;SETS")
  raddle_options_given(once ONCE)
  raddle_bench_plan(plan ${name} SETS ${arg_SETS})
  raddle_add_mpi_run(
    bench.${name}
    PROCESSES ${arg_PROCESSES}
    COMMAND ${arg_START} $<TARGET_FILE:raddle-bench> --level ${arg_LEVEL} --plan ${plan} ${once}
  )
endfunction()

# raddle_add_endpoint_run(<name> PROCESSES <n> [SETTINGS <assignment>...] SETS <set>... [ONCE]): nothing may be skipped.
set(with_libraddle env LD_PRELOAD=$<TARGET_FILE:raddle>)
function(raddle_add_endpoint_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROCESSES" "SETTINGS;SETS")
  raddle_options_given(once ONCE)
  raddle_add_bench_run(
    endpoint.${name}
    ${once}
    PROCESSES ${arg_PROCESSES}
    LEVEL multiple
    START ${with_libraddle} ${arg_SETTINGS}
    SETS ${arg_SETS}
  )
  set_tests_properties(
    bench.endpoint.${name}.n${arg_PROCESSES}
    PROPERTIES FAIL_REGULAR_EXPRESSION "variant-unavailable"
  )
endfunction()

set(point_to_point "")
set(threaded "thread,lane,threadcomm")
foreach(bytes 0 1 70000)
  list(APPEND point_to_point "latency|@|node|\"bytes\": ${bytes}")
endforeach()
list(
  APPEND point_to_point
  "msgrate|@|node|\"bytes\": 8"
  "msgrate|@|node|\"bytes\": 0, \"window\": 1"
  "bandwidth|@|node|\"bytes\": 300000"
  "ep_overhead|@|node|\"bytes\": 64"
  "ep_throughput|@|node|\"bytes\": 64"
  "concurrent_latency|@|node|\"bytes\": 64"
  "concurrent_bandwidth|@|node|\"bytes\": 300000, \"window\": 3"
  "message_rate|@|node|\"mode\": \"published\""
  "message_rate|@|node|\"mode\": \"windowed\", \"bytes\": 8, \"window\": 64"
  "message_rate|@|node|\"mode\": \"unexpected\", \"bytes\": 8"
)

# The sets above for these variants with that many flows.
function(raddle_sets variable variants threads)
  set(sets "")
  foreach(set IN LISTS point_to_point)
    string(REPLACE "|@|" "|${variants}|" set "${set}")
    list(APPEND sets "${set}, \"threads\": ${threads}")
  endforeach()
  set(${variable} "${sets}" PARENT_SCOPE)
endfunction()

set(collectives "")
foreach(
  collective
  allreduce
  barrier
  bcast
  alltoall
  iallreduce
)
  list(APPEND collectives "concurrent_collectives|@|node|\"collective\": \"${collective}\"")
endforeach()
foreach(collective allreduce bcast alltoall)
  foreach(bytes 8 70000)
    list(APPEND collectives "${collective}|@|node|\"bytes\": ${bytes}")
  endforeach()
endforeach()
list(APPEND collectives "barrier|@|node|\"bytes\": 0")
# In many rounds, which do not come out even with the volume, and in one that exceeds it.
foreach(bytes 1000 70000)
  list(APPEND collectives "fft_exchange|@|node|\"bytes\": ${bytes}")
endforeach()
string(REPLACE "|@|" "|process|" process_collectives "${collectives}")
string(REPLACE "|@|" "|endpoint-direct|" endpoint_collectives "${collectives}")
list(FILTER collectives INCLUDE REGEX "^concurrent_")
string(REPLACE "|@|" "|thread,lane|" thread_collectives "${collectives}")

raddle_sets(sets process 1)
raddle_add_bench_run(
  process-1
  ONCE
  PROCESSES 2
  LEVEL single
  SETS ${sets}
       ${process_collectives}
       "thread_overhead|process|node|\"level\": \"single\""
       "overlap|process|node|\"bytes\": 100000, \"ratio\": 0.5"
       "blocking_receive|process|node|\"wait_ms\": 2"
)
raddle_sets(sets process 2)
raddle_add_bench_run(
  process-2
  PROCESSES 4
  LEVEL single
  SETS ${sets}
       "short_long|process|node|\"long_bytes\": 300000"
       "short_long|process|node|\"long_bytes\": 0"
       "collective_compute|process|node|\"bytes\": 4096"
       "concurrent_collectives|process|node|\"threads\": 2"
       "concurrent_collectives|process|node|\"parties\": 4, \"collective\": \"alltoall\""
       "fft_exchange|process|node|\"threads\": 2"
)
raddle_add_bench_run(
  process-5
  ONCE
  PROCESSES 5
  LEVEL single
  SETS "overlap|process|node|\"bytes\": 20000, \"neighbours\": 4"
)
raddle_sets(sets ${threaded} 1)
raddle_add_bench_run(
  threads-1
  PROCESSES 2
  LEVEL multiple
  SETS ${sets}
       ${thread_collectives}
       "allreduce|threadcomm|node|\"bytes\": 8"
       "alltoall|threadcomm|node|\"bytes\": 1000"
       "fft_exchange|thread,lane,threadcomm|node|\"bytes\": 1000"
       "thread_overhead|process|node|\"level\": \"multiple\""
       "overlap|thread|node|\"bytes\": 100000, \"progress\": \"none\""
       "overlap|thread|node|\"bytes\": 100000, \"progress\": \"thread\""
       "overlap|thread|node|\"bytes\": 100000, \"progress\": \"probe\""
       "blocking_receive|thread|node|\"wait_ms\": 2"
       "collective_compute|thread|node|\"bytes\": 4096, \"kernel\": \"memory\", \"yield\": 1"
       "liveness|thread,lane|node|"
)
raddle_sets(sets ${threaded} 2)
raddle_add_bench_run(
  threads-2
  PROCESSES 2
  LEVEL multiple
  SETS ${sets}
       "concurrent_collectives|thread,lane|node|\"threads\": 2"
       "fft_exchange|thread,lane,threadcomm|node|\"bytes\": 1000, \"threads\": 2"
)
raddle_add_bench_run(
  threads-3
  PROCESSES 3
  LEVEL multiple
  SETS "short_long|thread,lane|node|\"long_bytes\": 300000"
       "short_long|thread,lane|node|\"long_bytes\": 0"
       "concurrent_collectives|thread,lane|node|\"parties\": 3, \"threads\": 2"
       "fft_exchange|thread,lane|node|\"parties\": 3"
)
foreach(nodes 2 3)
  raddle_add_bench_run(
    master-${nodes}
    ONCE
    PROCESSES ${nodes}
    LEVEL funneled
    SETS "fft_exchange|master|node|\"bytes\": 1000, \"parties\": ${nodes}"
         "fft_exchange|master|node|\"bytes\": 70000, \"parties\": ${nodes}, \"threads\": 2"
  )
endforeach()
# Messages to oneself: all contexts that are threads are in one process.
set(to_oneself "")
foreach(bytes 0 64 70000)
  list(APPEND to_oneself "ep_overhead|@|node|\"partner\": \"self\", \"bytes\": ${bytes}")
endforeach()
foreach(threads 1 2)
  string(REPLACE "|@|" "|process|" sets "${to_oneself}")
  list(TRANSFORM sets APPEND ", \"threads\": ${threads}")
  raddle_add_bench_run(to-oneself.process-${threads} ONCE PROCESSES ${threads} LEVEL single SETS ${sets})
  string(REPLACE "|process|" "|${threaded}|" sets "${sets}")
  raddle_add_bench_run(to-oneself.threads-${threads} PROCESSES 1 LEVEL multiple SETS ${sets})
  string(REPLACE "|${threaded}|" "|endpoint-direct|" sets "${sets}")
  raddle_add_endpoint_run(to-oneself.threads-${threads} PROCESSES 1 SETS ${sets})
endforeach()

raddle_sets(sets ${threaded} 1)
string(REPLACE "|node|" "|one-process|" sets "${sets}")
raddle_add_bench_run(
  one-process
  PROCESSES 1
  LEVEL multiple
  SETS ${sets} "fft_exchange|thread,threadcomm|one-process|\"bytes\": 1000, \"threads\": 2"
)

raddle_sets(sets endpoint-direct 1)
string(REPLACE "|node|" "|one-process|" one_process "${sets}")
string(REPLACE "|node|" "|one-process|" one_process_collectives "${endpoint_collectives}")
list(FILTER one_process_collectives EXCLUDE REGEX "^concurrent_")
raddle_add_endpoint_run(one-process PROCESSES 1 SETS ${one_process} ${one_process_collectives})
raddle_add_endpoint_run(
  threads-1
  PROCESSES 2
  SETS ${sets}
       ${endpoint_collectives}
       "blocking_receive|endpoint-direct|node|\"wait_ms\": 2" "liveness|endpoint-direct|node|"
)
raddle_sets(sets endpoint-direct 2)
foreach(
  collective
  allreduce
  barrier
  bcast
  alltoall
  fft_exchange
)
  list(APPEND sets "${collective}|endpoint-direct|node|\"bytes\": 1000, \"threads\": 2")
endforeach()
list(
  APPEND sets
  "concurrent_collectives|endpoint-direct|node|\"threads\": 2"
  "collective_compute|endpoint-direct|node|\"bytes\": 4096"
)
raddle_add_endpoint_run(threads-2 PROCESSES 2 SETS ${sets})
raddle_add_endpoint_run(network-2 PROCESSES 2 SETTINGS RADDLE_NODE=rank SETS ${sets})
set(sets "")
foreach(long_bytes 0 300000)
  list(APPEND sets "short_long|endpoint-direct|node|\"long_bytes\": ${long_bytes}")
endforeach()
raddle_add_endpoint_run(threads-3 PROCESSES 3 SETS ${sets})
raddle_add_endpoint_run(network-3 PROCESSES 3 SETTINGS RADDLE_NODE=rank SETS ${sets})

# What endpoints cannot do is said by name.
raddle_bench_plan(plan endpoint-not-preloaded SETS "latency|endpoint-direct|node|")
raddle_add_mpi_run(
  endpoint.not-preloaded
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "variant-unavailable.*libraddle, which makes endpoints, is not preloaded"
)
# So is what a variant or a placement has no use for.
raddle_bench_plan(plan master-alone SETS "latency|master|node|")
raddle_add_mpi_run(
  bench.master-has-no-channels
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level funneled --plan ${plan}
  EXPECT "variant-unavailable.*variant master has no channel for each thread"
)
raddle_bench_plan(plan lane-alone SETS "fft_exchange|lane|one-process|")
raddle_add_mpi_run(
  bench.lanes-for-one-process
  ONCE
  PROCESSES 1
  COMMAND $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "variant-unavailable.*threads of one process need no lane"
)
raddle_bench_plan(plan exchange-of-nothing SETS "fft_exchange|process|node|\"bytes\": 0")
raddle_add_mpi_run(
  bench.exchange-of-nothing
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level single --plan ${plan}
  EXPECT "'bytes' must be at least 1"
)
raddle_bench_plan(plan short-of-nothing SETS "short_long|process|node|\"bytes\": 0")
raddle_add_mpi_run(
  bench.short-of-nothing
  ONCE
  PROCESSES 4
  COMMAND $<TARGET_FILE:raddle-bench> --level single --plan ${plan}
  EXPECT "'bytes' must be at least 1"
)
raddle_bench_plan(plan ready-once SETS "partitioned_ready|thread|node|\"bytes\": 1024, \"threads\": 2")
raddle_add_mpi_run(
  bench.ready-once
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "two partitions for each thread"
)
# raddle_add_proxy_bench_run(<name> PROCESSES <n> PROXIES <e> [SETTINGS <assignment>...] SETS <set>... [ONCE]): n processes
# of the program with e proxies behind each, which more CPUs than there are may be busy with.
function(raddle_add_proxy_bench_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROCESSES;PROXIES" "SETTINGS;SETS")
  raddle_options_given(once ONCE)
  math(EXPR started "${arg_PROCESSES} * (1 + ${arg_PROXIES})")
  raddle_add_endpoint_run(
    proxy.${name}
    ${once}
    PROCESSES ${started}
    SETTINGS RADDLE_ENGINE=proxy RADDLE_PROXIES=${arg_PROXIES} RADDLE_PROXY_OVERSUBSCRIBE=1 ${arg_SETTINGS}
    SETS ${arg_SETS}
  )
endfunction()

raddle_sets(sets endpoint-proxy 1)
string(REPLACE "|endpoint-direct|" "|endpoint-proxy|" collectives "${endpoint_collectives}")
raddle_add_proxy_bench_run(
  threads-1
  PROCESSES 2
  PROXIES 1
  SETS ${sets} ${collectives} "blocking_receive|endpoint-proxy|node|\"wait_ms\": 2"
       "overlap|endpoint-proxy|node|\"bytes\": 100000, \"progress\": \"none\""
)
string(REPLACE "|node|" "|one-process|" sets "${sets}")
raddle_add_proxy_bench_run(one-process ONCE PROCESSES 1 PROXIES 2 SETS ${sets})
string(REPLACE "|@|" "|endpoint-proxy|" sets "${to_oneself}")
raddle_add_proxy_bench_run(to-oneself ONCE PROCESSES 1 PROXIES 1 SETS ${sets})
raddle_add_proxy_bench_run(
  async
  PROCESSES 2
  PROXIES 1
  SETTINGS RADDLE_PROXY_PROGRESS=async
  SETS "overlap|endpoint-proxy|node|\"bytes\": 100000, \"progress\": \"proxy\""
)
# Their messages lie in the memory that proxies see, which has no room for these two.
raddle_bench_plan(plan proxies-too-little-memory SETS "latency|endpoint-proxy|node|\"bytes\": 700000")
raddle_add_mpi_run(
  endpoint.proxies-too-little-memory
  ONCE
  PROCESSES 4
  COMMAND ${with_libraddle} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  ENVIRONMENT RADDLE_ENGINE=proxy RADDLE_PROXIES=1 RADDLE_PROXY_OVERSUBSCRIBE=1 RADDLE_PROXY_HEAP=1
  EXPECT "the memory that proxies see has no room for messages"
)

# Only a launch with proxies has their variant, and only one whose proxies go on by themselves measures that they do.
raddle_bench_plan(plan no-proxies SETS "latency|endpoint-proxy|node|")
raddle_add_mpi_run(
  endpoint.no-proxies
  ONCE
  PROCESSES 2
  COMMAND ${with_libraddle} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "variant-unavailable.*this launch has no proxies"
)
raddle_bench_plan(plan overlap-lazy SETS "overlap|endpoint-proxy|node|\"progress\": \"proxy\"")
raddle_add_mpi_run(
  endpoint.lazy-proxies
  ONCE
  PROCESSES 2
  COMMAND ${with_libraddle} $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "'progress' is 'proxy', and this launch has no RADDLE_PROXY_PROGRESS=async"
)
raddle_bench_plan(plan overlap-unasked SETS "overlap|thread|node|\"progress\": \"proxy\"")
raddle_add_mpi_run(
  endpoint.proxies-of-others
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "variant-unavailable.*only variant endpoint-proxy has proxies that help"
)
raddle_bench_plan(plan wrong-size SETS "latency|process|node|")
raddle_add_mpi_run(
  wrong-number-of-processes
  ONCE
  PROCESSES 1
  COMMAND $<TARGET_FILE:raddle-bench> --level single --plan ${plan}
  EXPECT "needs 2 processes. this launch has 1"
)
raddle_bench_plan(plan wrong-level SETS "thread_overhead|process|node|\"level\": \"multiple\"")
raddle_add_mpi_run(
  wrong-level
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level single --plan ${plan}
  EXPECT "this launch asked for thread level 'single', and the set is about 'multiple'"
)

# Without the library that counts it says so; with it, a program without threads takes no lock and one with them does.
raddle_bench_plan(plan locks-missing SETS "lock_operations|process|node|\"level\": \"single\"")
raddle_add_mpi_run(
  locks.not-preloaded
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level single --plan ${plan}
  EXPECT "variant-unavailable.*the library that counts locks is not preloaded"
)
if(RADDLE_CORE)
  set(locks "${RADDLE_CORE}/bin/libraddle_locks.so")
else()
  set(locks "$<TARGET_FILE:raddle_locks>")
endif()
set(locks_of_single "[0.,]+.,\"switches\"") # none, in every sample
set(locks_of_multiple "[1-9]")
foreach(level single multiple)
  raddle_bench_plan(plan locks-${level} SETS "lock_operations|process|node|\"level\": \"${level}\"")
  raddle_add_mpi_run(
    locks.${level}
    PROCESSES 2
    COMMAND env LD_PRELOAD=${locks} $<TARGET_FILE:raddle-bench> --level ${level} --plan ${plan}
    EXPECT "\"metric\":\"locks\".*\"samples\":.${locks_of_${level}}.*\"rows\":1,\"errors\":0"
  )
endforeach()
