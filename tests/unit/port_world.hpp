// SPDX-License-Identifier: BSD-3-Clause
// Ports of a node, or of several, in one process.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engines/direct/port.hpp"
#include "fake_network.hpp"
#include "fake_node.hpp"

namespace raddle::test {

/// The worlds that random tests go through, in this order.
inline constexpr const char* world_names[] = {"own_process", "other_process", "unreachable", "network", "pipelined"};

class PortWorld final : direct::Surroundings {
 public:
  explicit PortWorld(const WorldOptions& options);
  PortWorld(const PortWorld&) = delete;
  PortWorld& operator=(const PortWorld&) = delete;
  ~PortWorld() override;

  direct::Port& operator[](int rank) { return *ports_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int size() const { return static_cast<int>(ports_.size()); }

  /// One thread for all: ports that say that there is something to do make a step, until `ended()`.
  /// @returns false: nothing more happens, or far too much
  template <typename Ended>
  bool until(Ended&& ended) {
    constexpr int most_rounds = 200'000;
    for (int round = 0; round < most_rounds; ++round) {
      if (ended()) return true;
      if (!step()) return ended();
    }
    return false;
  }

  /// So many rounds of steps, for what must not happen.
  void let_pass(int rounds) {
    for (int round = 0; round < rounds; ++round) step();
  }

  /// The process of this port needs it no longer: it makes no step any more, and the others see that.
  void leave(int rank);

  /// What has not ended, of all ports and the network; empty: nothing.
  [[nodiscard]] std::string left();

  /// What waits, of all ports. For people.
  [[nodiscard]] std::string describe();

 private:
  bool step();
  void meanwhile() override {}
  void blocked(const char* call) override;

  Wire wire_;
  FakeNode node_;
  std::vector<std::unique_ptr<FakeNetwork>> networks_;
  std::vector<std::unique_ptr<direct::Port>> ports_;
  std::chrono::steady_clock::time_point made_;
};

}  // namespace raddle::test
