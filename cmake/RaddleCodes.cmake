# SPDX-License-Identifier: BSD-3-Clause
# What the installed mpi.h declares, and a header made of it: with that no source of the library throws away an error code
# of the MPI's.
set(RADDLE_MPI_READ "${CMAKE_CURRENT_BINARY_DIR}/mpi.i")
set(RADDLE_CODES "${CMAKE_CURRENT_BINARY_DIR}/codes.h")
list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE includes)
list(TRANSFORM MPI_C_COMPILE_DEFINITIONS PREPEND "-D" OUTPUT_VARIABLE definitions)
add_custom_command(
  OUTPUT "${RADDLE_MPI_READ}"
  COMMAND
    "${CMAKE_C_COMPILER}" ${MPI_C_COMPILE_OPTIONS} ${definitions} ${includes} -E -MD -MF "${RADDLE_MPI_READ}.d" -MT
    "${RADDLE_MPI_READ}" -o "${RADDLE_MPI_READ}" -x c -include "${CMAKE_CURRENT_SOURCE_DIR}/interpose/installed_mpi.h"
    /dev/null
  DEPFILE "${RADDLE_MPI_READ}.d"
  COMMENT "Reading mpi.h"
  VERBATIM
)
add_custom_command(
  OUTPUT "${RADDLE_CODES}"
  COMMAND
    "${RADDLE_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/interpose/check_codes.py" "${RADDLE_MPI_READ}" "${RADDLE_CODES}"
  DEPENDS "${RADDLE_MPI_READ}" interpose/check_codes.py interpose/generator/header.py
  COMMENT "Making the header that has error codes looked at"
  VERBATIM
)
add_custom_target(raddle_mpi_read DEPENDS "${RADDLE_MPI_READ}" "${RADDLE_CODES}")

# Where it is not precompiled it is included by an option of the target.
add_library(raddle_looks_at_codes INTERFACE)
add_dependencies(raddle_looks_at_codes raddle_mpi_read)
target_compile_options(raddle_looks_at_codes INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror=unused-result>)
