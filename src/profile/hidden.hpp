// SPDX-License-Identifier: BSD-3-Clause
// libraddle ends a process whose environment has settings of Raddle's that it does not know. It looks when MPI begins,
// so those for the profile are not there meanwhile.
#pragma once

#include <string>

namespace raddle::profile {

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
