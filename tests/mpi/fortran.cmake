# SPDX-License-Identifier: BSD-3-Clause
# The Fortran module. The label is for MPIs of which only this is tested (tests/run.py).
if(NOT TARGET raddle_fortran)
  return()
endif()

function(raddle_add_fortran_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPECT;TRIES" "PROCESSES;COMMAND")
  raddle_add_mpi_run(
    fortran.${name}
    PROCESSES ${arg_PROCESSES}
    COMMAND ${arg_COMMAND}
    EXPECT "${arg_EXPECT}"
    TRIES "${arg_TRIES}"
  )
  foreach(processes IN LISTS arg_PROCESSES)
    set_property(TEST fortran.${name}.n${processes} APPEND PROPERTY LABELS fortran)
  endforeach()
endfunction()

function(raddle_add_fortran_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE raddle_fortran OpenMP::OpenMP_Fortran)
  target_compile_options(${name} PRIVATE $<$<Fortran_COMPILER_ID:GNU>:-Wall>)
  set_target_properties(${name} PROPERTIES Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${name}.modules")
  add_dependencies(raddle-fortran-tests ${name})
endfunction()

add_custom_target(raddle-fortran-tests)
add_dependencies(raddle-fortran-tests fortran_halo)
raddle_add_fortran_program(fortran_calls fortran/calls.F90)
raddle_add_fortran_run(calls PROCESSES 1 2 3 COMMAND $<TARGET_FILE:fortran_calls> EXPECT "all good")
if(RADDLE_FORTRAN_F08)
  raddle_add_fortran_program(fortran_calls_typed fortran/calls.F90)
  target_compile_definitions(fortran_calls_typed PRIVATE TYPED_HANDLES)
  raddle_add_fortran_run(calls-typed PROCESSES 1 2 3 COMMAND $<TARGET_FILE:fortran_calls_typed> EXPECT "all good")
endif()
raddle_add_fortran_program(fortran_windows fortran/windows.F90)
raddle_add_fortran_run(windows PROCESSES 1 2 COMMAND $<TARGET_FILE:fortran_windows> EXPECT "all good")
if(RADDLE_FORTRAN_F08)
  raddle_add_fortran_program(fortran_windows_typed fortran/windows.F90)
  target_compile_definitions(fortran_windows_typed PRIVATE TYPED_HANDLES)
  raddle_add_fortran_run(windows-typed PROCESSES 1 2 COMMAND $<TARGET_FILE:fortran_windows_typed> EXPECT "all good")
endif()

# The MPI first. CMake would put it where it belongs.
add_executable(fortran_order fortran/order.f90)
target_link_libraries(fortran_order PRIVATE raddle_fortran)
target_link_options(fortran_order PRIVATE LINKER:--no-as-needed ${MPI_C_LIBRARIES})
add_dependencies(raddle-fortran-tests fortran_order)
raddle_add_fortran_run(
  order
  PROCESSES 1 2
  COMMAND $<TARGET_FILE:fortran_order>
  EXPECT "do not pass libraddle: it has to be linked before the MPI"
)

set(as_one "ranks, 100 steps: as one rank computes it, [0-9.]+ near the edge\nfortran_halo: each collects")
set(halo $<TARGET_FILE:fortran_halo>)
raddle_add_fortran_run(halo.processes PROCESSES 1 2 COMMAND ${halo} EXPECT "[12] ${as_one}")
raddle_add_fortran_run(halo.endpoints PROCESSES 1 2 COMMAND ${halo} 2 EXPECT "[24] ${as_one}")
raddle_add_fortran_run(halo.lanes PROCESSES 1 2 COMMAND ${halo} 2 lanes EXPECT "[12] ${as_one}")
raddle_add_fortran_run(
  halo.too-few-threads
  PROCESSES 2
  COMMAND env OMP_THREAD_LIMIT=1 ${halo} 2
  EXPECT "fortran_halo: OpenMP gives 1 threads, and 2 are needed"
  TRIES 3
)

# A program for processes, whose ranks are threads, by each of MPI's interfaces that this one has.
set(interfaces mpi mpifh)
if(RADDLE_FORTRAN_F08)
  list(APPEND interfaces f08)
endif()
foreach(interface ${interfaces})
  string(TOUPPER ${interface} with)
  set(program fortran_as_process_${interface})
  add_library(${program} MODULE fortran/as_process.F90)
  target_compile_definitions(${program} PRIVATE WITH_${with})
  # mpif.h shows nothing of the arguments, so that gfortran compares those of one call with another's.
  target_compile_options(${program} PRIVATE $<$<COMPILE_LANG_AND_ID:Fortran,GNU>:-fallow-argument-mismatch>)
  set_target_properties(
    ${program}
    PROPERTIES PREFIX "" Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${program}.modules"
  )
  target_include_directories(${program} PRIVATE ${RADDLE_FORTRAN_MODULES})
  add_dependencies(raddle-fortran-tests ${program} raddle-ranks)
  raddle_add_fortran_run(
    ranks-${interface}
    PROCESSES 1 2
    COMMAND $<TARGET_FILE:raddle-ranks> 2 $<TARGET_FILE:${program}> argument
    EXPECT "fortran ranks: [24], bad: 0\n"
  )
endforeach()
