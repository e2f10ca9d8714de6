# SPDX-License-Identifier: BSD-3-Clause
# raddle_add_preloaded(<target> STEM <name> GENERATORS <module>... SOURCES <file>...)
# A library that stands before the MPI, and before libraddle if that is preloaded behind it, and has nothing to do with
# either. Its wrappers of the MPI's functions are made by generate.py beside it, as <name>_<number>.cpp, with these modules
# of src/interpose/generator besides what all of them use. What it exports is in <name of the folder>.map.
function(raddle_add_preloaded target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "STEM" "GENERATORS;SOURCES")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
  set(interpose "${PROJECT_SOURCE_DIR}/src/interpose")
  get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  set(map "${CMAKE_CURRENT_SOURCE_DIR}/${folder}.map")
  set(wrappers "${generated}/${arg_STEM}_names.cpp" "${generated}/${arg_STEM}_0.cpp" "${generated}/${arg_STEM}_1.cpp")
  list(TRANSFORM arg_GENERATORS PREPEND "${interpose}/generator/")
  add_custom_command(
    OUTPUT ${wrappers}
    COMMAND
      "${CMAKE_COMMAND}" -E env "PYTHONPATH=${interpose}" "${RADDLE_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/generate.py"
      --files 2 "${RADDLE_MPI_READ}" "${generated}"
    DEPENDS
      "${RADDLE_MPI_READ}"
      raddle_mpi_read
      generate.py
      "${interpose}/generator/header.py"
      "${interpose}/generator/profiled.py"
      "${interpose}/generator/profile_wrappers.py"
      "${interpose}/generator/standard.py"
      ${arg_GENERATORS}
    COMMENT "Making the wrappers of ${target}"
    VERBATIM
  )
  set_source_files_properties(
    ${wrappers}
    PROPERTIES COMPILE_OPTIONS "-Wno-deprecated-declarations;-Wno-unused-parameter"
  )

  add_library(${target} SHARED ${arg_SOURCES} ${wrappers})
  target_include_directories(
    ${target}
    PRIVATE "${PROJECT_SOURCE_DIR}/src" $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  )
  target_link_libraries(${target} PRIVATE MPI::MPI_C raddle_options ${CMAKE_DL_LIBS})
  # What comes next is looked for by name, so that nothing here refers to the MPI; a process has it all the same, as early
  # as with libraddle.
  target_link_options(${target} PRIVATE LINKER:-z,defs LINKER:--no-as-needed "LINKER:--version-script=${map}")
  target_compile_options(${target} PRIVATE -ftls-model=initial-exec)
  set_target_properties(
    ${target}
    PROPERTIES
      CXX_VISIBILITY_PRESET hidden
      VISIBILITY_INLINES_HIDDEN ON
      UNITY_BUILD OFF
      LINKER_LANGUAGE CXX
      LINK_DEPENDS "${map}"
      LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
  )
endfunction()
