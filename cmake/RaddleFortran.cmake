# SPDX-License-Identifier: BSD-3-Clause
# Whether the Fortran module can be built: the MPI has a compiler wrapper for Fortran, and that reads the MPI's module mpi.
# Sets RADDLE_FORTRAN, RADDLE_FORTRAN_F08 (mpi_f08 as well) and RADDLE_FORTRAN_MODULES, where these modules are if the
# wrapper does not know. The wrapper becomes the Fortran compiler: what it adds comes last, and so after libraddle.
set(RADDLE_FORTRAN OFF)
set(RADDLE_FORTRAN_F08 OFF)

if(RADDLE_MPI_ABI)
  message(STATUS "Without the Fortran module: the handles of the MPI-5 ABI are not those of the MPI's Fortran modules")
  return()
endif()

# The wrappers beside mpicc, and no others: those of PATH may be another MPI's. Which belong to it, its name says.
set(wrappers "${MPI_Fortran_COMPILER}")
if(NOT MPI_Fortran_COMPILER)
  set(beside_mpiicx mpiifx mpiifort mpif90)
  set(beside_mpiicc mpiifort mpiifx mpif90)
  set(beside_mpigcc mpif90)
  set(beside_cc ftn) # Cray's
  get_filename_component(directory "${MPI_C_COMPILER}" DIRECTORY)
  get_filename_component(name "${MPI_C_COMPILER}" NAME)
  set(names ${beside_${name}})
  if(name MATCHES "mpicc") # and mpicc.openmpi
    string(REPLACE "mpicc" "mpifort" fort "${name}")
    string(REPLACE "mpicc" "mpif90" f90 "${name}")
    set(names "${fort}" "${f90}")
  endif()
  list(TRANSFORM names PREPEND "${directory}/" OUTPUT_VARIABLE wrappers)
  foreach(wrapper IN LISTS wrappers)
    if(NOT EXISTS "${wrapper}")
      list(REMOVE_ITEM wrappers "${wrapper}")
    endif()
  endforeach()
endif()
if(NOT wrappers)
  list(JOIN names " or " wanted)
  if(NOT wanted)
    set(wanted "Fortran wrapper whose name is known")
  endif()
  message(STATUS "Without the Fortran module: there is no ${wanted} beside ${MPI_C_COMPILER}; set MPI_Fortran_COMPILER")
  return()
endif()

# raddle_reads_module(<variable> <wrapper> <module> [<directory>]): whether the wrapper compiles a program that uses it.
function(raddle_reads_module variable wrapper module)
  set(source "${PROJECT_BINARY_DIR}/CMakeFiles/use_${module}.f90")
  file(WRITE "${source}" "program p\n  use ${module}, only: MPI_COMM_WORLD\nend program p\n")
  list(TRANSFORM ARGN PREPEND "-I" OUTPUT_VARIABLE places)
  execute_process(
    COMMAND "${wrapper}" ${places} -c "${source}" -o "${source}.o"
    RESULT_VARIABLE result
    OUTPUT_QUIET
    ERROR_QUIET
  )
  if(result EQUAL 0)
    set(${variable} ON PARENT_SCOPE)
  endif()
endfunction()

# Intel MPI has them for several versions of gfortran.
set(places "")
foreach(directory IN LISTS MPI_C_INCLUDE_DIRS)
  file(GLOB some "${directory}/gfortran/*" "${directory}/mpi/gfortran/*")
  list(APPEND places ${some})
endforeach()
list(SORT places COMPARE NATURAL ORDER DESCENDING)
foreach(wrapper IN LISTS wrappers)
  if(NOT RADDLE_FORTRAN)
    set(tried "${wrapper}")
    set(RADDLE_FORTRAN_MODULES "")
    raddle_reads_module(RADDLE_FORTRAN "${wrapper}" mpi)
    foreach(place IN LISTS places)
      if(NOT RADDLE_FORTRAN)
        raddle_reads_module(RADDLE_FORTRAN "${wrapper}" mpi "${place}")
        set(RADDLE_FORTRAN_MODULES "${place}")
      endif()
    endforeach()
  endif()
endforeach()
if(NOT RADDLE_FORTRAN)
  set(hint "There may be no Fortran compiler; Debian: apt-get install gfortran")
  list(JOIN wrappers ", " wrappers)
  message(STATUS "Without the Fortran module: no program with `use mpi` is compiled by ${wrappers}. ${hint}")
  return()
endif()
set(MPI_Fortran_COMPILER "${tried}" CACHE FILEPATH "MPI compiler for Fortran")
raddle_reads_module(RADDLE_FORTRAN_F08 "${MPI_Fortran_COMPILER}" mpi_f08 ${RADDLE_FORTRAN_MODULES})
message(STATUS "Fortran module by ${MPI_Fortran_COMPILER}, with mpi_f08: ${RADDLE_FORTRAN_F08}")

set(CMAKE_Fortran_COMPILER "${MPI_Fortran_COMPILER}" CACHE FILEPATH "Fortran compiler")
enable_language(Fortran)
find_package(OpenMP REQUIRED COMPONENTS Fortran)
