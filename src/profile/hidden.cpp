// SPDX-License-Identifier: BSD-3-Clause
#include "profile/hidden.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace raddle::profile {
namespace {

constexpr const char* names[] = {"RADDLE_PROFILE", "RADDLE_PROFILE_TRACE"};

/// A proxy of libraddle's is none of the program's processes, and looks before it begins MPI.
[[gnu::constructor]] void leave_proxies_alone() {
  if (std::strcmp(program_invocation_short_name, "raddle-proxy") != 0) return;
  // NOLINTBEGIN(concurrency-mt-unsafe): before main
  for (const char* const name : names) {
    unsetenv(name);
    unsetenv(("_" + std::string(name)).c_str());
  }
  // NOLINTEND(concurrency-mt-unsafe)
}

}  // namespace

const char* setting(const char* name) {
  // NOLINTBEGIN(concurrency-mt-unsafe): MPI has not begun
  const char* const value = std::getenv(("_" + std::string(name)).c_str());
  return value != nullptr ? value : std::getenv(name);
  // NOLINTEND(concurrency-mt-unsafe)
}

// NOLINTBEGIN(concurrency-mt-unsafe): MPI has not begun, and a program whose other threads read the environment while
// it does would be in danger from the MPI as well
Hidden::Hidden() {
  for (int i = 0; i < 2; ++i) {
    const char* const value = std::getenv(names[i]);
    if (value == nullptr) continue;
    settings_[i] = {true, value};
    unsetenv(names[i]);
  }
}

Hidden::~Hidden() {
  for (int i = 0; i < 2; ++i) {
    if (settings_[i].is_set) setenv(names[i], settings_[i].value.c_str(), 1);
  }
}
// NOLINTEND(concurrency-mt-unsafe)

}  // namespace raddle::profile
