// SPDX-License-Identifier: BSD-3-Clause
// Those with whom an endpoint exchanges messages, and how they are reached. Knows no MPI.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engines/inbox.hpp"
#include "node/cross_memory.hpp"
#include "node/pipeline.hpp"

namespace raddle::direct {

using engines::Inbox;
using node::Pipeline;
using node::PipelineRing;
using node::Transfer;

/// What a transport knows of an endpoint: its own, and those that it may send to.
struct Peer {
  Inbox* inbox = nullptr;               ///< nullptr: it is on another node
  pid_t process = 0;                    ///< 0: of this process
  bool reachable = false;               ///< either can copy from and to the memory of the other
  std::size_t eager = ~std::size_t{0};  ///< the longest body that is copied through its inbox, if shorter than usual
  Transfer* transfers = nullptr;        ///< those of what it sends; as many as `transfers_of_each`
  Pipeline* pipelines = nullptr;        ///< likewise; nullptr: there is no memory for them
  PipelineRing ring;                    ///< of its pipelines
  const std::atomic<std::uint64_t>* left = nullptr;  ///< not 0: its process, another one, reads its inbox no more
};
constexpr int transfers_of_each = 64;

/// By rank. Of those on other nodes there is nothing to know, and nothing is kept.
class Peers {
 public:
  using Near = std::pair<int, Peer>;  ///< with its rank

  /// @param near  those of this node
  Peers(int size, std::vector<Near> near) : size_(size), near_(std::move(near)) {
    std::ranges::sort(near_, {}, &Near::first);
  }

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] const Peer& operator[](int rank) const {
    static constexpr Peer of_another_node{};
    const auto found = std::ranges::lower_bound(near_, rank, {}, &Near::first);
    return found != near_.end() && found->first == rank ? found->second : of_another_node;
  }

  /// Those of this node, in the order of ranks.
  [[nodiscard]] const std::vector<Near>& near() const { return near_; }
  /// `size` ranks from `first` on, as those from 0 on.
  [[nodiscard]] Peers part(int first, int size) const {
    std::vector<Near> some;
    for (const auto& [rank, peer] : near_) {
      if (rank >= first && rank < first + size) some.emplace_back(rank - first, peer);
    }
    return {size, std::move(some)};
  }

 private:
  int size_;
  std::vector<Near> near_;
};

}  // namespace raddle::direct
