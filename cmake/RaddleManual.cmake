# SPDX-License-Identifier: BSD-3-Clause
# The pages that texts name (docs/...), and those of the manual (docs/man, made by tools/write_reference.py). A page of
# section 3 is about several functions, which its NAME lists: each gets a page that leads there.
include(GNUInstallDirs)

install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/docs"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  FILES_MATCHING
  PATTERN "*.md"
  PATTERN "man" EXCLUDE
  PATTERN "results" EXCLUDE
)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")

# By the directory's time. With CONFIGURE_DEPENDS ninja cannot tell beforehand whether there is something to do.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/man3")
file(GLOB pages "${PROJECT_SOURCE_DIR}/docs/man/man3/*.3")
foreach(page IN LISTS pages)
  get_filename_component(file "${page}" NAME)
  file(STRINGS "${page}" line REGEX [[^raddle_.* \\- ]])
  string(REGEX REPLACE [[ \\-.*]] "" line "${line}")
  string(REPLACE ", " ";" names "${line}")
  list(POP_FRONT names)
  foreach(name IN LISTS names)
    file(WRITE "${PROJECT_BINARY_DIR}/man3/${name}.3" ".so man3/${file}\n")
    install(FILES "${PROJECT_BINARY_DIR}/man3/${name}.3" DESTINATION "${CMAKE_INSTALL_MANDIR}/man3")
  endforeach()
endforeach()
