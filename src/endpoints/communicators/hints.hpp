// SPDX-License-Identifier: BSD-3-Clause
// Raddle's info keys, where a bad one is an error of the MPI's classes for that.
#pragma once

#include <mpi.h>

#include <string>

#include "endpoints/errors.hpp"
#include "platform/own_hints.hpp"

namespace raddle::endpoints {

/// The settings, with what the hints in `info` say instead.
/// @throws Failure: a raddle_ key that these functions have not, or a bad value; platform::SettingsError
inline platform::Settings settings_with(platform::Hints of, MPI_Info info) {
  try {
    return platform::settings_with(of, info);
  } catch (const platform::HintError& error) {
    throw Failure(
        error_with(error.unknown ? MPI_ERR_INFO_KEY : MPI_ERR_INFO_VALUE, std::string("Raddle: ") + error.what()));
  }
}

}  // namespace raddle::endpoints
