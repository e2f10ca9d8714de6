// SPDX-License-Identifier: BSD-3-Clause
// Ends a launch in which nothing moves any more, and tells who waited for what.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace raddle::bench {

class Watchdog {
 public:
  /// @param patience seconds without any move on the Board
  /// @param bark called once, on the watchdog's own thread, with the report; it should end the process
  Watchdog(double patience, std::function<void(const std::string& report)> bark);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(double patience);

  std::function<void(const std::string&)> bark_;
  std::mutex guard_;
  std::condition_variable end_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace raddle::bench
