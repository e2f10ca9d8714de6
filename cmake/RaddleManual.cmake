# SPDX-License-Identifier: BSD-3-Clause
# The pages that texts name (docs/...), and the manual: that which a source distribution brings, or else made here, of
# the command and the header. That needs Python packages of the command's; without them nothing but the manual is
# missing.
include(GNUInstallDirs)

install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/docs"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  FILES_MATCHING
  PATTERN "*.md"
  PATTERN "man" EXCLUDE
  PATTERN "results" EXCLUDE
)

set(manual "${PROJECT_SOURCE_DIR}/docs/man")
set(writer "${PROJECT_SOURCE_DIR}/tools/write_reference.py")
if(EXISTS "${writer}" AND (EXISTS "${PROJECT_SOURCE_DIR}/.git" OR NOT EXISTS "${manual}"))
  set(manual "${PROJECT_BINARY_DIR}/man")
  file(GLOB sources "${PROJECT_SOURCE_DIR}/raddle/verbs/*.py" "${PROJECT_SOURCE_DIR}/tools/reference/*.py")
  add_custom_command(
    OUTPUT "${manual}.made"
    COMMAND "${RADDLE_PYTHON}" "${writer}" --manual "${manual}" || "${CMAKE_COMMAND}" -E echo "No manual is made."
    COMMAND "${CMAKE_COMMAND}" -E touch "${manual}.made"
    DEPENDS ${sources} "${writer}" "${PROJECT_SOURCE_DIR}/include/raddle/raddle.h"
    VERBATIM
  )
  add_custom_target(raddle-manual ALL DEPENDS "${manual}.made")
endif()
install(DIRECTORY "${manual}/" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
