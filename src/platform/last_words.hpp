// SPDX-License-Identifier: BSD-3-Clause
// What a process says before it ends its job.
#pragma once

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <ctime>
#include <mutex>
#include <string_view>

namespace raddle::platform {

/// Writes to stderr, and stays until it was read and a moment longer: launchers (seen: Hydra) drop what they have not
/// passed on when a job is aborted. On a loaded machine either can take long. Safe in a handler of signals.
inline void last_words(std::string_view text) {
  // At once, in one piece: this process may be ended any moment.
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  constexpr int longest = 200;  // nobody may be reading
  constexpr timespec pause{.tv_sec = 0, .tv_nsec = 5'000'000};
  constexpr timespec moment{.tv_sec = 0, .tv_nsec = 200'000'000};
  struct stat about{};  // of a terminal or a file the kernel would tell something else
  const bool pipe = fstat(STDERR_FILENO, &about) == 0 && S_ISFIFO(about.st_mode);
  int unread = 0;
  for (int waits = 0; pipe && waits < longest && ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; ++waits)
    nanosleep(&pause, nullptr);
  nanosleep(&moment, nullptr);
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
