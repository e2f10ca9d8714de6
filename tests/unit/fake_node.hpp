// SPDX-License-Identifier: BSD-3-Clause
// What the endpoints of a node share, in one process: inboxes and what else is reached by others, in ordinary memory.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "engines/direct/transport.hpp"

namespace raddle::test {

struct WorldOptions {
  int ports = 2;
  std::uint64_t cells = 64;  ///< of an inbox: few, so that it is often full
  std::size_t eager = 200;
  bool reachable = true;
  std::size_t ring = 0;  ///< bytes of a ring; 0: none
  std::size_t least_in_pipeline = direct::Pipeline::least;
  pid_t process = 0;       ///< what ports take others to be in
  pid_t of_first = -1;     ///< what the first port takes them to be in, if that is another one
  bool networked = false;  ///< each port is a node of its own
  std::uint64_t seed = 1;  ///< of delays in the network
};

class FakeNode {
 public:
  explicit FakeNode(const WorldOptions& options) : options_(options) {
    for (int rank = 0; rank < options.ports; ++rank)
      memory_.push_back(std::make_unique<Memory>(options.cells, options.ring));
  }

  /// What one of them knows of all.
  [[nodiscard]] std::shared_ptr<const direct::Peers> peers_of(int rank) {
    std::vector<direct::Peers::Near> peers;
    for (int peer = 0; peer < options_.ports; ++peer) {
      Memory& memory = memory_of(peer);
      const bool own = peer == rank;
      if (own || !options_.networked) {
        peers.emplace_back(peer, direct::Peer{.inbox = memory.inbox,
                                              .process = own                                   ? 0
                                                         : rank == 0 && options_.of_first >= 0 ? options_.of_first
                                                                                               : options_.process,
                                              .reachable = own || options_.reachable,
                                              .transfers = memory.transfers,
                                              .pipelines = memory.ring.empty() ? nullptr : memory.pipelines,
                                              .ring = direct::PipelineRing(memory.ring),
                                              .left = own ? nullptr : &memory.left});
      }
    }
    return std::make_shared<direct::Peers>(options_.ports, std::move(peers));
  }

  /// The process of this one needs it no longer.
  void leave(int rank) { memory_of(rank).left.store(1, std::memory_order_release); }
  [[nodiscard]] bool has_left(int rank) { return memory_of(rank).left.load(std::memory_order_relaxed) != 0; }

 private:
  /// The shared memory of one of them.
  struct Memory {
    Memory(std::uint64_t cells, std::size_t ring_bytes)
        : bytes(new (std::align_val_t{64}) std::byte[direct::Inbox::memory(cells)]), ring(ring_bytes) {
      std::memset(bytes, 0, direct::Inbox::memory(cells));
      inbox = new (bytes) direct::Inbox(cells);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { ::operator delete[](bytes, std::align_val_t{64}); }

    std::byte* bytes;
    direct::Inbox* inbox;
    std::vector<std::byte> ring;
    direct::Transfer transfers[direct::transfers_of_each];
    direct::Pipeline pipelines[direct::transfers_of_each];
    std::atomic<std::uint64_t> left{0};
  };

  [[nodiscard]] Memory& memory_of(int rank) { return *memory_[static_cast<std::size_t>(rank)]; }

  WorldOptions options_;
  std::vector<std::unique_ptr<Memory>> memory_;
};

}  // namespace raddle::test
