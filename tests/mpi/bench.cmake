# SPDX-License-Identifier: BSD-3-Clause
# Every benchmark in every variant and shape, with short samples: all rows are made, and none of them is damaged. What each
# is tried with, its file says (bench/suites); here is what the program refuses besides.

# raddle_add_bench_launch(<name> PROCESSES <n> LEVEL <level> PLAN <file> TIMEOUT <seconds> [ENV <setting>...] [ONCE]). A failed point is an exit
# status. A variant that this MPI lacks is skipped by name; with a library of ours nothing may be.
function(raddle_add_bench_launch name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROCESSES;LEVEL;PLAN;TIMEOUT" "ENV")
  raddle_options_given(once ONCE)
  raddle_add_mpi_run(
    ${raddle_title}.${name}
    PROCESSES ${arg_PROCESSES}
    COMMAND env ${arg_ENV} $<TARGET_FILE:${raddle_bench}> --level ${arg_LEVEL} --plan ${arg_PLAN}
    TIMEOUT ${arg_TIMEOUT}
    ${once}
  )
  if(arg_ENV MATCHES "LD_PRELOAD")
    set_tests_properties(
      ${raddle_title}.${name}.n${arg_PROCESSES}
      PROPERTIES FAIL_REGULAR_EXPRESSION "variant-unavailable"
    )
  endif()
endfunction()

# raddle_add_damaged_launch(<name> PROCESSES <n> LEVEL <level> PLAN <file> TIMEOUT <seconds> [ENV <setting>...]): what corrupt.cpp does to its
# messages of 1000 bytes must be noticed, and the point not timed.
function(raddle_add_damaged_launch name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROCESSES;LEVEL;PLAN;TIMEOUT" "ENV")
  raddle_add_mpi_run(
    ${raddle_title}.catches-corruption.${name}
    PROCESSES ${arg_PROCESSES}
    COMMAND env ${arg_ENV} $<TARGET_FILE:${raddle_corrupt}> --level ${arg_LEVEL} --plan ${arg_PLAN}
    EXPECT "\"code\":\"validation\".*bytes arrived wrong.*\"rows\":0,\"errors\":1"
    ONCE
  )
endfunction()

# raddle_try_benchmarks(<title> <folder> <program> <corrupt>): what the benchmarks in a folder of suites want tried, by that
# program, and by one over an MPI that damages messages. Tests of the former have names that begin with the title.
function(raddle_try_benchmarks raddle_title folder raddle_bench raddle_corrupt)
  set(script "${PROJECT_SOURCE_DIR}/tests/mpi/bench_runs.py")
  set(place "${CMAKE_CURRENT_BINARY_DIR}/plans/${raddle_title}")
  raddle_glob(files "${folder}/*/*.toml")
  set(table "${PROJECT_SOURCE_DIR}/raddle/catalogue.toml")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}" "${table}" ${files})
  file(MAKE_DIRECTORY "${place}")
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -E env "PYTHONPATH=${PROJECT_SOURCE_DIR}" "${RADDLE_PYTHON}" "${script}" "${place}" "${folder}"
    OUTPUT_FILE "${place}/launches.cmake"
    ERROR_VARIABLE said
    RESULT_VARIABLE failed
  )
  if(failed)
    message(WARNING "The tests of benchmarks are left out, for ${RADDLE_PYTHON} cannot plan them:\n${said}")
  else()
    include("${place}/launches.cmake")
  endif()
endfunction()

# The library that counts locks.
if(RADDLE_CORE)
  set(locks "${RADDLE_CORE}/bin/libraddle_locks.so")
else()
  set(locks "$<TARGET_FILE:raddle_locks>")
endif()
set(with_libraddle env LD_PRELOAD=$<TARGET_FILE:raddle>)
add_executable(bench-corrupt corrupt.cpp)
target_link_libraries(bench-corrupt PRIVATE raddle_bench_mpi)
raddle_try_benchmarks(bench "${PROJECT_SOURCE_DIR}/bench/suites" raddle-bench bench-corrupt)

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
