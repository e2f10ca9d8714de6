# SPDX-License-Identifier: BSD-3-Clause
# Partitioned communication as programs see it: the same tests on processes and on endpoints, with Raddle's names and with
# the standard's, straight into the receiver's buffer and as messages. Needs what traffic.cmake defines.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(MPI_Psend_init mpi.h RADDLE_HAVE_PARTITIONED)
unset(CMAKE_REQUIRED_LIBRARIES)

# raddle_add_partitioned_runs(<name> PROGRAM <target> [ENVIRONMENT <setting>...] [ONCE]): on processes, and on
# endpoints. Under settings that change how data travel, only between processes: what stays in one is the same.
function(raddle_add_partitioned_runs name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONCE" "PROGRAM" "ENVIRONMENT")
  raddle_options_given(once ONCE)
  set(processes 2)
  set(endpoints 2)
  if(name STREQUAL "")
    set(processes 1 2 3)
    set(endpoints 1 2)
  endif()
  raddle_add_mpi_run(
    partitioned.processes${name}
    PROCESSES ${processes}
    COMMAND $<TARGET_FILE:${arg_PROGRAM}> --gtest_filter=Processes/*
    ALONE
    ENVIRONMENT ${arg_ENVIRONMENT} ${once}
  )
  raddle_add_mpi_run(
    partitioned.endpoints${name}
    PROCESSES ${endpoints}
    COMMAND $<TARGET_FILE:${arg_PROGRAM}> --gtest_filter=Endpoints/*
    ALONE
    ENVIRONMENT ${arg_ENVIRONMENT} ${once}
  )
endfunction()

if(GTest_FOUND)
  add_library(
    partitioned_objects
    OBJECT
    partitioned_arrival_test.cpp
    partitioned_communicators_test.cpp
    partitioned_completion_test.cpp
    partitioned_counts_test.cpp
    partitioned_errors_test.cpp
    partitioned_hints_test.cpp
    partitioned_rounds_test.cpp
    partitioned_threads_test.cpp
    partitioned_types_test.cpp
  )
  target_include_directories(partitioned_objects PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(partitioned_objects PUBLIC raddle_options GTest::gtest MPI::MPI_C)
  target_precompile_headers(partitioned_objects REUSE_FROM mpi_gtest_main)

  add_executable(partitioned_test partitioned_names.cpp)
  target_compile_definitions(partitioned_test PRIVATE RADDLE_STANDARD_NAMES=0)
  target_link_libraries(partitioned_test PRIVATE raddle partitioned_objects)
  raddle_use_mpi_gtest(partitioned_test)
  raddle_add_partitioned_runs("" PROGRAM partitioned_test)
  raddle_add_partitioned_runs(.messages PROGRAM partitioned_test ENVIRONMENT RADDLE_PART_DIRECT=0 ONCE)
  raddle_add_partitioned_runs(.ungrouped PROGRAM partitioned_test ENVIRONMENT RADDLE_PART_DIRECT=0 RADDLE_PART_POLICY=none RADDLE_PART_LANES=3 ONCE)
  raddle_add_mpi_run(
    partitioned.endpoints.between-nodes
    PROCESSES 2
    COMMAND $<TARGET_FILE:partitioned_test> --gtest_filter=Endpoints/*
    ALONE
    ENVIRONMENT RADDLE_NODE=rank
  )
  raddle_add_mpi_run(
    partitioned.processes.between-nodes
    PROCESSES 2
    COMMAND $<TARGET_FILE:partitioned_test> --gtest_filter=Processes/*
    ALONE
    ENVIRONMENT RADDLE_NODE=rank
  )
  raddle_add_mpi_run(
    partitioned.no-single-copy
    PROCESSES 2
    COMMAND $<TARGET_FILE:partitioned_test>
    ALONE
    ENVIRONMENT RADDLE_SINGLE_COPY=off
    ONCE
  )
  set(long $<TARGET_FILE:partitioned_test> --gtest_also_run_disabled_tests)
  raddle_add_mpi_run(
    partitioned.communicators.many
    PROCESSES 2
    COMMAND ${long} --gtest_filter=*AreMadeAndFreedForLong*
    ALONE
    TIMEOUT 300
    LONG
  )
  foreach(direct 0 1)
    raddle_add_mpi_run(
      partitioned.counts.large.${direct}
      PROCESSES 2
      COMMAND ${long} --gtest_filter=*OfBytesMayExceedAnInt*
      ALONE
      ENVIRONMENT RADDLE_PART_DIRECT=${direct}
      TIMEOUT 120
      LONG
    )
  endforeach()

  if(RADDLE_HAVE_PARTITIONED)
    add_executable(partitioned_standard_test partitioned_names.cpp)
    target_compile_definitions(partitioned_standard_test PRIVATE RADDLE_STANDARD_NAMES=1)
    target_link_libraries(partitioned_standard_test PRIVATE raddle partitioned_objects)
    raddle_use_mpi_gtest(partitioned_standard_test)
    raddle_add_partitioned_runs(
      .standard
      PROGRAM partitioned_standard_test
      ENVIRONMENT RADDLE_PARTITIONED=1
    )
    raddle_add_partitioned_runs(
      .standard.messages
      PROGRAM partitioned_standard_test
      ENVIRONMENT RADDLE_PARTITIONED=1 RADDLE_PART_DIRECT=0
      ONCE
    )
    # Endpoints need no setting.
    raddle_add_mpi_run(
      partitioned.endpoints.standard.unset
      PROCESSES 2
      COMMAND $<TARGET_FILE:partitioned_standard_test> --gtest_filter=Endpoints/*
      ALONE
      ONCE
    )
  endif()

  add_executable(partitioned_attach_test partitioned_attach_test.cpp)
  target_compile_definitions(partitioned_attach_test PRIVATE RADDLE_HAVE_PARTITIONED=$<BOOL:${RADDLE_HAVE_PARTITIONED}>)
  target_link_libraries(partitioned_attach_test PRIVATE raddle)
  raddle_use_mpi_gtest(partitioned_attach_test)
  raddle_add_mpi_run(partitioned.attach PROCESSES 1 2 COMMAND $<TARGET_FILE:partitioned_attach_test>)
  foreach(lanes 1 3)
    raddle_add_mpi_run(
      partitioned.attach.without-communicators.${lanes}
      PROCESSES 2
      COMMAND $<TARGET_FILE:partitioned_attach_test> --gtest_also_run_disabled_tests --gtest_filter=*FailsByName*
      ENVIRONMENT RADDLE_PART_LANES=${lanes}
      ONCE
    )
  endforeach()
  raddle_add_mpi_run(
    partitioned.attach.everywhere
    PROCESSES 2
    COMMAND $<TARGET_FILE:partitioned_attach_test> --gtest_also_run_disabled_tests --gtest_filter=*Declined*:*ForItself*
    ENVIRONMENT RADDLE_PARTITIONED=1
  )

  foreach(
    setting
    PARTITIONED=yes
    PART_POLICY=some
    PART_MIN_BYTES=0
    PART_MAX_MESSAGES=257
    PART_LANES=65
    PART_DIRECT=2
  )
    string(REPLACE "=" " is '" told "${setting}'")
    raddle_add_mpi_run(
      partitioned.bad-setting.${setting}
      ONCE
      PROCESSES 1
      COMMAND $<TARGET_FILE:partitioned_attach_test>
      ENVIRONMENT RADDLE_${setting}
      EXPECT "raddle: RADDLE_${told}. valid: "
    )
  endforeach()
endif()

add_executable(partitioned_at_finalize partitioned_at_finalize.c)
target_compile_definitions(partitioned_at_finalize PRIVATE _GNU_SOURCE)
target_link_libraries(partitioned_at_finalize PRIVATE raddle MPI::MPI_C Threads::Threads ${CMAKE_DL_LIBS})
raddle_add_mpi_run(partitioned.at-finalize PROCESSES 2 COMMAND $<TARGET_FILE:partitioned_at_finalize>)

# A plain program, as processes and with all its communicators attached.
add_executable(partitioned_freed partitioned_freed.c)
target_link_libraries(partitioned_freed PRIVATE raddle MPI::MPI_C)
foreach(attached 0 1)
  raddle_add_mpi_run(
    partitioned.freed.attached-${attached}
    PROCESSES 1 2 4
    COMMAND $<TARGET_FILE:partitioned_freed>
    ENVIRONMENT RADDLE_PARTITIONED=${attached}
    EXPECT "all freed 0"
  )
endforeach()

# An MPI whose calls fail behind libraddle: the request says so, or the job ends by the name of the call.
add_executable(failing_program failing_program.c)
target_link_libraries(failing_program PRIVATE raddle MPI::MPI_C)
foreach(
  failing
  "None|send: well"
  "Start|send: failed"
  "Isend|MPI_Isend of the MPI has failed: .*Ending the job"
  "Improbe|MPI_Improbe of the MPI has failed: .*Ending the job"
)
  raddle_columns("${failing}" call expected)
  raddle_add_mpi_run(
    partitioned.failing.${call}
    PROCESSES 2
    COMMAND
      env
      LD_PRELOAD=$<TARGET_FILE:raddle>:$<TARGET_FILE:failing_mpi>
      FAILING_CALL=${call}
      $<TARGET_FILE:failing_program>
    ENVIRONMENT RADDLE_PART_DIRECT=0
    EXPECT "${expected}"
    TRIES 2
    TIMEOUT 30
  )
endforeach()

# The level that the program asks for, and no other.
add_executable(partitioned_funneled partitioned_funneled.c)
target_link_libraries(partitioned_funneled PRIVATE raddle Threads::Threads)
foreach(direct 0 1)
  raddle_add_mpi_run(
    partitioned.funneled.direct-${direct}
    PROCESSES 1 2
    COMMAND $<TARGET_FILE:partitioned_funneled>
    ENVIRONMENT RADDLE_THREAD_LEVEL=program RADDLE_PART_DIRECT=${direct}
    EXPECT "partitioned_funneled: all good"
  )
endforeach()
raddle_add_mpi_run(
  partitioned.funneled.gaps
  PROCESSES 2
  COMMAND $<TARGET_FILE:partitioned_funneled> gaps
  ENVIRONMENT RADDLE_THREAD_LEVEL=program
  EXPECT "partitioned_funneled: all good"
)
add_executable(partitioned_serialized partitioned_serialized.c)
target_link_libraries(partitioned_serialized PRIVATE raddle Threads::Threads)
raddle_add_mpi_run(
  partitioned.serialized
  PROCESSES 1 2
  COMMAND $<TARGET_FILE:partitioned_serialized>
  ENVIRONMENT RADDLE_THREAD_LEVEL=program RADDLE_PART_DIRECT=0
  EXPECT "partitioned_serialized: all good"
)
