// SPDX-License-Identifier: BSD-3-Clause
// The nonblocking collectives of one endpoint: one thread at a time advances them, and calls the program's operators
// without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "endpoints/collectives/collective.hpp"
#include "platform/spin_lock.hpp"

namespace raddle::endpoints::collectives {

class Sequence {
 public:
  /// @param under_way  counts them
  explicit Sequence(std::atomic<std::uint32_t>& under_way) : under_way_(under_way) {}
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  /// The number of the endpoint's next collective on its communicator among those of its process. Of one that meets on
  /// the node nothing: it takes its numbers there when its turn has come. One thread at a time, as MPI demands.
  std::uint64_t next(Collective& collective) { return collective.choose_meeting(last_on_node_) ? 0 : next(false); }

  /// Of one that takes one number.
  std::uint64_t next(bool on_node) { return on_node ? ++last_on_node_ : ++last_; }

  /// The last number whose slot is known to be open, in the meeting of all ranks.
  std::uint64_t open_until = Meeting::slots;

  /// Begins one, which stays until it is complete.
  void start(Collective& collective, std::uint64_t number);
  /// Nobody waits for one that was begun: it ends itself.
  void adopt(std::unique_ptr<Collective> collective);

  /// None: what those before have done to the numbers can be seen.
  [[nodiscard]] bool any() const { return under_way_.load(std::memory_order_acquire) != 0; }
  /// One step for each. Any thread; does nothing while another one does it, or where the program's operator calls it.
  void progress();

 private:
  struct Started {
    Collective* collective;
    std::uint64_t number;
  };

  void advance_all();
  void end(Collective& collective);

  std::uint64_t last_ = 0;
  std::uint64_t last_on_node_ = 0;
  std::atomic<std::uint32_t>& under_way_;
  std::atomic<bool> advancing_{false};
  std::vector<Started> started_;  ///< of the one who advances them
  platform::SpinLock lock_;       ///< for what follows; nothing of the program's is called under it
  std::vector<Started> begun_;    ///< after those in started_
  std::vector<std::unique_ptr<Collective>> adopted_;
};

}  // namespace raddle::endpoints::collectives
