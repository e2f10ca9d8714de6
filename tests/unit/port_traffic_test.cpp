// SPDX-License-Identifier: BSD-3-Clause
// Random traffic of several ports, one thread for all, so that a seed repeats it: sends of all kinds, receives with and
// without wildcards, probes, cancels, and steps of any port at any time. Judged by what MPI-4.1 section 3.5 says of
// every two messages and every two receives.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "engines/direct/port.hpp"
#include "message_buffer.hpp"
#include "port_world.hpp"

namespace raddle::direct {
namespace {

using test::MessageBuffer;
using test::PortWorld;
using test::WorldOptions;

constexpr int ports = 4;
constexpr int tags = 3;

constexpr std::size_t nobody = ~std::size_t{0};

/// What is known of a send.
struct Sent {
  Sent(int sender, int receiver, int with_tag, std::size_t length, bool scattered)
      : from(sender), to(receiver), tag(with_tag), bytes(length), buffer(length, scattered) {}
  int from;
  int to;
  int tag;
  std::size_t bytes;
  MessageBuffer buffer;
  Operation operation;
  bool at_once = false;          ///< there was no need for the operation
  std::size_t receive = nobody;  ///< who got it
  [[nodiscard]] bool cancelled() const { return !at_once && operation.outcome == Outcome::cancelled; }
};

/// What is known of a receive.
struct Received {
  Received(int receiver, int asked, int asked_tag, std::size_t length, bool scattered)
      : at(receiver), source(asked), tag(asked_tag), room(length), buffer(length, scattered) {}
  int at;
  int source;
  int tag;
  std::size_t room;
  MessageBuffer buffer;
  Operation operation;
  std::size_t message = nobody;  ///< what it got
  [[nodiscard]] bool cancelled() const { return operation.outcome == Outcome::cancelled; }
};

bool fits(const Received& receive, const Sent& message) {
  return receive.at == message.to && (receive.source == any || receive.source == message.from) &&
         (receive.tag == any || receive.tag == message.tag);
}

class Traffic {
 public:
  Traffic(std::uint64_t seed, const WorldOptions& options) : random_(seed), world_(options) {}

  void run(int steps) {
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      act();
      look();
    }
    if (!testing::Test::HasFailure()) drain();
    if (!testing::Test::HasFailure()) judge();
  }

 private:
  int draw(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  bool one_in(int limit) { return draw(limit) == 0; }
  int draw_or_any(int limit) { return one_in(3) ? any : draw(limit); }

  std::size_t draw_bytes() {
    if (one_in(200)) return Transfer::least + random_() % 100'000;
    if (one_in(8)) return random_() % 6000;
    return one_in(3) ? 190 + random_() % 20 : random_() % 100;
  }

  std::size_t draw_room() {
    if (one_in(6)) return 8 + draw_bytes();  // may be too little
    return one_in(10) ? Transfer::least + 100'000 : 6000;
  }

  void act() {
    switch (draw(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return send();
      case 4:
      case 5:
      case 6: {
        Received& receive = begin(draw(ports), draw_or_any(ports), draw_or_any(tags));
        return world_[receive.at].receive(receive.source, receive.tag, receive.operation);
      }
      case 7:
        static_cast<void>(take(draw(ports), draw_or_any(ports), draw_or_any(tags)));
        return;
      case 8:
        return cancel();
      default:
        world_[draw(ports)].progress();
    }
  }

  void send() {
    const std::size_t number = sends_.size();
    const std::size_t bytes = draw_bytes();
    // What is too short to tell its number has a tag that does.
    const int tag = bytes < 8 ? tags + static_cast<int>(number) : draw(tags);
    Sent& message = *sends_.emplace_back(std::make_unique<Sent>(draw(ports), draw(ports), tag, bytes, one_in(4)));
    message.buffer.fill(number);
    const endpoints::Body body = message.operation.body = message.buffer.body();
    message.operation.synchronous = one_in(8);
    Port& port = world_[message.from];
    message.at_once = body.scattered == nullptr && !message.operation.synchronous && one_in(2) &&
                      port.send_now(message.to, tag, body.data, body.bytes);
    if (message.at_once) return;
    port.send(message.to, tag, message.operation);
    sending_.push_back(number);
  }

  Received& begin(int at, int source, int tag) {
    receiving_.push_back(receives_.size());
    Received& receive = *receives_.emplace_back(std::make_unique<Received>(at, source, tag, draw_room(), one_in(4)));
    receive.operation.body = receive.buffer.body();
    return receive;
  }

  /// @returns whether there was a message
  bool take(int at, int source, int tag) {
    const bool probed = world_[at].probe(source, tag).has_value();
    Kept* const kept = world_[at].take(source, tag);
    // Between the two it may come, or be cancelled.
    if (kept == nullptr) {
      EXPECT_TRUE(!probed || cancelled_a_send_);
      return false;
    }
    world_[at].receive(*kept, begin(at, source, tag).operation);
    return true;
  }

  void cancel() {
    if (!sending_.empty() && one_in(2)) {
      Sent& message = *sends_[sending_[random_() % sending_.size()]];
      world_[message.from].cancel(message.operation);
      cancelled_a_send_ = true;
    } else if (!receiving_.empty()) {
      Received& receive = *receives_[receiving_[random_() % receiving_.size()]];
      world_[receive.at].cancel(receive.operation);
    }
  }

  /// Sees which operations have ended.
  void look() {
    std::erase_if(receiving_, [&](std::size_t number) {
      const bool ended = receives_[number]->operation.complete();
      if (ended) ended_receive(number);
      return ended;
    });
    std::erase_if(sending_, [&](std::size_t number) {
      const Sent& message = *sends_[number];
      if (!message.operation.complete()) return false;
      const Outcome outcome = message.operation.outcome;
      EXPECT_TRUE(outcome == Outcome::good || outcome == Outcome::cancelled);
      const bool must_be_matched = message.operation.synchronous && outcome == Outcome::good;
      if (must_be_matched) matched_.emplace_back(number, receives_.size());
      return true;
    });
  }

  void ended_receive(std::size_t number) {
    Received& receive = *receives_[number];
    if (receive.cancelled()) return;
    const int tag = receive.operation.came.tag;
    const std::size_t message = tag >= tags ? static_cast<std::size_t>(tag - tags) : receive.buffer.message();
    ASSERT_LT(message, sends_.size()) << "a message that nobody has sent";
    Sent& sent = *sends_[message];
    ASSERT_EQ(sent.receive, nobody) << "received twice: " << message;
    sent.receive = number;
    receive.message = message;
    const std::size_t bytes = std::min(sent.bytes, receive.room);
    ASSERT_TRUE(fits(receive, sent)) << message;
    ASSERT_EQ(receive.operation.came.source, sent.from);
    ASSERT_EQ(tag, sent.tag);
    ASSERT_EQ(receive.operation.bytes, bytes);
    ASSERT_EQ(receive.operation.outcome, bytes < sent.bytes ? Outcome::truncated : Outcome::good);
    ASSERT_EQ(receive.buffer.problem(message, bytes), "") << message;
  }

  /// Ends all that is under way, and receives what is left.
  void drain() {
    for (const std::size_t number : receiving_) world_[receives_[number]->at].cancel(receives_[number]->operation);
    const auto received = [](const auto& message) { return message->cancelled() || message->receive != nobody; };
    const bool ended = world_.until([&] {
      for (int at = 0; at < ports; ++at) {
        while (take(at, any, any)) continue;
      }
      look();
      return testing::Test::HasFailure() ||
             (sending_.empty() && receiving_.empty() && std::ranges::all_of(sends_, received));
    });
    EXPECT_TRUE(ended) << world_.describe();
    world_.until([&] { return world_.left().empty(); });
    EXPECT_EQ(world_.left(), "");
  }

  void judge() {
    for (const auto& message : sends_) {
      ASSERT_TRUE(!message->cancelled() || message->receive == nobody) << "cancelled, and received";
    }
    for (const auto& [message, begun] : matched_) {
      ASSERT_LT(sends_[message]->receive, begun) << "a synchronous send ended before its receive began: " << message;
    }
    for (std::size_t number = 0; number < receives_.size(); ++number) {
      if (receives_[number]->message != nobody) judge(number);
    }
  }

  void judge(std::size_t number) {
    const Received& receive = *receives_[number];
    const Sent& message = *sends_[receive.message];
    for (std::size_t earlier = 0; earlier < receive.message; ++earlier) {
      const Sent& other = *sends_[earlier];
      if (other.from != message.from || other.cancelled() || !fits(receive, other)) continue;
      ASSERT_LT(other.receive, number) << "message " << receive.message << " overtook message " << earlier;
    }
    for (std::size_t earlier = 0; earlier < number; ++earlier) {
      const Received& other = *receives_[earlier];
      if (other.cancelled() || !fits(other, message)) continue;
      const bool had_another = sends_[other.message]->from != message.from || other.message < receive.message;
      ASSERT_TRUE(had_another) << "receive " << number << " overtook receive " << earlier;
    }
  }

  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Sent>> sends_;         // in the order in which they began
  std::vector<std::unique_ptr<Received>> receives_;  // so too
  std::vector<std::size_t> sending_;                 // that have not ended
  std::vector<std::size_t> receiving_;
  std::vector<std::pair<std::size_t, std::size_t>> matched_;  // synchronous sends; receives begun when they had ended
  bool cancelled_a_send_ = false;
  PortWorld world_;
};

const WorldOptions worlds_of_traffic[] = {
    {.ports = ports},
    {.ports = ports, .cells = 256, .eager = 4000, .process = getpid()},
    {.ports = ports, .reachable = false},
    {.ports = ports, .networked = true},
    {.ports = ports, .ring = std::size_t{128} * 1024, .least_in_pipeline = 1000, .process = getpid()},
};

class PortTrafficTest : public testing::TestWithParam<int> {};

TEST_P(PortTrafficTest, IsAsMpiSays) {
  for (int round = 0; round < 3 * test::effort(); ++round) {
    const std::uint64_t seed = test::new_seed();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    WorldOptions options = worlds_of_traffic[GetParam()];
    options.seed = seed;
    Traffic(seed, options).run(2500);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Worlds, PortTrafficTest, testing::Range(0, 5),
                         [](const testing::TestParamInfo<int>& world) { return test::world_names[world.param]; });

}  // namespace
}  // namespace raddle::direct
