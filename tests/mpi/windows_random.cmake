# SPDX-License-Identifier: BSD-3-Clause
# Random operations on windows against a model: on the MPI's processes, which tries the judge, on MPIs that misbehave, and
# on endpoints. Needs what traffic.cmake defines.
raddle_add_episode_objects(windows_random_objects
  windows_random/main.cpp
  windows_random/plan.cpp
  windows_random/rank.cpp
)

add_executable(windows_random)
target_link_libraries(windows_random PRIVATE raddle windows_random_objects raddle_options)
set_target_properties(windows_random PROPERTIES LINKER_LANGUAGE CXX)
raddle_add_random_run(windows.random.processes PROGRAM windows_random PROCESSES 1 2 ARGUMENTS --seconds 2 ONCE)
raddle_add_random_run(
  windows.random.endpoints
  PROGRAM windows_random
  PROCESSES 1 2
  ARGUMENTS --endpoints --threads 3 --default-handlers --seconds 2
)
raddle_add_random_run(
  windows.random.uneven
  PROGRAM windows_random
  PROCESSES 3
  ARGUMENTS --endpoints --uneven --threads 2 --seconds 2 ONCE
)
raddle_add_random_run(
  windows.random.between-nodes
  PROGRAM windows_random
  PROCESSES 2
  ENVIRONMENT RADDLE_NODE=rank
  ARGUMENTS --endpoints --threads 2 --default-handlers --seconds 2
)
raddle_add_random_run(
  windows.random.no-single-copy
  PROGRAM windows_random
  PROCESSES 2
  ENVIRONMENT RADDLE_SINGLE_COPY=off
  ARGUMENTS --endpoints --threads 2 --seconds 2 ONCE
)

# A fault must be found, and where it is.
set(losing "its own memory of [^\n]* has to be")
set(shifted "MPI_Get of [^\n]* has to be")
set(in-two-steps "its own memory of MPI_INT32_T: [^\n]* has to be")
set(always-swapping "has to be")
foreach(fault IN ITEMS losing shifted in-two-steps always-swapping)
  string(REPLACE - _ file ${fault})
  add_executable(windows-${fault} windows_random/faults/${file}.cpp)
  target_link_libraries(windows-${fault} PRIVATE raddle windows_random_objects raddle_options)
  raddle_add_fault_run(
    windows.catches-${fault}
    PROGRAM windows-${fault}
    EXPECT "windows: seed 1, episode [0-9]+, round [0-9]+, rank [^\n]*${${fault}}"
    ARGUMENTS --endpoints --threads 2
  )
endforeach()
