// SPDX-License-Identifier: BSD-3-Clause
// Turns a hang into an outcome within seconds, wherever inside the MPI library it is.
#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace raddle::inspect {

/// While it lives, says `hang` and ends the process when the trial takes longer than 3 s.
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
