# SPDX-License-Identifier: BSD-3-Clause
include_guard()

# raddle_sparse_algorithms(<variable> [WITHOUT <need>]) reads the names in src/platform/sparse_algorithms.def, without those
# that need what is not there: `windows` or `shared_memory`.
function(raddle_sparse_algorithms variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "WITHOUT" "")
  set(list "${PROJECT_SOURCE_DIR}/src/platform/sparse_algorithms.def")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
  file(STRINGS "${list}" lines REGEX "^RADDLE_SPARSE_ALGORITHM")
  if(arg_WITHOUT)
    list(FILTER lines EXCLUDE REGEX ", ${arg_WITHOUT}\\)")
  endif()
  list(TRANSFORM lines REPLACE "^RADDLE_SPARSE_ALGORITHM\\((.+), .+\\)$" "\\1")
  set(${variable} "${lines}" PARENT_SCOPE)
endfunction()
