# SPDX-License-Identifier: BSD-3-Clause
# Warnings and sanitizers for all targets of Raddle, through one interface target.

add_library(raddle_options INTERFACE)
target_compile_options(
  raddle_options
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
)
if(RADDLE_SANITIZE)
  target_compile_options(
    raddle_options
    INTERFACE -fsanitize=${RADDLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
  )
  target_link_options(raddle_options INTERFACE -fsanitize=${RADDLE_SANITIZE})
endif()
if(RADDLE_COVERAGE)
  # Threads count, too.
  target_compile_options(raddle_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(raddle_options INTERFACE --coverage)
endif()

# What a launch reports about its build.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" RADDLE_BUILD_FLAGS)
if(RADDLE_SANITIZE)
  string(APPEND RADDLE_BUILD_FLAGS " -fsanitize=${RADDLE_SANITIZE}")
endif()
