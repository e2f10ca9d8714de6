// SPDX-License-Identifier: BSD-3-Clause
// What moves the operations that requests stand for: an endpoint, or what carries partitioned messages of processes.
// Completion calls ask it for progress while they are blocked.
#pragma once

#include <atomic>
#include <cstdint>

#include "endpoints/errors.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints {

class Mover : public Object {
 public:
  /// @param raises  errors of its requests are raised there
  explicit Mover(MPI_Comm raises) : Object{raises} {}
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;

  /// One step for everything of it that is under way. Any thread.
  void progress() {
    progress_messages();
    progress_rest();
  }
  /// The same without its messages, which the caller sees to.
  void progress_rest() {
    if (others_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      progress_others();
  }
  /// How many operations are under way besides messages: who starts and ends them counts here.
  [[nodiscard]] std::atomic<std::uint32_t>& others() { return others_; }

  // For calls that are blocked (platform/waiting.hpp).
  /// Whether busy contexts exceed cores.
  [[nodiscard]] virtual bool crowded() const = 0;
  /// One step for what others owe in this process: it may be what the other side needs first (MPI-4.1 section 3.5,
  /// progress).
  virtual void meanwhile() = 0;
  /// Another tenth of a second has gone by in `call`: looks for processes that have ended, and tells the user what
  /// waits for what if that has been asked for.
  virtual void blocked(const char* call) = 0;

 protected:
  ~Mover() = default;

  virtual void progress_messages() = 0;
  /// Of what is not messages, while there is any.
  virtual void progress_others() {}

  std::atomic<std::uint32_t> others_{0};
};

// How a call is blocked.

/// Looks until it has succeeded, for the MPI function `call`. To make progress with what it waits for is up to `look`;
/// what others owe in this process is seen to here.
template <typename Look>
void until(Mover& mover, const char* call, Look&& look) {
  platform::Waiting waiting(mover.crowded());
  while (!look()) {
    waiting.turn();
    if (waiting.idle()) mover.meanwhile();
    if (waiting.long_wait()) mover.blocked(call);
  }
}

/// The same where `look` leaves progress to it.
template <typename Look>
void progress_until(Mover& mover, const char* call, Look&& look) {
  until(mover, call, [&] {
    mover.progress();
    return look();
  });
}

}  // namespace raddle::endpoints
