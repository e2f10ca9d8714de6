# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks, as they lie in folders of suites: SUITE/NAME.toml declares one, SUITE/*.cpp measure. No list names them.

# raddle_glob(<variable> <pattern>...): the files of the source tree that match. CMake runs again when a file comes or goes, by the
# times of their directories: with CONFIGURE_DEPENDS ninja cannot tell beforehand whether there is something to do.
function(raddle_glob variable)
  file(GLOB found ${ARGN})
  set(directories "")
  foreach(pattern IN LISTS ARGN)
    get_filename_component(pattern "${pattern}" DIRECTORY)
    file(GLOB those LIST_DIRECTORIES true "${pattern}")
    foreach(one IN LISTS those)
      if(IS_DIRECTORY "${one}")
        list(APPEND directories "${one}")
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES directories)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${directories})
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# raddle_declare_benchmarks(<target> <folder>): for those who link it, a header declared/NAME.hpp of each benchmark.
function(raddle_declare_benchmarks target folder)
  raddle_glob(files "${folder}/*/*.toml")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}") # a new suite
  set(made "${CMAKE_CURRENT_BINARY_DIR}/${target}")
  set(headers "")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    list(APPEND headers "${made}/declared/${name}.hpp")
  endforeach()
  add_custom_command(
    OUTPUT ${headers}
    COMMAND "${RADDLE_PYTHON}" "${PROJECT_SOURCE_DIR}/bench/suites/declare.py" "${made}/declared" ${files}
    DEPENDS
      ${files}
      "${PROJECT_SOURCE_DIR}/bench/suites/declare.py"
      "${PROJECT_SOURCE_DIR}/src/platform/sparse_algorithms.def"
    COMMENT "Reading what benchmarks declare"
    VERBATIM
  )
  add_custom_target(${target}_headers DEPENDS ${headers})
  add_library(${target} INTERFACE)
  target_include_directories(${target} INTERFACE "${made}")
  add_dependencies(${target} ${target}_headers)
endfunction()
