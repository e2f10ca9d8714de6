// SPDX-License-Identifier: BSD-3-Clause
// How long messages to another process of the node are copied: through a ring of the sender (pipeline), or by calls of
// the system out of one memory into the other one (fetch). Which is faster hangs on where both cores are, and systems
// move processes: far from each other a ring takes many times as long, while the calls take the same. So what goes
// through a ring is timed on both sides, of which the slower one counts, and where the calls are faster it is tried
// again, ever more rarely. Knows no MPI.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "node/cross_memory.hpp"

namespace raddle::direct {

class CopyChoice {
 public:
  using Time = std::chrono::steady_clock::duration;
  enum class Way : bool { pipeline, fetch };

  /// Beyond so many bytes a ring has been gone through once, and its memory is as it stays.
  void warm_up(std::size_t bytes) { cold_ = bytes; }

  /// For the next message of so many bytes.
  [[nodiscard]] Way next(std::size_t bytes) {
    sent_ += bytes;
    if (is_fast(bytes)) {
      between_tries_ = least_between_tries;
    } else if (pushing_.known && taking_.known) {
      next_try_ = sent_ + between_tries_;
      between_tries_ = std::min(2 * between_tries_, most_between_tries);
      pushing_.known = taking_.known = false;
    }
    const Way way = is_fast(bytes) || sent_ >= next_try_ ? Way::pipeline : Way::fetch;
    if (way == Way::pipeline && last_ == Way::fetch) {
      pushing_.begin();
      taking_.begin();
    }
    return last_ = way;
  }

  /// The sender has copied so much into its ring.
  void pushed(std::size_t bytes, Time time) {
    if (bytes < timed) return;
    if (fetch_ == 0 && pushing_.through + bytes > cold_) {
      static const double of_process = time_of_calls();
      fetch_ = of_process;
    }
    learn(pushing_, bytes, time);
  }

  /// The receiver has copied so much out of it, and the rest of a message by calls.
  void taken(std::size_t bytes, Time time) {
    if (bytes < timed)
      taking_.known = true;  // as well as it will be
    else
      learn(taking_, bytes, time);
  }

  /// One side has copied so much by calls of the system.
  void fetched(std::size_t bytes, Time time) {
    if (fetch_ > 0) fetch_ = mean(fetch_, per_byte(bytes, time));
  }

 private:
  /// What copying into the ring takes, or out of it.
  struct Side {
    double per_byte = 0;        ///< ns; 0: not known yet
    std::uint64_t through = 0;  ///< bytes, since a message went otherwise
    bool known = false;         ///< since then

    void begin() {
      through = 0;
      known = false;
    }
  };

  static constexpr std::size_t timed = std::size_t{32} * 1024;  // shorter copies say little
  static constexpr std::uint64_t least_between_tries = std::uint64_t{64} << 20U;
  static constexpr std::uint64_t most_between_tries = std::uint64_t{1} << 30U;

  static double per_byte(std::size_t bytes, Time time) {
    return std::chrono::duration<double, std::nano>(time).count() / static_cast<double>(bytes);
  }
  /// A copy that was interrupted counts a little.
  static double mean(double before, double now) { return before + (std::min(now, 2 * before) - before) / 8; }

  /// A try that tells of another state counts at once.
  void learn(Side& side, std::size_t bytes, Time time) {
    side.through += bytes;
    if (side.through <= cold_) return;
    const double now = per_byte(bytes, time);
    side.per_byte = side.per_byte == 0 || !is_fast(bytes) ? now : mean(side.per_byte, now);
    side.known = true;
  }
  [[nodiscard]] bool is_fast(std::size_t bytes) const {
    return fetch_ == 0 || std::max(pushing_.per_byte, taking_.per_byte) <= fetch(bytes);
  }
  /// What a byte of such a message takes; of a large one both sides copy half, and one of them ends last.
  [[nodiscard]] double fetch(std::size_t bytes) const {
    constexpr double of_both = 0.6;
    return bytes < node::Transfer::least ? fetch_ : of_both * fetch_;
  }

  /// How fast they copy within this process.
  static double time_of_calls() {
    const std::vector<std::byte> from(node::Transfer::share);
    std::vector<std::byte> to(node::Transfer::share);
    Time least = Time::max();
    for (int attempt = 0; attempt < 3; ++attempt) {
      const auto begin = std::chrono::steady_clock::now();
      if (!node::read_memory(getpid(), reinterpret_cast<std::uintptr_t>(from.data()), to)) return 0;
      least = std::min(least, std::chrono::steady_clock::now() - begin);
    }
    return per_byte(to.size(), least);
  }

  std::size_t cold_ = 0;
  std::uint64_t sent_ = 0;
  Way last_ = Way::pipeline;
  std::uint64_t next_try_ = 0;
  std::uint64_t between_tries_ = least_between_tries;
  Side pushing_;
  Side taking_;
  double fetch_ = 0;  ///< ns for each byte that is copied by calls; 0: not known yet
};

}  // namespace raddle::direct
