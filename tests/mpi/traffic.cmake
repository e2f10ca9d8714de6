# SPDX-License-Identifier: BSD-3-Clause
# Random point-to-point traffic, judged by what MPI promises (traffic/matching.hpp): on the MPI's processes, which tries
# the judge, on MPIs that misbehave, which tries it the other way, and on endpoints.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(MPI_Isendrecv mpi.h RADDLE_HAVE_ISENDRECV)
unset(CMAKE_REQUIRED_LIBRARIES)

add_library(
  traffic_objects
  OBJECT
  traffic/communicators.cpp
  traffic/completion.cpp
  traffic/context.cpp
  traffic/extras.cpp
  traffic/failure.cpp
  traffic/inbox.cpp
  traffic/layout.cpp
  traffic/main.cpp
  traffic/matching.cpp
  traffic/meeting.cpp
  traffic/options.cpp
  traffic/parcel.cpp
  traffic/receives.cpp
  traffic/script.cpp
  traffic/sends.cpp
)
target_compile_definitions(traffic_objects PRIVATE RADDLE_HAVE_ISENDRECV=$<BOOL:${RADDLE_HAVE_ISENDRECV}>)
target_include_directories(traffic_objects PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(traffic_objects PUBLIC raddle_bench_core MPI::MPI_C)

add_executable(traffic)
target_link_libraries(traffic PRIVATE raddle traffic_objects)
set_target_properties(traffic PROPERTIES LINKER_LANGUAGE CXX)

# raddle_add_random_run(<name> PROGRAM <target> PROCESSES <n>... [EXPECT <regex>] [ENVIRONMENT <setting>...]
#   [ARGUMENTS <argument>...] [ONCE]): a program that draws what it does (traffic/options.hpp).
function(raddle_add_random_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROGRAM;EXPECT" "PROCESSES;ENVIRONMENT;ARGUMENTS")
  raddle_options_given(once ONCE)
  raddle_add_mpi_run(
    ${name}
    PROCESSES ${arg_PROCESSES}
    COMMAND $<TARGET_FILE:${arg_PROGRAM}> --patience 20 ${arg_ARGUMENTS}
    ENVIRONMENT ${arg_ENVIRONMENT}
    EXPECT "${arg_EXPECT}"
    ${once}
  )
endfunction()

# raddle_add_fault_run(<name> PROGRAM <target> EXPECT <regex> [ARGUMENTS <argument>...]): the same with two processes of a
# program in which something is wrong, which it must find, however long that takes.
function(raddle_add_fault_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROGRAM;EXPECT" "ARGUMENTS")
  raddle_add_mpi_run(
    ${name}
    PROCESSES 2
    COMMAND $<TARGET_FILE:${arg_PROGRAM}> --patience 3 ${arg_ARGUMENTS} --seconds 20
    ENVIRONMENT TEST_SECONDS=20
    EXPECT "${arg_EXPECT}"
    ONCE
  )
endfunction()

# raddle_add_episode_objects(<name> <source>...): what of such a program is the same beside several libraries
# (traffic/episodes.hpp).
function(raddle_add_episode_objects name)
  add_library(
    ${name}
    OBJECT
    ${ARGN}
    traffic/communicators.cpp
    traffic/failure.cpp
    traffic/meeting.cpp
    traffic/options.cpp
  )
  target_include_directories(
    ${name}
    PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/include"
  )
  target_link_libraries(${name} PUBLIC raddle_bench_core MPI::MPI_C)
endfunction()

# Processes, through libraddle's layer, which must leave them alone.
raddle_add_random_run(traffic.processes PROGRAM traffic PROCESSES 1 2 3 ARGUMENTS --spare --seconds 2)

# A fault in the MPI must be found. As what depends on who gets there first: a message with another's source may be seen
# as that, or leave somebody waiting for the message that was counted already. What each verdict says is tested in
# traffic/matching_test.cpp.
foreach(
  fault
  IN
  ITEMS overtaking wrong-tag wrong-source flipped doubling losing
)
  string(REPLACE - _ file ${fault})
  add_executable(traffic-${fault} traffic/faults/${file}.cpp)
  target_link_libraries(traffic-${fault} PRIVATE traffic_objects raddle_options)
  raddle_add_fault_run(traffic.catches-${fault} PROGRAM traffic-${fault} EXPECT "traffic: seed 1(, round [0-9]+, rank|: nothing moved for 3 s)" ARGUMENTS --spare)
endforeach()

# What it was written for; nothing is spared.
raddle_add_random_run(traffic.endpoints PROGRAM traffic PROCESSES 1 2 ARGUMENTS --endpoints --threads 2 --seconds 2)
raddle_add_random_run(traffic.endpoints.four PROGRAM traffic PROCESSES 1 ARGUMENTS --endpoints --threads 4 --seconds 2 ONCE)
raddle_add_random_run(traffic.endpoints.uneven PROGRAM traffic PROCESSES 3 ARGUMENTS --endpoints --uneven --threads 2 --seconds 2 ONCE)
raddle_add_random_run(traffic.endpoints.shared PROGRAM traffic PROCESSES 1 2 ARGUMENTS --endpoints --threads 2 --sharing 2 --seconds 2 ONCE)
raddle_add_random_run(
  traffic.endpoints.between-nodes PROGRAM traffic
  PROCESSES 2 3
  ENVIRONMENT RADDLE_NODE=rank
  ARGUMENTS --endpoints --threads 2 --seconds 2
)
raddle_add_random_run(
  traffic.endpoints.by-network PROGRAM traffic
  PROCESSES 2
  ENVIRONMENT RADDLE_NODE=rank ${RADDLE_BY_NETWORK}
  ARGUMENTS --endpoints --threads 2 --seconds 2
)

if(GTest_FOUND)
  add_executable(traffic_matching_test traffic/matching_test.cpp traffic/matching.cpp)
  target_link_libraries(traffic_matching_test PRIVATE raddle_bench_core GTest::gtest_main)
  add_test(NAME traffic_matching_test COMMAND traffic_matching_test)
endif()

# Ranks that wait by polling, for one thing at a time, on several communicators; default error handlers.
add_executable(polling polling.cpp)
target_include_directories(polling PRIVATE "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(polling PRIVATE raddle)
set(all_well "polling: all well")
foreach(threads 1 2 3)
  set(once ONCE)
  if(threads EQUAL 2)
    set(once "")
  endif()
  raddle_add_mpi_run(
    polling.x${threads}
    PROCESSES 1 2
    COMMAND $<TARGET_FILE:polling> ${threads} 1 2
    EXPECT "${all_well}"
    ${once}
  )
endforeach()
# With messages of the MPI's own beside them, which whoever waits moves as well.
raddle_add_mpi_run(
  polling.native
  PROCESSES 1 2
  COMMAND $<TARGET_FILE:polling> 2 2 2 native
  EXPECT "${all_well}"
)
raddle_add_mpi_run(
  polling.attached
  PROCESSES 1 2
  COMMAND $<TARGET_FILE:polling> 2 3 2 native attached
  EXPECT "${all_well}"
)
raddle_add_mpi_run(
  polling.between-nodes
  PROCESSES 2
  COMMAND $<TARGET_FILE:polling> 2 4 2 native attached
  ENVIRONMENT RADDLE_NODE=rank
  EXPECT "${all_well}"
)
