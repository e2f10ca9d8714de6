// SPDX-License-Identifier: BSD-3-Clause
// Turns a hang into an outcome within seconds, wherever inside the MPI library it is.
#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace raddle::inspect {

/// To be called now and then by a trial whose time depends on the machine: it is slow, and does not hang.
void still_alive();

/// While it lives, says `hang` and ends the process when the trial takes, or gives no sign of life for, 3 s.
class Watchdog {
 public:
  explicit Watchdog(std::string trial);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch();

  std::string trial_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace raddle::inspect
