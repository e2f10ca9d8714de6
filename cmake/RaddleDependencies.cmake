# SPDX-License-Identifier: BSD-3-Clause
# Libraries Raddle builds on: the system's if it has them, else those of the Python wheels that `make setup` puts on
# CMAKE_PREFIX_PATH. Nothing is downloaded here.

find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)

# The wheel ships headers only, the system's package a CMake configuration too.
find_path(RADDLE_JSON_INCLUDE nlohmann/json.hpp PATH_SUFFIXES include nlohmann_json/include REQUIRED)
add_library(raddle_json INTERFACE)
target_include_directories(raddle_json SYSTEM INTERFACE "${RADDLE_JSON_INCLUDE}")

find_path(
  RADDLE_BOOST_INCLUDE
  boost/interprocess/managed_external_buffer.hpp
  PATH_SUFFIXES include boost_headers/include
  REQUIRED
)
file(STRINGS "${RADDLE_BOOST_INCLUDE}/boost/version.hpp" boost REGEX "^#define BOOST_VERSION ")
string(REGEX REPLACE "[^0-9]" "" boost "${boost}")
if(boost LESS 107800)
  message(
    FATAL_ERROR
    "Boost in ${RADDLE_BOOST_INCLUDE} is older than 1.78. make setup brings a newer one, or: python3 -m pip install boost-headers"
  )
endif()
add_library(raddle_boost INTERFACE)
target_include_directories(raddle_boost SYSTEM INTERFACE "${RADDLE_BOOST_INCLUDE}")

find_path(RADDLE_HWLOC_INCLUDE hwloc.h REQUIRED)
find_library(RADDLE_HWLOC_LIBRARY hwloc REQUIRED)
add_library(raddle_hwloc INTERFACE)
target_include_directories(raddle_hwloc SYSTEM INTERFACE "${RADDLE_HWLOC_INCLUDE}")
target_link_libraries(raddle_hwloc INTERFACE "${RADDLE_HWLOC_LIBRARY}")

if(RADDLE_WITH_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
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
