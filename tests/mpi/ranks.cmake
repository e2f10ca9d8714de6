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
  set(outcome "has a copy of ompi_mpi_[a-z_]*, which is a library's. Build it with -fPIC -shared")
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
