# SPDX-License-Identifier: BSD-3-Clause
# Sparse exchanges as programs see them: the same tests on processes and on endpoints, by each algorithm, and between what
# passes for nodes. Needs what traffic.cmake defines.
include(RaddleSparseAlgorithms)
raddle_sparse_algorithms(sparse_algorithms)
raddle_sparse_algorithms(sparse_algorithms_of_endpoints WITHOUT windows)

if(GTest_FOUND)
  add_executable(
    sparse_test
    sparse_algorithms_test.cpp
    sparse_ask_test.cpp
    sparse_communicators_test.cpp
    sparse_counts_test.cpp
    sparse_each_test.cpp
    sparse_errors_test.cpp
    sparse_messages_test.cpp
    sparse_nonblocking_test.cpp
    sparse_persistent_test.cpp
    sparse_threads_test.cpp
    sparse_types_test.cpp
  )
  target_include_directories(sparse_test PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(sparse_test PRIVATE raddle)
  raddle_use_mpi_gtest(sparse_test)
  set(of_processes $<TARGET_FILE:sparse_test> --gtest_filter=Processes/*)
  set(of_endpoints $<TARGET_FILE:sparse_test> --gtest_filter=Endpoints/*)

  raddle_add_mpi_run(sparse.processes PROCESSES 1 2 3 COMMAND ${of_processes} ALONE)
  raddle_add_mpi_run(sparse.processes.more PROCESSES 4 COMMAND ${of_processes} ALONE LONG)
  raddle_add_mpi_run(sparse.endpoints PROCESSES 1 2 COMMAND ${of_endpoints} ALONE)
  raddle_add_mpi_run(sparse.endpoints.four PROCESSES 1 COMMAND ${of_endpoints} ALONE ENVIRONMENT TEST_ENDPOINTS=4 ONCE)
  raddle_add_mpi_run(
    sparse.endpoints.uneven
    PROCESSES 3
    COMMAND ${of_endpoints}
    ALONE
    ENVIRONMENT TEST_ENDPOINTS=uneven
    LONG
  )
  # Each algorithm where a test asks for none, in all forms of the call.
  foreach(algorithm IN LISTS sparse_algorithms)
    set(environment RADDLE_SPARSE_ALGORITHM=${algorithm})
    raddle_add_mpi_run(
      sparse.processes.${algorithm}
      PROCESSES 3
      COMMAND ${of_processes}
      ALONE
      ENVIRONMENT ${environment}
      LONG
    )
    if(algorithm IN_LIST sparse_algorithms_of_endpoints)
      raddle_add_mpi_run(
        sparse.endpoints.${algorithm}
        PROCESSES 2
        COMMAND ${of_endpoints}
        ALONE
        ENVIRONMENT ${environment}
        LONG
      )
    endif()
  endforeach()
  raddle_add_mpi_run(
    sparse.processes.one-lane
    PROCESSES 3
    COMMAND ${of_processes}
    ALONE
    ENVIRONMENT RADDLE_SPARSE_LANES=1 RADDLE_SPARSE_SORTED=1
    LONG
  )
  raddle_add_mpi_run(
    sparse.endpoints.one-lane
    PROCESSES 2
    COMMAND ${of_endpoints}
    ALONE
    ENVIRONMENT RADDLE_SPARSE_LANES=1 RADDLE_SPARSE_RADIX=2
    LONG
  )
  raddle_add_mpi_run(
    sparse.processes.between-nodes
    PROCESSES 4
    COMMAND ${of_processes}
    ALONE
    ENVIRONMENT RADDLE_NODE=rank
    LONG
  )
  raddle_add_mpi_run(
    sparse.endpoints.between-nodes
    PROCESSES 2
    COMMAND ${of_endpoints}
    ALONE
    ENVIRONMENT RADDLE_NODE=rank
  )
  # A process with two ranks on the one node, and with one on the other.
  raddle_add_mpi_run(
    sparse.endpoints.between-uneven-nodes
    PROCESSES 3
    COMMAND $<TARGET_FILE:sparse_test> --gtest_filter=Endpoints/SparseAlgorithms.*:Endpoints/SparseCommunicators.*
    ALONE
    ENVIRONMENT RADDLE_NODE=rank TEST_ENDPOINTS=uneven
    ONCE
  )
  raddle_add_mpi_run(
    sparse.no-single-copy
    PROCESSES 2
    COMMAND $<TARGET_FILE:sparse_test>
    ALONE
    ENVIRONMENT RADDLE_SINGLE_COPY=off
    LONG
  )

  set(long $<TARGET_FILE:sparse_test> --gtest_also_run_disabled_tests)
  raddle_add_mpi_run(
    sparse.communicators.many
    PROCESSES 2
    COMMAND ${long} --gtest_filter=*AreMadeAndFreedForLong*
    ALONE
    TIMEOUT 300
    LONG
  )
  # 2.2 GiB, and several times that in all.
  cmake_host_system_information(RESULT memory QUERY AVAILABLE_PHYSICAL_MEMORY)
  if(memory GREATER 12000)
    foreach(ranks Processes Endpoints)
      raddle_add_mpi_run(
        sparse.counts.large.${ranks}
        PROCESSES 2
        COMMAND ${long} --gtest_filter=${ranks}/*OfBytesMayExceedAnInt*
        ALONE
        ENVIRONMENT RADDLE_SPARSE_ALGORITHM=nbx
        TIMEOUT 300
        LONG
      )
    endforeach()
  endif()
  foreach(setting SPARSE_ALGORITHM=best SPARSE_LANES=0 SPARSE_RADIX=1 SPARSE_SORTED=yes)
    string(REPLACE "=" " is '" told "${setting}'")
    raddle_add_mpi_run(
      sparse.bad-setting.${setting}
      ONCE
      PROCESSES 1
      COMMAND $<TARGET_FILE:sparse_test>
      ENVIRONMENT RADDLE_${setting}
      EXPECT "raddle: RADDLE_${told}. valid: "
    )
  endforeach()
endif()

# The level that the program asks for, and no other.
add_executable(sparse_funneled sparse_funneled.c)
target_link_libraries(sparse_funneled PRIVATE raddle MPI::MPI_C)
foreach(level single funneled serialized)
  raddle_add_mpi_run(
    sparse.thread-level.${level}
    PROCESSES 1 3
    COMMAND $<TARGET_FILE:sparse_funneled> ${level}
    ENVIRONMENT RADDLE_THREAD_LEVEL=program
    EXPECT "sparse_funneled: all good\n"
  )
endforeach()

# Ranks that nothing keeps in step. The counts of issue 8 take minutes: sparse_rounds.cpp says how to run them.
add_executable(sparse_rounds sparse_rounds.cpp)
target_include_directories(sparse_rounds PRIVATE "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(sparse_rounds PRIVATE raddle raddle_options MPI::MPI_C)
foreach(way blocking nonblocking endpoints)
  raddle_add_mpi_run(
    sparse.rounds.${way}
    PROCESSES 2 4
    COMMAND $<TARGET_FILE:sparse_rounds> ${way} 2000
    EXPECT "sparse_rounds: ${way}, 2000: [0-9]+ messages, 0 wrong"
  )
endforeach()
raddle_add_mpi_run(
  sparse.rounds.threads
  PROCESSES 2
  COMMAND $<TARGET_FILE:sparse_rounds> threads 20000
  EXPECT "sparse_rounds: threads, 20000: [0-9]+ messages, 0 wrong"
)
