# SPDX-License-Identifier: BSD-3-Clause
# raddle_add_preloaded(<target> <source>...)
# A library that stands before the MPI, and before libraddle if that is preloaded behind it, and has nothing to do with
# either. It has the name of its folder (profile, check): its wrappers of the MPI's functions are made for that name by
# src/interpose/generate_preloaded.py, and what it exports is in <name>.map.
function(raddle_add_preloaded target)
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
  set(interpose "${PROJECT_SOURCE_DIR}/src/interpose")
  get_filename_component(library "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  set(map "${CMAKE_CURRENT_SOURCE_DIR}/${library}.map")
  set(wrappers "${generated}/${library}_names.cpp" "${generated}/${library}_0.cpp" "${generated}/${library}_1.cpp")
  add_custom_command(
    OUTPUT ${wrappers}
    COMMAND
      "${RADDLE_PYTHON}" "${interpose}/generate_preloaded.py" --files 2 ${library} "${RADDLE_MPI_READ}" "${generated}"
    DEPENDS
      "${RADDLE_MPI_READ}"
      raddle_mpi_read
      "${interpose}/generate_preloaded.py"
      "${interpose}/generator/checked.py"
      "${interpose}/generator/header.py"
      "${interpose}/generator/profiled.py"
      "${interpose}/generator/profile_wrappers.py"
      "${interpose}/generator/standard.py"
    COMMENT "Making the wrappers of ${target}"
    VERBATIM
  )
  set_source_files_properties(
    ${wrappers}
    PROPERTIES COMPILE_OPTIONS "-Wno-deprecated-declarations;-Wno-unused-parameter"
  )

  add_library(${target} SHARED ${ARGN} ${wrappers})
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
