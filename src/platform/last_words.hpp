// SPDX-License-Identifier: BSD-3-Clause
// What a process says before it ends its job.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace raddle::platform {

/// Writes to stderr, and stays a moment: launchers (seen: Hydra) drop what they have not passed on when a job is
/// aborted.
inline void last_words(const std::string& text) {
  // At once, in one piece: this process may be ended any moment.
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t more = write(STDERR_FILENO, text.data() + written, text.size() - written);
    if (more <= 0) break;
    written += static_cast<std::size_t>(more);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

// Several threads of a process may want to end the job at once, and not all MPIs bear that (Open MPI's messages are
// made in one place for all threads).

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
