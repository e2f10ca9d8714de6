// SPDX-License-Identifier: BSD-3-Clause
// RADDLE_* environment variables: one table, checked as a whole, so that a misspelt name is an error and not a silence.
#pragma once

#include <stdexcept>
#include <string>

namespace raddle::platform {

struct Settings {
  bool count_calls = false;
  int lanes_max = 1024;
};

/// An unknown RADDLE_* name or a bad value; the message lists what is valid.
class SettingsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads `environment` (as `environ`: NAME=VALUE strings, ended by nullptr). Names that the command and the tests use
/// for themselves are accepted and ignored. @throws SettingsError
Settings parse_settings(const char* const* environment);

/// The settings of this process, parsed at the first call; a bad environment throws at every call. @throws
/// SettingsError
const Settings& settings();

}  // namespace raddle::platform
