// SPDX-License-Identifier: BSD-3-Clause
// Several threads of a process may want to end the job at once, and not all MPIs bear that (Open MPI's messages are
// made in one place for all threads).
#pragma once

#include <mutex>

namespace raddle::platform {

/// While it lives no other thread of this process ends the job: mostly nobody comes back from there.
class Ending {
 public:
  Ending() = default;

 private:
  static std::recursive_mutex& turn() {
    static auto& lasting = *new std::recursive_mutex;  // the destructors of a program may be running
    return lasting;
  }
  std::lock_guard<std::recursive_mutex> lock_{turn()};
};

}  // namespace raddle::platform
