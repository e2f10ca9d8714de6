# SPDX-License-Identifier: BSD-3-Clause
# Whether the Fortran module can be built: with a Fortran compiler, and an MPI whose module mpi it can read. Sets
# RADDLE_FORTRAN, RADDLE_FORTRAN_F08 (mpi_f08 as well) and RADDLE_FORTRAN_MODULES, where these modules are if the MPI's
# compiler wrapper does not know.
include(CheckLanguage)

set(RADDLE_FORTRAN OFF)
set(RADDLE_FORTRAN_F08 OFF)

# The wrapper beside mpicc, and no other: one of PATH may be another MPI's.
if(NOT MPI_Fortran_COMPILER)
  get_filename_component(directory "${MPI_C_COMPILER}" DIRECTORY)
  get_filename_component(name "${MPI_C_COMPILER}" NAME)
  foreach(replacement mpifort mpif90)
    string(REPLACE "mpicc" "${replacement}" wrapper "${name}")
    if(NOT MPI_Fortran_COMPILER AND NOT wrapper STREQUAL name AND EXISTS "${directory}/${wrapper}")
      set(MPI_Fortran_COMPILER "${directory}/${wrapper}" CACHE FILEPATH "MPI compiler for Fortran")
    endif()
  endforeach()
endif()
if(NOT MPI_Fortran_COMPILER)
  message(STATUS "Without the Fortran module: there is no mpifort beside ${MPI_C_COMPILER}")
  return()
endif()

check_language(Fortran)
if(NOT CMAKE_Fortran_COMPILER)
  message(STATUS "Without the Fortran module: there is no Fortran compiler. Debian: apt-get install gfortran")
  return()
endif()
enable_language(Fortran)
find_package(OpenMP REQUIRED COMPONENTS Fortran)
find_package(MPI COMPONENTS Fortran)
if(NOT MPI_Fortran_FOUND)
  message(STATUS "Without the Fortran module: programs do not compile with ${MPI_Fortran_COMPILER}")
  return()
endif()

# raddle_reads_module(<variable> <module> <directory>...): whether the compiler reads the module from there.
function(raddle_reads_module variable module)
  set(source "${PROJECT_BINARY_DIR}/CMakeFiles/use_${module}.f90")
  file(WRITE "${source}" "program p\n  use ${module}, only: MPI_COMM_WORLD\nend program p\n")
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  string(MAKE_C_IDENTIFIER "raddle_reads_${module}_${ARGN}" result)
  try_compile(
    ${result}
    "${PROJECT_BINARY_DIR}"
    "${source}"
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${ARGN};${MPI_Fortran_INCLUDE_DIRS}"
  )
  set(${variable} ${${result}} PARENT_SCOPE)
endfunction()

# Intel MPI has them for several versions of gfortran.
set(places "")
foreach(directory IN LISTS MPI_Fortran_INCLUDE_DIRS)
  file(GLOB some "${directory}/gfortran/*" "${directory}/mpi/gfortran/*")
  list(APPEND places ${some})
endforeach()
list(SORT places COMPARE NATURAL ORDER DESCENDING)
foreach(place "" ${places})
  if(NOT RADDLE_FORTRAN)
    raddle_reads_module(RADDLE_FORTRAN mpi ${place})
    set(RADDLE_FORTRAN_MODULES "${place}")
  endif()
endforeach()
if(RADDLE_FORTRAN)
  raddle_reads_module(RADDLE_FORTRAN_F08 mpi_f08 ${RADDLE_FORTRAN_MODULES})
  message(STATUS "Fortran module for ${MPI_Fortran_COMPILER}, mpi_f08: ${RADDLE_FORTRAN_F08}")
else()
  message(STATUS "Without the Fortran module: ${CMAKE_Fortran_COMPILER} reads no module mpi of this MPI")
endif()
