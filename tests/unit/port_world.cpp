// SPDX-License-Identifier: BSD-3-Clause
#include "port_world.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace raddle::test {
namespace {

constexpr auto patience = std::chrono::seconds(40);  // less than the limit of a test

}  // namespace

/// The shared memory of one port.
struct PortWorld::Memory {
  explicit Memory(std::uint64_t cells) : bytes(new (std::align_val_t{64}) std::byte[direct::Inbox::memory(cells)]) {
    std::memset(bytes, 0, direct::Inbox::memory(cells));
    inbox = new (bytes) direct::Inbox(cells);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { ::operator delete[](bytes, std::align_val_t{64}); }

  std::byte* bytes;
  direct::Inbox* inbox;
  direct::Transfer transfers[direct::transfers_of_each];
  std::atomic<std::uint64_t> left{0};
};

PortWorld::PortWorld(const WorldOptions& options) : wire_(options.seed), made_(std::chrono::steady_clock::now()) {
  for (int rank = 0; rank < options.ports; ++rank) memory_.push_back(std::make_unique<Memory>(options.cells));
  for (int rank = 0; rank < options.ports; ++rank) {
    auto peers = std::make_shared<std::vector<direct::Peer>>();
    for (int peer = 0; peer < options.ports; ++peer) {
      Memory& memory = *memory_[static_cast<std::size_t>(peer)];
      const bool own = peer == rank;
      if (own || !options.networked) {
        peers->push_back({.inbox = memory.inbox,
                          .process = own                                  ? 0
                                     : rank == 0 && options.of_first >= 0 ? options.of_first
                                                                          : options.process,
                          .reachable = own || options.reachable,
                          .transfers = memory.transfers,
                          .left = own ? nullptr : &memory.left});
      } else {
        peers->push_back({});
      }
    }
    if (options.networked) networks_.push_back(std::make_unique<FakeNetwork>(wire_, rank));
    direct::Network* const network = options.networked ? networks_.back().get() : nullptr;
    direct::Surroundings& surroundings = *this;
    ports_.push_back(std::make_unique<direct::Port>(rank, std::move(peers), direct::PortOptions{options.eager, true},
                                                    network, surroundings));
  }
}

PortWorld::~PortWorld() = default;

bool PortWorld::step() {
  bool any = false;
  for (int rank = 0; rank < size(); ++rank) {
    direct::Port& port = (*this)[rank];
    if (!port.has_news() || memory_[static_cast<std::size_t>(rank)]->left.load(std::memory_order_relaxed) != 0)
      continue;
    any = true;
    port.progress();
  }
  return any;
}

void PortWorld::leave(int rank) { memory_[static_cast<std::size_t>(rank)]->left.store(1, std::memory_order_release); }

std::string PortWorld::left() {
  std::string text = wire_.describe();
  for (int rank = 0; rank < size(); ++rank) {
    const std::string of_port = (*this)[rank].describe();
    if (of_port != "rank " + std::to_string(rank)) text += "\n" + of_port;
    if ((*this)[rank].unfinished()) text += "\nrank " + std::to_string(rank) + " is unfinished";
  }
  return text;
}

std::string PortWorld::describe() {
  std::string text = wire_.describe();
  for (const auto& port : ports_) text += "\n" + port->describe();
  return text;
}

void PortWorld::blocked(const char* call) {
  if (std::chrono::steady_clock::now() - made_ < patience) return;
  std::fprintf(stderr, "%s does not end%s\n", call, describe().c_str());
  std::abort();
}

}  // namespace raddle::test
