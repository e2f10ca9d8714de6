# SPDX-License-Identifier: BSD-3-Clause
# The proxy engine: the tests of endpoints, of the same sources, and what is its own. There are more contexts than CPUs,
# so nobody may spin. Needs what traffic.cmake defines.

# raddle_add_proxy_run(<name> PROCESSES <n>... PROXIES <each> COMMAND <program> <argument>... [EXPECT <regex>]
#   [TRIES <n>] [TIMEOUT <seconds>] [ENVIRONMENT <setting>...] [ONCE] [LONG]): the numbers are those of the program's processes.
function(raddle_add_proxy_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE;LONG" "EXPECT;TIMEOUT;PROXIES;TRIES" "PROCESSES;COMMAND;ENVIRONMENT")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 90)
  endif()
  set(long "")
  if(arg_LONG)
    set(long LONG)
  endif()
  set(tries "")
  if(arg_TRIES)
    set(tries TRIES ${arg_TRIES})
  endif()
  foreach(processes IN LISTS arg_PROCESSES)
    raddle_once(once ${processes})
    math(EXPR all "${processes} * (1 + ${arg_PROXIES})")
    raddle_add_mpi_run(
      proxy.${name}-of-${processes}
      PROCESSES ${all}
      COMMAND ${arg_COMMAND}
      ENVIRONMENT
        RADDLE_ENGINE=proxy
        RADDLE_PROXIES=${arg_PROXIES}
        RADDLE_PROXY_OVERSUBSCRIBE=1
        TEST_PROCESSES=${processes}
        ${arg_ENVIRONMENT}
      EXPECT "${arg_EXPECT}"
      TIMEOUT ${arg_TIMEOUT}
      ${tries}
      ALONE
      ${once}
      ${long}
    )
  endforeach()
endfunction()

if(GTest_FOUND)
  add_executable(proxy_test proxy_test.cpp)
  target_link_libraries(proxy_test PRIVATE raddle)
  raddle_use_mpi_gtest(proxy_test)
  raddle_add_proxy_run(
    own
    PROCESSES 1 2
    PROXIES 2
    COMMAND $<TARGET_FILE:proxy_test>
    ENVIRONMENT RADDLE_PROXY_HEAP=16
  )
  raddle_add_proxy_run(
    own.async
    PROCESSES 1
    PROXIES 2
    COMMAND $<TARGET_FILE:proxy_test>
    ENVIRONMENT RADDLE_PROXY_HEAP=16 RADDLE_PROXY_PROGRESS=async
    ONCE
  )
  # A program that calls MPI_Init, and knows nothing of Raddle.
  raddle_add_proxy_run(
    program
    PROCESSES 2
    PROXIES 1
    COMMAND $<TARGET_FILE:interpose_linked>
    EXPECT "all good"
  )
  foreach(name collectives_test communicators_test endpoints_test intercommunicators_test)
    raddle_add_proxy_run(${name} PROCESSES 1 2 PROXIES 4 COMMAND $<TARGET_FILE:${name}>)
  endforeach()
  # Above the engine, whose MPI is no matter to it.
  foreach(
    name
    adopt_test
    groups_test
    sessions_test
    long_collectives_test
    topologies_test
    windows_test
    files_test
  )
    raddle_add_proxy_run(${name} PROCESSES 1 2 PROXIES 4 COMMAND $<TARGET_FILE:${name}> ONCE)
  endforeach()
  raddle_add_proxy_run(sparse PROCESSES 1 PROXIES 2 COMMAND $<TARGET_FILE:sparse_test> ONCE)
  raddle_add_proxy_run(sparse PROCESSES 2 PROXIES 2 COMMAND $<TARGET_FILE:sparse_test> ONCE LONG)
  foreach(direct 0 1)
    if(direct)
      set(how ONCE)
    else()
      set(how ONCE LONG)
    endif()
    raddle_add_proxy_run(
      partitioned.direct-${direct}
      PROCESSES 2
      PROXIES 2
      COMMAND $<TARGET_FILE:partitioned_test>
      ENVIRONMENT RADDLE_PART_DIRECT=${direct}
      ${how}
    )
  endforeach()
endif()

set(
  random
  COMMAND
  $<TARGET_FILE:traffic>
  --patience
  20
  --endpoints
  --seconds
  2
)
raddle_add_proxy_run(traffic PROCESSES 1 2 PROXIES 2 ${random} --threads 2)
raddle_add_proxy_run(traffic.shared PROCESSES 1 PROXIES 2 ${random} --threads 2 --sharing 2 ONCE)
raddle_add_proxy_run(traffic.uneven PROCESSES 3 PROXIES 2 ${random} --threads 2 --uneven ONCE)
set(
  random
  COMMAND
  $<TARGET_FILE:collectives_random>
  --patience
  20
  --endpoints
  --derived
  --topologies
  --seconds
  3
)
raddle_add_proxy_run(collectives PROCESSES 1 2 PROXIES 2 ${random} --threads 2)
raddle_add_proxy_run(collectives.uneven PROCESSES 3 PROXIES 2 ${random} --threads 2 --uneven ONCE)

set(
  random
  COMMAND
  $<TARGET_FILE:sparse_random>
  --patience
  20
  --endpoints
  --threads
  2
  --seconds
  3
)
raddle_add_proxy_run(sparse.random PROCESSES 1 2 PROXIES 2 ${random})
raddle_add_proxy_run(sparse.random.uneven PROCESSES 3 PROXIES 2 ${random} --uneven ONCE)

# A process without room for what making endpoints needs: an error on all, and nobody waits.
add_executable(proxy_heap_full proxy_heap_full.c)
target_link_libraries(proxy_heap_full PRIVATE raddle MPI::MPI_C)
raddle_add_proxy_run(
  heap-full
  PROCESSES 2
  PROXIES 1
  COMMAND $<TARGET_FILE:proxy_heap_full>
  ENVIRONMENT RADDLE_PROXY_HEAP=1
  TIMEOUT 20
)
# Proxies are told of the end of their process.
foreach(way goes-on ends)
  raddle_add_proxy_run(
    with-session.${way}
    PROCESSES 2
    PROXIES 1
    COMMAND $<TARGET_FILE:endpoints_with_session> ${way}
    ENVIRONMENT
    EXPECT "endpoints_with_session: all good"
  )
  set_tests_properties(
    proxy.with-session.${way}-of-2.n4
    PROPERTIES FAIL_REGULAR_EXPRESSION "has ended before MPI_Finalize"
  )
endforeach()
raddle_add_proxy_run(at-finalize PROCESSES 2 PROXIES 2 COMMAND $<TARGET_FILE:endpoints_at_finalize>)

# The job ends, whoever dies; nobody waits for ever.
foreach(
  way
  "is killed"
  "exits"
  "exits at once"
  "aborts"
  "loses its proxy"
)
  string(REPLACE " " "-" name "${way}")
  raddle_add_proxy_run(
    process-${name}
    PROCESSES 2
    PROXIES 1
    COMMAND $<TARGET_FILE:endpoints_fault> "${way}"
    EXPECT "process 1: ${way}"
    TIMEOUT 20
  )
  set_tests_properties(proxy.process-${name}-of-2.n4 PROPERTIES FAIL_REGULAR_EXPRESSION "still here")
endforeach()

# Who died is said before the launcher ends all, or it is quicker now and then: not five times.
foreach(way "is killed" "loses its proxy")
  string(REPLACE " " "-" name "${way}")
  set(told "endpoint 0.* has ended before MPI_Finalize")
  add_test(
    NAME proxy.tells-of-a-process-that-${name}
    COMMAND
      sh -c "for i in 1 2 3 4 5; do \"$@\" 2>&1 | grep -a '${told}' && exit 0; done; echo nobody said it; exit 1" sh env
      RADDLE_ENGINE=proxy RADDLE_PROXIES=1 RADDLE_PROXY_OVERSUBSCRIBE=1 ${MPIEXEC_EXECUTABLE} ${MPIEXEC_PREFLAGS}
      ${MPIEXEC_NUMPROC_FLAG} 4 $<TARGET_FILE:endpoints_fault> "${way}"
  )
  raddle_mpi_test_properties(proxy.tells-of-a-process-that-${name} 4 ALONE)
endforeach()

# The MPI of the proxies alone fails: their endpoints are told, or the job ends by the name of what has failed. A
# receive is an MPI_Iprobe and an MPI_Imrecv where the MPI cannot cut messages that are too long.
set(ends "of the MPI has failed: .*Ending the job")
foreach(
  failing
  "None|collectives|all: well"
  "None|together|all: well"
  "Comm_create_group|collectives|create: failed"
  "Comm_dup|collectives|create: failed"
  "Iallreduce|collectives|allreduce: failed"
  "Test|collectives|allreduce: failed"
  "Isend|collectives|a proxy's MPI refused a send.*Ending the job|isend: failed|wait: failed"
  "Issend|together|waitall: failed"
  "Testsome|together|MPI_Testsome ${ends}"
  "Irecv+Imrecv|together|recv: failed"
  "Irecv+Iprobe|together|recv: failed|MPI_Iprobe ${ends}"
)
  raddle_columns("${failing}" call calls expected)
  raddle_add_proxy_run(
    failing.${calls}.${call}
    PROCESSES 2
    PROXIES 1
    COMMAND $<TARGET_FILE:failing_calls> ${calls}
    ENVIRONMENT
      LD_PRELOAD=$<TARGET_FILE:failing_mpi>
      FAILING_CALL=${call}
      FAILING_IN=raddle-proxy
    EXPECT "${expected}"
    TRIES 2
    TIMEOUT 20
  )
endforeach()

# What cannot begin says why.
raddle_add_proxy_run(
  no-cores-left
  PROCESSES 1
  PROXIES 2
  COMMAND env -u RADDLE_PROXY_OVERSUBSCRIBE RADDLE_PROXY_CPUS=0 $<TARGET_FILE:endpoints_fault> aborts
  EXPECT "2 proxies of a node need a core each, and there are 1 CPUs in RADDLE_PROXY_CPUS=0"
)
raddle_add_mpi_run(
  proxy.wrong-number
  PROCESSES 3
  COMMAND env RADDLE_ENGINE=proxy RADDLE_PROXIES=1 RADDLE_PROXY_OVERSUBSCRIBE=1 $<TARGET_FILE:endpoints_fault> aborts
  EXPECT "each process of the program comes with 1 proxies behind it"
)

# Proxies that the program's processes spawn; refused by name where that crashes the MPI.
# raddle_add_spawning_run(<name> PROXIES <each> EXPECT <regex> COMMAND <program> <argument>...): of 2 processes
function(raddle_add_spawning_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPECT;PROXIES" "COMMAND")
  raddle_add_spawning_test(
    proxy.spawned.${name}
    PROCESSES 6
    COMMAND
      env
      RADDLE_ENGINE=proxy
      RADDLE_PROXY_START=spawn
      RADDLE_PROXIES=${arg_PROXIES}
      RADDLE_PROXY_OVERSUBSCRIBE=1
      ${arg_COMMAND}
    EXPECT "${arg_EXPECT}|MPI_Comm_spawn crashes with intel MPI"
  )
endfunction()
raddle_add_spawning_run(halo PROXIES 2 COMMAND $<TARGET_FILE:halo> 2 EXPECT "4 ranks, 300 steps: as one rank computes it")
raddle_add_spawning_run(
  collectives
  PROXIES 2
  COMMAND
    $<TARGET_FILE:collectives_random> --patience 20 --endpoints --derived --topologies --seconds 2 --threads 2
  EXPECT "collectives: all well"
)
foreach(way "is killed" "loses its proxy")
  string(REPLACE " " "-" name "${way}")
  raddle_add_spawning_run(
    process-${name}
    PROXIES 1
    COMMAND $<TARGET_FILE:endpoints_fault> "${way}"
    EXPECT "process 1: ${way}"
  )
endforeach()
if(GTest_FOUND)
  raddle_add_spawning_run(endpoints PROXIES 4 COMMAND $<TARGET_FILE:endpoints_test> EXPECT "PASSED")
endif()
# Where libraddle is preloaded the launcher preloads it into what is spawned as well.
raddle_add_spawning_run(
  preloaded
  PROXIES 2
  COMMAND env LD_PRELOAD=$<TARGET_FILE:raddle> $<TARGET_FILE:halo> 2
  EXPECT "4 ranks, 300 steps: as one rank computes it"
)
