# SPDX-License-Identifier: BSD-3-Clause
# A program for processes whose ranks are threads: as a library, and as the executable that it is.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(OMPI_MAJOR_VERSION mpi.h RADDLE_HANDLES_ARE_VARIABLES)
unset(CMAKE_REQUIRED_LIBRARIES)

add_library(ranks_program MODULE ranks_program.c)
set_target_properties(ranks_program PROPERTIES PREFIX "")
target_link_libraries(ranks_program PRIVATE MPI::MPI_C)
add_executable(ranks_program_pie ranks_program.c)
target_link_libraries(ranks_program_pie PRIVATE MPI::MPI_C)
target_compile_options(ranks_program_pie PRIVATE -fPIE)
target_link_options(ranks_program_pie PRIVATE -pie)

foreach(threads 1 2)
  foreach(processes 1 2)
    math(EXPR ranks "${threads} * ${processes}")
    raddle_add_mpi_run(
      ranks.library-x${threads}
      PROCESSES ${processes}
      COMMAND $<TARGET_FILE:raddle-ranks> ${threads} $<TARGET_FILE:ranks_program> well
      EXPECT "ranks: ${ranks}\n"
    )
  endforeach()
endforeach()
# Where handles are addresses of variables, executables may have copies of them.
if(RADDLE_HANDLES_ARE_VARIABLES)
  set(outcome "has a copy of ompi_mpi_[a-z_]*, which is a library's that ranks share. Build it with -fPIC -shared")
else()
  set(outcome "ranks: 4\n")
endif()
raddle_add_mpi_run(
  ranks.executable
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-ranks> 2 $<TARGET_FILE:ranks_program_pie> well
  EXPECT "${outcome}"
)
raddle_add_mpi_run(
  ranks.status
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-ranks> 2 $<TARGET_FILE:ranks_program> fails
  EXPECT "launcher: [1-9]"
)
raddle_add_mpi_run(
  ranks.leaves-a-window
  PROCESSES 1 2
  COMMAND $<TARGET_FILE:raddle-ranks> 2 $<TARGET_FILE:ranks_program> leaves-a-window
  EXPECT "ranks: [24]\n"
)
raddle_add_mpi_run(
  ranks.no-program
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-ranks> 2 nowhere
  EXPECT "raddle-ranks: nowhere cannot be read: No such file"
)
raddle_add_mpi_run(
  ranks.no-number
  PROCESSES 1
  COMMAND $<TARGET_FILE:raddle-ranks> two $<TARGET_FILE:ranks_program>
  EXPECT "'two' is no number of threads"
)

# What a process has of its own: as a library with a library of its own, and as an executable.
set(
  ranks_own_sources
  ranks_own/main.cpp
  ranks_own/c_library.cpp
  ranks_own/environment.cpp
  ranks_own/language.cpp
  ranks_own/plugins.cpp
  ranks_own/streams.cpp
)
add_library(ranks_own_library SHARED ranks_own/library.cpp)
target_include_directories(ranks_own_library PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(ranks_own_library PRIVATE OpenMP::OpenMP_CXX)
foreach(plugin "" _TAKES _LACKS)
  string(TOLOWER "ranks_own_plugin${plugin}" name)
  add_library(${name} MODULE ranks_own/plugin.cpp)
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE PLUGIN${plugin})
  list(APPEND ranks_own_plugins "RANKS_OWN_PLUGIN${plugin}=\"$<TARGET_FILE:${name}>\"")
endforeach()
add_library(ranks_own MODULE ${ranks_own_sources})
set_target_properties(ranks_own PROPERTIES PREFIX "")
add_executable(ranks_own_pie ${ranks_own_sources})
target_compile_definitions(ranks_own_pie PRIVATE RANKS_OWN_EXECUTABLE)
target_compile_options(ranks_own_pie PRIVATE -fPIE)
target_link_options(ranks_own_pie PRIVATE -pie)
set_target_properties(ranks_own_pie PROPERTIES ENABLE_EXPORTS ON) # what plugins take
foreach(program ranks_own ranks_own_pie)
  target_compile_definitions(${program} PRIVATE ${ranks_own_plugins})
  add_dependencies(${program} ranks_own_plugin ranks_own_plugin_takes ranks_own_plugin_lacks)
  target_include_directories(${program} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${program} PRIVATE ranks_own_library MPI::MPI_C OpenMP::OpenMP_CXX Threads::Threads)
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ranks_own/main.cpp)
file(STRINGS ranks_own/main.cpp ranks_own_cases REGEX "^    {\".*cases::")
list(TRANSFORM ranks_own_cases REPLACE ".*{\"([a-z0-9_]+)\".*" "\\1")
set(heard closed_stream reopened_stream moved_descriptor silenced_stream)
foreach(case IN LISTS ranks_own_cases)
  set(expected "${case} of [24] ranks: own")
  if(case IN_LIST heard)
    set(expected "heard.*${expected}")
  endif()
  foreach(processes 1 2)
    if(case STREQUAL "input" AND processes EQUAL 2)
      continue() # some launchers never end the stdin of the others
    endif()
    raddle_add_mpi_run(
      ranks.own-${case}
      PROCESSES ${processes}
      COMMAND sh -c "printf 'one\\ntwo\\n' | \"$@\"" sh $<TARGET_FILE:raddle-ranks> 2 $<TARGET_FILE:ranks_own> ${case}
      EXPECT "${expected}"
      TIMEOUT 40
    )
    set_tests_properties(ranks.own-${case}.n${processes} PROPERTIES FAIL_REGULAR_EXPRESSION "NOT TO BE HEARD;WRONG")
  endforeach()
  if(NOT RADDLE_HANDLES_ARE_VARIABLES)
    raddle_add_mpi_run(
      ranks.own-in-executable.${case}
      PROCESSES 1
      COMMAND
        sh
        -c
        "printf 'one\\ntwo\\n' | \"$@\""
        sh
        $<TARGET_FILE:raddle-ranks>
        2
        $<TARGET_FILE:ranks_own_pie>
        ${case}
      EXPECT "${expected}"
      TIMEOUT 40
      ONCE
    )
  endif()
endforeach()

raddle_add_mpi_run(
  ranks.whole-lines
  PROCESSES 1
  COMMAND
    sh
    -c
    "\"$@\" | grep -cx -e 'a line of even ranks' -e 'a line of odd ones'"
    sh
    $<TARGET_FILE:raddle-ranks>
    2
    $<TARGET_FILE:ranks_own>
    many_lines
  EXPECT "10000\n"
  ONCE
)

# Where the system lets no thread have a directory of its own, as in some containers.
add_library(no_unshare MODULE ranks_own/no_unshare.c)
foreach(case directory mask)
  set(call chdir)
  if(case STREQUAL "mask")
    set(call umask)
  endif()
  raddle_add_mpi_run(
    ranks.shares-${case}
    PROCESSES 1
    COMMAND env LD_PRELOAD=$<TARGET_FILE:no_unshare> $<TARGET_FILE:raddle-ranks> 2 $<TARGET_FILE:ranks_own> ${case}
    EXPECT "rank [01] calls ${call}, which would be for all ranks of its process"
    ONCE
  )
endforeach()

# The ends of ranks: what is told, and the status of the job. WITHIN: what of a shell comes first.
add_library(ranks_ends MODULE ranks_ends.cpp)
set_target_properties(ranks_ends PROPERTIES PREFIX "")
target_link_libraries(ranks_ends PRIVATE MPI::MPI_C Threads::Threads)
function(raddle_add_ranks_end name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "WAY;EXPECT;WITHIN" "PROCESSES")
  # Intel MPI's launcher now and then ends by SIGPIPE (cmake/RaddleMpiTest.cmake).
  string(REGEX REPLACE "launcher: ([0-9]+)" "launcher: (\\1|141)" arg_EXPECT "${arg_EXPECT}")
  raddle_add_mpi_run(
    ranks.ends-${name}
    PROCESSES ${arg_PROCESSES}
    COMMAND sh -c "${arg_WITHIN} exec \"$@\"" sh $<TARGET_FILE:raddle-ranks> 2 $<TARGET_FILE:ranks_ends> "${arg_WAY}"
    EXPECT "${arg_EXPECT}"
    TIMEOUT 40
  )
  # Several messages, another status, or what a process does not do.
  foreach(processes IN LISTS arg_PROCESSES)
    set_tests_properties(
      ranks.ends-${name}.n${processes}
      PROPERTIES FAIL_REGULAR_EXPRESSION "WRONG;exits without;Ending the job.*Ending the job"
    )
  endforeach()
endfunction()
foreach(how exit return)
  foreach(status 0 3)
    set(told 3)
    if(status EQUAL 0)
      set(told 1)
    endif()
    raddle_add_ranks_end(
      ${how}-${status}
      PROCESSES 1 2
      WAY "${how} ${status}"
      EXPECT
        "rank 1: atexit before MPI_Finalize\n(written, )?rank 1: its object is destroyed\n(written, )?rank 1: its destructor is called\n.*rank 1 has ended without MPI_Finalize .exit status ${status}.*launcher: ${told}\n"
    )
  endforeach()
  raddle_add_ranks_end(
    finalize-${how}
    PROCESSES 1 2
    WAY "finalize, ${how} 3"
    EXPECT "rank 1: atexit after MPI_Finalize\n(written, )?rank 1: its object is destroyed\n.*rank 0: ends after.*launcher: 3\n"
  )
  raddle_add_ranks_end(no-mpi-${how} PROCESSES 1 2 WAY "no MPI, ${how} 3" EXPECT "launcher: 3\n")
endforeach()
# What a launcher makes of a process that ends so while others go on is its own affair.
foreach(how _exit _Exit quick_exit)
  raddle_add_ranks_end(
    ${how}
    PROCESSES 1
    WAY "${how} 3"
    EXPECT "rank 1 has ended without MPI_Finalize .exit status 3.*launcher: 3\n"
  )
endforeach()
raddle_add_ranks_end(_exit-0 PROCESSES 1 WAY "_exit 0" EXPECT "rank 1 has ended without.*launcher: 1\n")
raddle_add_ranks_end(finalize-_exit PROCESSES 1 2 WAY "finalize, _exit 3" EXPECT "rank 0: ends after.*launcher: 3\n")
raddle_add_ranks_end(
  finalize-quick_exit
  PROCESSES 1 2
  WAY "finalize, quick_exit 3"
  EXPECT "rank 1: at_quick_exit\n.*rank 0: ends after.*launcher: 3\n"
)
raddle_add_ranks_end(
  exit-in-another-thread
  PROCESSES 1
  WAY "finalize, exit 3 in another thread"
  EXPECT "rank 1 has ended by a thread other than the one that runs main .exit status 3.*launcher: 3\n"
)
raddle_add_ranks_end(abort PROCESSES 1 2 WAY "abort 7" EXPECT "launcher: 7\n")
raddle_add_ranks_end(signal PROCESSES 1 2 WAY signal EXPECT "launcher: [1-9]")
raddle_add_ranks_end(abort-self PROCESSES 1 WAY "abort self 7" EXPECT "launcher: 7\n")
raddle_add_ranks_end(finalizes-at-exit PROCESSES 1 2 WAY "finalizes at exit" EXPECT "rank 1: finalized at exit\n")
raddle_add_ranks_end(forks PROCESSES 1 WAY forks EXPECT "rank 1: forks well\n")
raddle_add_ranks_end(
  unlimited-stack
  PROCESSES 1
  WAY stack
  EXPECT "has its stack\n.*has its stack\n"
  WITHIN "ulimit -s unlimited &&"
)
raddle_add_ranks_end(
  large-stack
  PROCESSES 1
  WAY stack
  EXPECT "has its stack\n.*has its stack\n"
  WITHIN "ulimit -s 300000 &&"
)
