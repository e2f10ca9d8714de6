// SPDX-License-Identifier: BSD-3-Clause
// What an endpoint takes, and what making communicators takes, with very many ranks. tools/scale.py prints the figures.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/communicators/two_phase_commit.hpp"
#include "engines/direct/port.hpp"

namespace {

using raddle::direct::Header;
using raddle::direct::Inbox;
using raddle::direct::Operation;
using raddle::direct::Peer;
using raddle::direct::Peers;
using raddle::direct::Port;
using raddle::endpoints::TwoPhaseCommit;

constexpr std::array sizes{100, 1'000, 10'000, 100'000};

/// Takes all packets; nothing ever comes.
class Sink final : public raddle::direct::Network {
 public:
  [[nodiscard]] std::size_t eager() const override { return 8192; }
  std::byte* packet(int, std::size_t payload) override {
    bytes_.resize(payload);
    return bytes_.data();
  }
  void add(const Header&) override { ++sent; }
  void push() override {}
  [[nodiscard]] bool may_wait() const override { return false; }
  std::int64_t body_tag() override { return 0; }
  void send_body(int, std::int64_t, std::span<const std::byte>, bool, raddle::direct::Reference) override {}
  void receive_body(int, std::int64_t, std::size_t, const raddle::endpoints::Body&,
                    raddle::direct::Reference) override {}
  void drop_body(int, std::int64_t, std::size_t) override {}
  [[nodiscard]] bool drops_bodies() const override { return false; }
  void poll(raddle::direct::Handler&, raddle::direct::Reading) override {}

  int sent = 0;

 private:
  std::vector<std::byte> bytes_;
};

class Nobody final : public raddle::direct::Surroundings {
  void meanwhile() override {}
  void blocked(const char*) override {}
};

/// Of this process, in memory: bytes.
std::size_t resident() {
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/proc/self/statm", "r"), std::fclose);
  unsigned long all = 0;
  unsigned long here = 0;
  if (!file || std::fscanf(file.get(), "%lu %lu", &all, &here) != 2) return 0;
  return here * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// The endpoints of one process, 64 to a node, among so many.
class Endpoints {
 public:
  static constexpr int here = 64;

  explicit Endpoints(int ranks) {
    std::vector<Peers::Near> near;
    for (int rank = 0; rank < here; ++rank) {
      inboxes_.push_back(std::make_unique<Memory>());
      near.emplace_back(rank, Peer{.inbox = inboxes_.back()->inbox});
    }
    const auto peers = std::make_shared<const Peers>(ranks, std::move(near));
    for (int rank = 0; rank < here; ++rank)
      ports_.push_back(std::make_unique<Port>(rank, (*peers)[rank], peers, raddle::direct::PortOptions{.eager = 8192},
                                              &network, nobody_));
  }

  /// Each endpoint, to as many others as a stencil has neighbours, all over the ranks.
  void talk(int ranks) {
    constexpr int neighbours = 26;
    for (const auto& port : ports_) {
      for (int other = 1; other <= neighbours; ++other) {
        Operation operation;
        operation.sends = true;
        operation.body = {data_.data(), data_.size(), nullptr};
        port->send(static_cast<int>(std::int64_t{ranks - 1} * other / neighbours), 0, operation);
        EXPECT_TRUE(operation.complete());
      }
    }
  }

  Sink network;

 private:
  struct Memory {
    static constexpr std::uint64_t cells = 64;
    alignas(64) std::array<std::byte, Inbox::memory(cells)> bytes{};
    Inbox* inbox = new (bytes.data()) Inbox(cells);
  };

  Nobody nobody_;
  std::array<std::byte, 8> data_{};
  std::vector<std::unique_ptr<Memory>> inboxes_;
  std::vector<std::unique_ptr<Port>> ports_;
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // which has memory of its own for all that is looked at
#else
constexpr bool sanitized = false;
#endif

/// What is kept of a rank is kept once it is spoken to.
TEST(Scale, AnEndpointTakesMemoryForThoseThatItSpeaksTo) {
  if (sanitized) GTEST_SKIP() << "memory of the sanitizer's own is counted, too";
  for (const int ranks : sizes) {
    const std::size_t before = resident();
    Endpoints endpoints(ranks);
    endpoints.talk(ranks);
    const std::size_t each = (resident() - before) / Endpoints::here;
    RecordProperty("bytes_of_an_endpoint_among_" + std::to_string(ranks), std::to_string(each));
    EXPECT_GT(endpoints.network.sent, 0);
    EXPECT_GT(each, 0U);
    EXPECT_LT(each, 256U * 1024) << "among " << ranks;  // without its inbox and its packets, which are the same for all
  }
}

/// What making one communicator takes, if all messages take the same time.
struct Cost {
  int rounds = 0;
  std::size_t messages = 0;
  std::size_t most_of_one = 0;  ///< messages that one process sends
};

Cost cost_of(std::size_t processes) {
  std::vector<TwoPhaseCommit> all;
  for (std::size_t position = 0; position < processes; ++position) all.emplace_back(position, processes);
  for (TwoPhaseCommit& one : all) one.come();
  std::vector<std::size_t> sent(processes);
  Cost cost;
  for (;; ++cost.rounds) {
    std::vector<TwoPhaseCommit::Message> under_way;
    for (std::size_t position = 0; position < processes; ++position) {
      TwoPhaseCommit& one = all[position];
      if (one.wants_lock()) one.answer(TwoPhaseCommit::Answer::taken);
      for (const TwoPhaseCommit::Message& message : one.take_messages()) {
        under_way.push_back(message);
        ++sent[position];
      }
    }
    if (under_way.empty()) break;
    cost.messages += under_way.size();
    for (const TwoPhaseCommit::Message& message : under_way) all[message.to].receive(message.news);
  }
  for (std::size_t position = 0; position < processes; ++position) {
    EXPECT_TRUE(all[position].committed()) << position;
    cost.most_of_one = std::max(cost.most_of_one, sent[position]);
  }
  return cost;
}

TEST(Scale, ACommunicatorIsMadeInRoundsOfALogarithm) {
  for (const int processes : {2, 8, 64, 100, 1'000, 10'000, 100'000}) {
    const Cost cost = cost_of(static_cast<std::size_t>(processes));
    const std::string among = "_among_" + std::to_string(processes);
    RecordProperty("rounds" + among, cost.rounds);
    RecordProperty("messages" + among, std::to_string(cost.messages));
    RecordProperty("most_of_one" + among, std::to_string(cost.most_of_one));
    // Up the tree, down, up, down: four times its height, of four branches.
    const auto height = static_cast<int>(std::bit_width(static_cast<unsigned>(processes)) + 1) / 2;
    EXPECT_LE(cost.rounds, 4 * height) << processes;
    EXPECT_EQ(cost.messages, 4 * (static_cast<std::size_t>(processes) - 1)) << processes;
    EXPECT_LE(cost.most_of_one, 10U) << processes;
  }
}

}  // namespace
