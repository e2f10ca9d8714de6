// SPDX-License-Identifier: BSD-3-Clause
#include "raddle/raddle.h"

int Raddle_Get_version(int* major, int* minor, int* patch) {
  if (major != nullptr) *major = RADDLE_VERSION_MAJOR;
  if (minor != nullptr) *minor = RADDLE_VERSION_MINOR;
  if (patch != nullptr) *patch = RADDLE_VERSION_PATCH;
  return MPI_SUCCESS;
}
