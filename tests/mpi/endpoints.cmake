# SPDX-License-Identifier: BSD-3-Clause
# Endpoints as programs see them: what is made and what is made of it, and how a job ends when a process with endpoints does.
if(GTest_FOUND)
  raddle_add_mpi_test(
    endpoints_test
    SOURCES buffers_test.cpp callbacks_test.cpp endpoints_test.cpp freed_endpoints_test.cpp operators_test.cpp
    PROCESSES 1 2 3
  )
  raddle_add_mpi_test(communicators_test SOURCES communicators_test.cpp communicators_of_some_test.cpp PROCESSES 1 2 3)
  raddle_add_mpi_test(groups_test SOURCES groups_test.cpp PROCESSES 1 2 3)
  raddle_add_mpi_test(topologies_test SOURCES topologies_test.cpp graphs_test.cpp neighbours_test.cpp PROCESSES 1 2 3)
  raddle_add_mpi_test(
    windows_test
    SOURCES windows_attributes_test.cpp windows_errors_test.cpp windows_memory_test.cpp windows_test.cpp
    PROCESSES 1 2 3
  )
  raddle_add_mpi_test(
    intercommunicators_test
    SOURCES
      intercommunicators_collectives_test.cpp
      intercommunicators_errors_test.cpp
      intercommunicators_origins_test.cpp
      intercommunicators_test.cpp
    PROCESSES 1 2 3
  )
  raddle_add_mpi_test(files_test SOURCES files_random_test.cpp files_test.cpp files_whole_test.cpp PROCESSES 1 2 3)
  raddle_add_mpi_test(adopt_test SOURCES adopt_test.cpp PROCESSES 1 2 3)
  raddle_add_mpi_test(sessions_test SOURCES sessions_test.cpp PROCESSES 1 2 3)
  foreach(
    name
    endpoints_test
    communicators_test
    groups_test
    topologies_test
    windows_test
    intercommunicators_test
    files_test
    adopt_test
    sessions_test
  )
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  endforeach()
  raddle_add_mpi_run(
    endpoints.between-nodes
    PROCESSES 2
    COMMAND $<TARGET_FILE:endpoints_test>
    ENVIRONMENT RADDLE_NODE=rank
  )
  raddle_add_mpi_run(
    communicators.between-nodes
    PROCESSES 2 3
    COMMAND $<TARGET_FILE:communicators_test>
    ENVIRONMENT RADDLE_NODE=rank
  )
  # As the MPI has processes of other nodes.
  raddle_add_mpi_run(
    communicators.by-network
    PROCESSES 2 3
    COMMAND $<TARGET_FILE:communicators_test>
    ENVIRONMENT RADDLE_NODE=rank ${RADDLE_BY_NETWORK}
  )
  raddle_add_mpi_run(
    topologies.between-nodes
    PROCESSES 2 3
    COMMAND $<TARGET_FILE:topologies_test>
    ENVIRONMENT RADDLE_NODE=rank
  )
  raddle_add_mpi_run(
    windows.between-nodes
    PROCESSES 2 3
    COMMAND $<TARGET_FILE:windows_test>
    ENVIRONMENT RADDLE_NODE=rank
  )
  raddle_add_mpi_run(files.between-nodes PROCESSES 2 3 COMMAND $<TARGET_FILE:files_test> ENVIRONMENT RADDLE_NODE=rank)
  raddle_add_mpi_run(
    intercommunicators.between-nodes
    PROCESSES 2 3
    COMMAND $<TARGET_FILE:intercommunicators_test>
    ENVIRONMENT RADDLE_NODE=rank
  )
  raddle_add_mpi_run(adopt.between-nodes PROCESSES 2 3 COMMAND $<TARGET_FILE:adopt_test> ENVIRONMENT RADDLE_NODE=rank)
  raddle_add_mpi_run(
    sessions.between-nodes
    PROCESSES 2 3
    COMMAND $<TARGET_FILE:sessions_test>
    ENVIRONMENT RADDLE_NODE=rank
  )
  raddle_add_mpi_run(
    intercommunicators.of-two-threads
    PROCESSES 4
    COMMAND $<TARGET_FILE:intercommunicators_test> --gtest_filter=*CallsOfTwoThreads*
  )
  raddle_add_mpi_run(
    intercommunicators.no-single-copy
    PROCESSES 2
    COMMAND $<TARGET_FILE:intercommunicators_test>
    ENVIRONMENT RADDLE_SINGLE_COPY=off
    ONCE
  )
  raddle_add_mpi_run(
    windows.no-single-copy
    PROCESSES 2
    COMMAND $<TARGET_FILE:windows_test>
    ENVIRONMENT RADDLE_SINGLE_COPY=off
    ONCE
  )
  raddle_add_mpi_run(
    communicators.many
    PROCESSES 2
    COMMAND $<TARGET_FILE:communicators_test> --gtest_also_run_disabled_tests --gtest_filter=*ForLong
    TIMEOUT 300
    LONG
  )
  raddle_add_mpi_run(
    endpoints.no-single-copy
    PROCESSES 2
    COMMAND $<TARGET_FILE:endpoints_test>
    ENVIRONMENT RADDLE_SINGLE_COPY=off
    ONCE
  )
  raddle_add_mpi_test(collectives_test SOURCES collectives_test.cpp PROCESSES 1 2 3)
  set(long_collectives long_collectives_test.cpp long_reductions_test.cpp)
  raddle_add_mpi_test(long_collectives_test SOURCES ${long_collectives} PROCESSES 1 2 3)
  # They look at hundreds of megabytes.
  set_source_files_properties(${long_collectives} PROPERTIES COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
  raddle_add_mpi_run(
    long-collectives.between-nodes
    PROCESSES 2 3
    COMMAND $<TARGET_FILE:long_collectives_test>
    ENVIRONMENT RADDLE_NODE=rank
    ONCE
  )
  raddle_add_mpi_run(
    long-collectives.no-single-copy
    PROCESSES 2
    COMMAND $<TARGET_FILE:long_collectives_test>
    ENVIRONMENT RADDLE_SINGLE_COPY=off
    ONCE
  )
endif()

# The launcher, the MPI or Raddle ends the job; nobody waits for ever.
add_executable(endpoints_fault endpoints_fault.c)
target_link_libraries(endpoints_fault PRIVATE raddle MPI::MPI_C)
foreach(way "is killed" "exits" "exits at once" "aborts")
  string(REPLACE " " "-" name "${way}")
  raddle_add_mpi_run(
    endpoints.process-${name}
    PROCESSES 3
    COMMAND $<TARGET_FILE:endpoints_fault> "${way}"
    EXPECT "process 1: ${way}"
    TIMEOUT 20
  )
  set_tests_properties(endpoints.process-${name}.n3 PROPERTIES FAIL_REGULAR_EXPRESSION "still here")
endforeach()

foreach(way "exits with 3" aborts) # Intel MPI's launcher may end by SIGPIPE
  string(REPLACE " " "-" name "${way}")
  raddle_add_mpi_run(
    endpoints.status-${name}
    PROCESSES 2
    COMMAND $<TARGET_FILE:endpoints_fault> "${way}"
    EXPECT "process 1: ${way}.*launcher: (3|141)\n"
    TIMEOUT 20
  )
endforeach()

add_executable(endpoints_at_finalize endpoints_at_finalize.c)
target_link_libraries(endpoints_at_finalize PRIVATE raddle MPI::MPI_C)
raddle_add_mpi_run(endpoints.at-finalize PROCESSES 1 2 COMMAND $<TARGET_FILE:endpoints_at_finalize>)
raddle_add_mpi_run(
  endpoints.at-finalize-between-nodes
  PROCESSES 2
  COMMAND $<TARGET_FILE:endpoints_at_finalize>
  ENVIRONMENT RADDLE_NODE=rank
)

add_executable(endpoints_with_session endpoints_with_session.c)
target_link_libraries(endpoints_with_session PRIVATE raddle MPI::MPI_C)
add_executable(endpoints_in_global endpoints_in_global.cpp)
target_link_libraries(endpoints_in_global PRIVATE raddle)
raddle_add_mpi_run(
  endpoints.in-global
  PROCESSES 1
  COMMAND $<TARGET_FILE:endpoints_in_global>
  EXPECT "endpoints_in_global: all good"
)
add_executable(endpoints_of_two_worlds endpoints_of_two_worlds.c)
target_link_libraries(endpoints_of_two_worlds PRIVATE raddle MPI::MPI_C)
raddle_add_spawning_test(
  endpoints.of-two-worlds
  PROCESSES 4
  COMMAND $<TARGET_FILE:endpoints_of_two_worlds>
  EXPECT "endpoints_of_two_worlds: (all good|MPI_Comm_spawn crashes)"
)

# Endpoints between nodes need MPI_THREAD_MULTIPLE, whatever the program asks for, unless its user says otherwise.
add_executable(thread_level thread_level.c)
target_link_libraries(thread_level PRIVATE raddle MPI::MPI_C)
raddle_add_mpi_run(thread-level.raised PROCESSES 1 COMMAND $<TARGET_FILE:thread_level> EXPECT "thread level: multiple")
raddle_add_mpi_run(
  thread-level.left
  PROCESSES 1
  COMMAND $<TARGET_FILE:thread_level>
  ENVIRONMENT RADDLE_THREAD_LEVEL=program
  EXPECT "thread level: what the program asked for"
)

# So do collectives of several processes: the threads of all their endpoints may have to call the MPI.
add_executable(collectives_level collectives_level.c)
target_link_libraries(collectives_level PRIVATE raddle MPI::MPI_C)
raddle_add_mpi_run(
  collectives.thread-level-too-low
  PROCESSES 2
  COMMAND $<TARGET_FILE:collectives_level>
  ENVIRONMENT RADDLE_THREAD_LEVEL=program
  EXPECT "barrier: .*need MPI_THREAD_MULTIPLE"
)

# Endpoints beside messages of the MPI's own, of which a program may wait for either while the other has to go on.
add_executable(native_progress native_progress.c)
target_link_libraries(native_progress PRIVATE raddle MPI::MPI_C)
set(all_well "native progress: all well")
foreach(what polling blocked computing)
  raddle_add_mpi_run(
    native-progress.${what}
    PROCESSES 2
    COMMAND $<TARGET_FILE:native_progress> ${what}
    EXPECT "${all_well}"
  )
  raddle_add_mpi_run(
    native-progress.${what}.between-nodes
    PROCESSES 2
    COMMAND $<TARGET_FILE:native_progress> ${what}
    ENVIRONMENT RADDLE_NODE=rank
    EXPECT "${all_well}"
  )
endforeach()
raddle_add_mpi_run(
  native-progress.blocked.in-parts
  PROCESSES 2
  COMMAND $<TARGET_FILE:native_progress> blocked
  ENVIRONMENT RADDLE_SINGLE_COPY=off
  EXPECT "${all_well}"
)
raddle_add_mpi_run(
  native-progress.polling.funneled
  PROCESSES 2
  COMMAND $<TARGET_FILE:native_progress> polling funneled
  ENVIRONMENT RADDLE_THREAD_LEVEL=program
  EXPECT "${all_well}"
)

add_executable(watchdog_polling watchdog_polling.c)
target_link_libraries(watchdog_polling PRIVATE raddle MPI::MPI_C)
raddle_add_mpi_run(
  watchdog.polling
  PROCESSES 1
  COMMAND $<TARGET_FILE:watchdog_polling>
  ENVIRONMENT RADDLE_WATCHDOG=0.2
  EXPECT "watchdog: all well"
)

# Each allocation fails in turn. The program's operator new is the library's as well.
add_executable(no_memory no_memory.cpp)
target_link_libraries(no_memory PRIVATE raddle MPI::MPI_C)
raddle_add_mpi_run(no-memory PROCESSES 1 COMMAND $<TARGET_FILE:no_memory> EXPECT "no memory: all good")

# The same where others wait: a process forked for each allocation, which not all MPIs survive. What is tried is not the
# MPI.
add_executable(no_memory_together no_memory_together.cpp)
target_link_libraries(no_memory_together PRIVATE raddle MPI::MPI_C Threads::Threads)
set(quick allreduce create dup lanes) # each way of it: all others are in `make test-long`
foreach(
  call
  bcast
  allreduce
  alltoall
  iallgather
  allreduce_init
  dup
  idup
  split
  neighbours
  exchange
  iexchange
  lanes
  create
)
  if(call IN_LIST quick)
    set(how ONCE)
  else()
    set(how ONCE LONG)
  endif()
  raddle_add_mpi_run(
    no-memory.${call}
    PROCESSES 1
    COMMAND $<TARGET_FILE:no_memory_together> ${call}
    EXPECT "no memory together: all good"
    ${how}
  )
endforeach()

# An MPI whose calls fail behind libraddle, where others wait: an error of the call, or the end of the job by the name of
# what has failed.
add_library(failing_mpi SHARED failing_mpi.cpp)
target_link_libraries(failing_mpi PRIVATE MPI::MPI_C ${CMAKE_DL_LIBS})
add_executable(failing_calls failing_calls.cpp)
target_link_libraries(failing_calls PRIVATE raddle MPI::MPI_C)
set(ends "of the MPI has failed: .*Ending the job")
foreach(
  failing
  "None|collectives|all: well"
  "Iallreduce|collectives|allreduce: failed"
  "Iallgatherv|collectives|allgather: failed"
  "Test|collectives|(allreduce: failed|MPI_Test ${ends})"
  "Isend|collectives|(isend|wait|create): failed|MPI_Isend ${ends}"
  "Comm_split_type|collectives|create: failed"
  "None|sparse nbx|all: well"
  "Issend|sparse nbx|exchange: failed"
  "Ibarrier|sparse nbx|exchange: failed"
  "Isend|sparse pcx|exchange: failed"
  "Start|sparse nbx|start: failed"
  "None|lanes|all: well"
  "Comm_dup_with_info|lanes|lanes: failed"
)
  raddle_columns("${failing}" call words expected)
  separate_arguments(words UNIX_COMMAND "${words}")
  string(REPLACE ";" "-" name "${words}")
  raddle_add_mpi_run(
    failing.${name}.${call}
    PROCESSES 2
    COMMAND
      env
      LD_PRELOAD=$<TARGET_FILE:raddle>:$<TARGET_FILE:failing_mpi>
      FAILING_CALL=${call}
      $<TARGET_FILE:failing_calls>
      ${words}
    ENVIRONMENT RADDLE_NODE=rank
    EXPECT "${expected}"
    TRIES 2
    TIMEOUT 30
  )
endforeach()
