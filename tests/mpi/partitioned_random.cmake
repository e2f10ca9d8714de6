# SPDX-License-Identifier: BSD-3-Clause
# Random partitioned communication against a model: on processes and on endpoints, straight into the receiver's buffer and
# as messages; and with a library that misbehaves, which tries the judge. Needs what partitioned.cmake defines.
raddle_add_episode_objects(partitioned_random_objects
  partitioned_random/main.cpp
  partitioned_random/plan.cpp
  partitioned_random/rank.cpp
  partitioned_random/request.cpp
)

# raddle_add_partitioned_random(<target> STANDARD_NAMES 0|1 [SOURCES <file>...])
function(raddle_add_partitioned_random name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "STANDARD_NAMES" "SOURCES")
  add_executable(${name} partitioned_names.cpp ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${name} PRIVATE RADDLE_STANDARD_NAMES=${arg_STANDARD_NAMES})
  target_link_libraries(${name} PRIVATE raddle partitioned_random_objects raddle_options ${CMAKE_DL_LIBS})
endfunction()

raddle_add_partitioned_random(partitioned_random STANDARD_NAMES 0)
foreach(direct 0 1)
  set(environment RADDLE_PART_DIRECT=${direct})
  raddle_add_random_run(
    partitioned.random.processes.direct-${direct}
    PROGRAM partitioned_random
    PROCESSES 1 2 3
    ENVIRONMENT ${environment}
    ARGUMENTS --seconds 2
  )
  raddle_add_random_run(
    partitioned.random.endpoints.direct-${direct}
    PROGRAM partitioned_random
    PROCESSES 1 2
    ENVIRONMENT ${environment}
    ARGUMENTS --endpoints --threads 2 --default-handlers --seconds 2
  )
endforeach()
raddle_add_random_run(
  partitioned.random.endpoints.uneven
  PROGRAM partitioned_random
  PROCESSES 3
  ARGUMENTS --endpoints --uneven --threads 2 --seconds 2 ONCE
)
raddle_add_random_run(
  partitioned.random.endpoints.between-nodes
  PROGRAM partitioned_random
  PROCESSES 2
  ENVIRONMENT RADDLE_NODE=rank
  ARGUMENTS --endpoints --threads 2 --default-handlers --seconds 2
)
if(RADDLE_HAVE_PARTITIONED)
  raddle_add_partitioned_random(partitioned_random_standard STANDARD_NAMES 1)
  raddle_add_random_run(
    partitioned.random.standard
    PROCESSES 1 2 3
    PROGRAM partitioned_random_standard
    ENVIRONMENT RADDLE_PARTITIONED=1
    ARGUMENTS --seconds 2
  )
endif()

# A fault in the library must be found.
set(shifted "word [0-9]+ of [0-9]+ is wrong|has arrived without its word")
set(early-arrival "partition [0-9]+ has arrived without its word")
set(early-end "MPI_Request_get_status says that it is complete, before its last partition is ready")
set(losing "nothing moved for 3 s")
set(mismatched "is wrong|has arrived without|its status has|ends with an error|nothing moved")
foreach(
  fault
  IN
  ITEMS shifted early-arrival early-end losing mismatched
)
  string(REPLACE - _ file ${fault})
  raddle_add_partitioned_random(partitioned-${fault} STANDARD_NAMES 0 SOURCES partitioned_random/faults/${file}.cpp)
  raddle_add_fault_run(partitioned.random.catches-${fault} PROGRAM partitioned-${fault} EXPECT "partitioned: seed 1[,:][^\n]*(${${fault}})")
endforeach()
