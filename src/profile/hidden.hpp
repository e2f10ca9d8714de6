// SPDX-License-Identifier: BSD-3-Clause
// The settings of the profile: RADDLE_PROFILE, a directory, and RADDLE_PROFILE_TRACE, a number of bytes.
//
// libraddle ends a process whose environment has settings of Raddle's that it does not know. It looks when MPI begins,
// so these are not there meanwhile. With proxies it looks earlier, before anything here can run; therefore the same
// names with an underscore in front are read as well, which libraddle takes for nobody's (raddle/profile/preload.py).
#pragma once

#include <string>

namespace raddle::profile {

/// The value of RADDLE_PROFILE or RADDLE_PROFILE_TRACE; nullptr: it is not set.
const char* setting(const char* name);

class Hidden {
 public:
  Hidden();
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;
  ~Hidden();

 private:
  struct Setting {
    bool is_set = false;
    std::string value;
  };
  Setting settings_[2];
};

}  // namespace raddle::profile
