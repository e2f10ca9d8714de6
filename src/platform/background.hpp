// SPDX-License-Identifier: BSD-3-Clause
// A thread for what must go on although no thread of the program comes by. Seldom needed, so it looks seldom. Knows no
// MPI.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace raddle::platform {

class Background {
 public:
  /// A step of something. @returns whether more are needed
  using Step = std::function<bool()>;

  /// The process's. Its thread begins with the first step.
  static Background& get();

  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Does nothing after end().
  void add(Step step);
  /// Waits until no step is being made; those that are left are forgotten.
  void end();

 private:
  void run();

  std::mutex guard_;
  std::condition_variable news_;
  std::vector<Step> steps_;
  std::thread thread_;
  bool ending_ = false;
};

}  // namespace raddle::platform
