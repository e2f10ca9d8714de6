# SPDX-License-Identifier: BSD-3-Clause
# Random sequences of collective operations, compared with a sequential model: on the MPI's processes, which tries the
# judge, on MPIs that misbehave, which tries it the other way, and on endpoints. Needs what traffic.cmake defines.
add_library(
  collectives_random_model
  STATIC
  collectives_random/elements.cpp
  collectives_random/exceptions.cpp
  collectives_random/forms.cpp
  collectives_random/operators.cpp
  collectives_random/plan.cpp
  collectives_random/script.cpp
  collectives_random/shape.cpp
  collectives_random/topologies.cpp
  traffic/failure.cpp
)
target_include_directories(collectives_random_model PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(collectives_random_model PUBLIC raddle_bench_core MPI::MPI_C)

add_library(
  collectives_random_objects
  OBJECT
  collectives_random/base.cpp
  collectives_random/buffer.cpp
  collectives_random/completion.cpp
  collectives_random/entered.cpp
  collectives_random/families.cpp
  collectives_random/main.cpp
  collectives_random/operation.cpp
  collectives_random/options.cpp
  collectives_random/rank.cpp
  traffic/communicators.cpp
  traffic/meeting.cpp
)
target_link_libraries(collectives_random_objects PUBLIC collectives_random_model)

add_executable(collectives_random)
target_link_libraries(collectives_random PRIVATE raddle collectives_random_objects)
set_target_properties(collectives_random PROPERTIES LINKER_LANGUAGE CXX)

# Processes, through libraddle's layer, which must leave them alone. As many rounds as MPIs are known to pass: longer
# sequences, and other seeds, are likely to find more that is wrong with them.
raddle_add_random_run(collectives.processes PROGRAM collectives_random PROCESSES 1 2 3 4 ARGUMENTS --spare --derived --topologies --rounds 600 --seconds 3)

# A fault in the MPI must be found, and where it is.
set(wrong-root "MPI_Bcast,.*what is received")
set(flipped "MPI_Allreduce,.*what is received")
set(reversed "MPI_Allreduce,.*a non-commutative operator.*what is received")
set(out-of-place "MPI_Allgather,.*in place.*what is received")
set(gap "a byte outside of all elements")
set(open-barrier "MPI_Barrier: it let this rank out before rank")
set(losing "MPI_Iallreduce,.*what is received")
foreach(
  fault
  IN
  ITEMS wrong-root flipped reversed out-of-place gap open-barrier losing
)
  string(REPLACE - _ file ${fault})
  add_executable(collectives-${fault} collectives_random/faults/${file}.cpp)
  target_link_libraries(collectives-${fault} PRIVATE collectives_random_objects raddle_options)
  raddle_add_fault_run(collectives.catches-${fault} PROGRAM collectives-${fault} EXPECT "collectives: seed 1, round [0-9]+, rank [^\n]*${${fault}}" ARGUMENTS --spare)
endforeach()

# What it was written for; nothing is spared.
raddle_add_random_run(collectives.endpoints PROGRAM collectives_random PROCESSES 1 2 ARGUMENTS --endpoints --threads 2 --derived --topologies --default-handlers --seconds 3)
raddle_add_random_run(collectives.endpoints.four PROGRAM collectives_random PROCESSES 1 ARGUMENTS --endpoints --threads 4 --derived --topologies --seconds 3 ONCE)
raddle_add_random_run(
  collectives.endpoints.uneven PROGRAM collectives_random
  PROCESSES 3
  ARGUMENTS --endpoints --uneven --threads 2 --derived --topologies --seconds 3 ONCE
)
raddle_add_random_run(
  collectives.endpoints.between-nodes PROGRAM collectives_random
  PROCESSES 2
  ENVIRONMENT RADDLE_NODE=rank
  ARGUMENTS --endpoints --threads 2 --derived --topologies --default-handlers --seconds 3
)

if(GTest_FOUND)
  raddle_add_mpi_test(collectives_model_test SOURCES collectives_random/model_test.cpp PROCESSES 1)
  target_link_libraries(collectives_model_test PRIVATE collectives_random_model)
endif()
