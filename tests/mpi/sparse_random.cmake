# SPDX-License-Identifier: BSD-3-Clause
# Random sparse exchanges against a sequential model, on processes and on endpoints; and with libraries that misbehave, which
# try the judge. Needs what sparse.cmake defines.
raddle_add_episode_objects(sparse_random_objects
  sparse_random/call.cpp
  sparse_random/main.cpp
  sparse_random/plan.cpp
  sparse_random/rank.cpp
)

add_executable(sparse_random)
target_link_libraries(sparse_random PRIVATE raddle sparse_random_objects raddle_options)
set_target_properties(sparse_random PROPERTIES LINKER_LANGUAGE CXX)
raddle_add_random_run(sparse.random.processes PROGRAM sparse_random PROCESSES 1 2 3 4 ARGUMENTS --seconds 3)
raddle_add_random_run(sparse.random.threads PROGRAM sparse_random PROCESSES 2 ARGUMENTS --contexts threads --threads 2 --seconds 3 ONCE)
raddle_add_random_run(sparse.random.endpoints PROGRAM sparse_random PROCESSES 1 2 ARGUMENTS --endpoints --threads 2 --seconds 3)
raddle_add_random_run(sparse.random.endpoints.four PROGRAM sparse_random PROCESSES 1 ARGUMENTS --endpoints --threads 4 --seconds 3 ONCE)
raddle_add_random_run(sparse.random.endpoints.uneven PROGRAM sparse_random PROCESSES 3 ARGUMENTS --endpoints --uneven --threads 2 --seconds 3 ONCE)
raddle_add_random_run(
  sparse.random.processes.between-nodes
  PROGRAM sparse_random
  PROCESSES 3
  ENVIRONMENT RADDLE_NODE=rank
  ARGUMENTS --seconds 3 --seed 2 ONCE
)
raddle_add_random_run(
  sparse.random.endpoints.between-nodes
  PROGRAM sparse_random
  PROCESSES 2
  ENVIRONMENT RADDLE_NODE=rank
  ARGUMENTS --endpoints --threads 2 --seconds 3 --seed 2
)
raddle_add_random_run(
  sparse.random.processes.one-lane
  PROGRAM sparse_random
  PROCESSES 3
  ENVIRONMENT RADDLE_SPARSE_LANES=1
  ARGUMENTS --seconds 3 --seed 3 ONCE
)

# A fault in the library must be found.
set(message "message [0-9]+(, from [0-9]+)?(:|,)? ")
set(without-empty "blocking,[^\n]*: (there are [0-9]+ messages, not|${message}(has|is from|word))")
set(late "blocking,[^\n]*: (there are [0-9]+ messages, not|${message}(has|is from|word))")
set(doubling "blocking,[^\n]*: (there are [0-9]+ messages, not|${message}(has|is from|word))")
set(overtaking "blocking,[^\n]*: ${message}(has [0-9]+ words, not|word [0-9]+ of [0-9]+ is wrong)")
set(wrong-source "blocking,[^\n]*: (messages are not sorted|${message}(has|is from|word))")
set(flipped "blocking,[^\n]*: ${message}word [0-9]+ of [0-9]+ is wrong")
set(unsorted "blocking,[^\n]*: messages are not sorted by source")
set(losing "nonblocking,[^\n]*: (there are [0-9]+ messages, not|${message}(has|is from|word))")
set(stale "persistent,[^\n]*: ${message}word [0-9]+ of [0-9]+ is wrong")
set(mixed-answers "ask,[^\n]*: answer [0-9]+(, from [0-9]+)?,? is (wrong|from)")
set(short "each,[^\n]*: ${message}has [0-9]+ words, not")
foreach(
  fault
  IN
  ITEMS without-empty late doubling overtaking wrong-source flipped unsorted losing stale mixed-answers short
)
  string(REPLACE - _ file ${fault})
  add_executable(sparse-${fault} sparse_random/faults/${file}.cpp)
  target_link_libraries(sparse-${fault} PRIVATE raddle sparse_random_objects raddle_options ${CMAKE_DL_LIBS})
  raddle_add_fault_run(sparse.random.catches-${fault} PROGRAM sparse-${fault} EXPECT "sparse: seed 1, [^\n]*(${${fault}})")
endforeach()

# The same for the judge of sparse_rounds.
add_executable(sparse_rounds-late sparse_rounds.cpp sparse_random/faults/late.cpp)
target_include_directories(sparse_rounds-late PRIVATE "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(sparse_rounds-late PRIVATE raddle raddle_options MPI::MPI_C ${CMAKE_DL_LIBS})
foreach(way blocking threads)
  raddle_add_mpi_run(
    sparse.rounds.catches-late.${way}
    PROCESSES 2
    COMMAND $<TARGET_FILE:sparse_rounds-late> ${way} 2000
    EXPECT "sparse_rounds: ${way}, 2000: [0-9]+ messages, [1-9][0-9]* wrong"
  )
endforeach()
