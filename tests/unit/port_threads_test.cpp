// SPDX-License-Identifier: BSD-3-Clause
// Ports of threads that run at the same time, one thread or two each.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
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
using Random = std::mt19937_64;

const WorldOptions worlds_of_threads[] = {
    {.ports = 3},
    {.ports = 3, .process = getpid()},
    {.ports = 3, .reachable = false},
    {.ports = 3, .networked = true},
    {.ports = 3, .ring = std::size_t{256} * 1024, .least_in_pipeline = 500, .process = getpid()},
};

class PortThreadsTest : public testing::TestWithParam<int> {
 protected:
  PortThreadsTest() : seed_(test::new_seed()), world_(options(seed_)) {}

  static WorldOptions options(std::uint64_t seed) {
    WorldOptions options = worlds_of_threads[GetParam()];
    options.seed = seed;
    return options;
  }

  void wrong(const std::string& what) {
    const std::lock_guard lock(guard_);
    if (problem_.empty()) problem_ = what;
  }

  /// How long a message is, which both sides know: mostly short, now and then one that both may copy.
  [[nodiscard]] std::size_t bytes_of(std::uint64_t message) const {
    Random random(seed_ + message);
    switch (random() % 16) {
      case 0:
        return random() % 16 == 0 ? Transfer::least + random() % 1000 : random() % 9000;
      case 1:
        return 190 + random() % 20;
      case 2:
        return random() % 2000;
      default:
        return random() % 120;
    }
  }

  static std::uint64_t id_of(int tag, int number) {
    return static_cast<std::uint64_t>(tag) << 32U | static_cast<unsigned>(number);
  }

  std::uint64_t seed_;
  PortWorld world_;
  std::mutex guard_;
  std::string problem_;
};

/// An operation on the heap that is freed the moment it is complete: AddressSanitizer finds whoever touches it later,
/// ThreadSanitizer whoever still does.
struct Heaped {
  Heaped(std::size_t bytes, bool scattered) : buffer(bytes, scattered) { operation.body = buffer.body(); }
  MessageBuffer buffer;
  Operation operation;
};

/// What a thread sends to a thread is a stream with a tag of its own; each message tells its number in it.
constexpr int threads_each = 2;

TEST_P(PortThreadsTest, BringsEachMessageOnceAndInOrderBetweenTwoThreadsOfEachPort) {
  SCOPED_TRACE(testing::Message() << "seed " << seed_);
  const int messages = 100 * test::effort();
  const int ports = world_.size();
  const int all = ports * threads_each;
  std::atomic<int> at_work{all};
  std::vector<std::thread> team;
  for (int me = 0; me < all; ++me) {
    team.emplace_back([&, me] {
      Port& port = world_[me / threads_each];
      Random random(seed_ + static_cast<std::uint64_t>(me));
      const auto tag = [all](int from, int to) { return from * all + to; };
      std::vector<int> to_send(static_cast<std::size_t>(all), messages);
      std::vector<int> to_receive(static_cast<std::size_t>(all), messages);
      std::vector<std::unique_ptr<Heaped>> sends;
      int left = 2 * all * messages;
      const auto reap = [&] {
        left -= static_cast<int>(std::erase_if(sends, [](const auto& send) { return send->operation.complete(); }));
      };
      const auto send = [&](int to) {
        const int number = messages - to_send[static_cast<std::size_t>(to)]--;
        const std::uint64_t id = id_of(tag(me, to), number);
        auto message = std::make_unique<Heaped>(bytes_of(id), random() % 4 == 0);
        message->buffer.fill(id);
        const int rank = to / threads_each;
        const endpoints::Body& body = message->operation.body;
        if (body.scattered == nullptr && random() % 2 == 0 && port.send_now(rank, tag(me, to), body.data, body.bytes)) {
          --left;
          return;
        }
        message->operation.synchronous = random() % 8 == 0;
        port.send(rank, tag(me, to), message->operation);
        sends.push_back(std::move(message));
      };
      const auto receive = [&](int from) {
        const int number = messages - to_receive[static_cast<std::size_t>(from)]--;
        const std::uint64_t id = id_of(tag(from, me), number);
        auto room = std::make_unique<Heaped>(bytes_of(id) + random() % 20, random() % 4 == 0);
        const int source = random() % 2 == 0 ? any : from / threads_each;
        port.receive(source, tag(from, me), room->operation);
        port.wait("a receive of the test", [&] { return room->operation.complete(); });
        const std::string problem = room->buffer.problem(id, bytes_of(id));
        if (!problem.empty()) wrong(problem + " of message " + std::to_string(number));
        if (room->operation.came.source != from / threads_each) wrong("from another");
        --left;
      };
      // Sends are ahead of receives, by as many as there are threads: nobody can wait for ever.
      for (int number = 0; number < messages; ++number) {
        for (int to = 0; to < all; ++to) send((me + to) % all);
        for (int from = 0; from < all; ++from) receive((me + all - from) % all);
        reap();
      }
      port.wait("the last sends of the test", [&] {
        reap();
        return left == 0;
      });
      --at_work;
      port.wait("the others of the test", [&] { return at_work.load() == 0; });
    });
  }
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(problem_, "");
  world_.until([&] { return world_.left().empty(); });
  EXPECT_EQ(world_.left(), "");
}

TEST_P(PortThreadsTest, DoesNotStandStillWhereAllSendBeforeTheyReceive) {
  constexpr int messages = 300;  // many times what inboxes hold
  SCOPED_TRACE(testing::Message() << "seed " << seed_);
  std::vector<std::thread> team;
  for (int me = 0; me < world_.size(); ++me) {
    team.emplace_back([&, me] {
      Port& port = world_[me];
      for (int number = 0; number < messages; ++number) {
        for (int to = 0; to < world_.size(); ++to) {
          Heaped message(150, false);
          message.buffer.fill(static_cast<std::uint64_t>(number));
          port.send(to, me, message.operation);
          port.wait("a send of the test", [&] { return message.operation.complete(); });
        }
      }
      for (int from = 0; from < world_.size(); ++from) {
        for (int number = 0; number < messages; ++number) {
          Heaped room(150, false);
          port.receive(from, any, room.operation);
          port.wait("a receive of the test", [&] { return room.operation.complete(); });
          const std::string problem = room.buffer.problem(static_cast<std::uint64_t>(number), 150);
          if (!problem.empty()) wrong(problem);
        }
      }
    });
  }
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(problem_, "");
}

/// Cancels race with receives: a message is received, or its sender is told that it was not.
TEST_P(PortThreadsTest, ReceivesWhatCouldNotBeCancelled) {
  SCOPED_TRACE(testing::Message() << "seed " << seed_);
  const int messages = 300 * test::effort();
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> received;
  std::atomic<bool> over{false};
  std::thread receiver([&] {
    Port& port = world_[1];
    while (true) {
      const bool last = over.load();
      if (Kept* const taken = port.take(any, any)) {
        Heaped room(taken->header.bytes, false);
        port.receive(*taken, room.operation);
        port.wait("a receive of the test", [&] { return room.operation.complete(); });
        received.push_back(room.buffer.message());
        const std::string problem = room.buffer.problem(received.back(), room.operation.bytes);
        if (!problem.empty()) wrong(problem);
      } else if (last) {
        return;
      } else {
        std::this_thread::yield();
      }
    }
  });
  Random random(seed_);
  for (int number = 0; number < messages; ++number) {
    Heaped message(random() % 3 == 0 ? 100 : random() % 20 == 0 ? Transfer::least : 3000, random() % 3 == 0);
    message.buffer.fill(static_cast<std::uint64_t>(number));
    message.operation.synchronous = true;
    world_[0].send(1, 0, message.operation);
    for (std::uint64_t i = random() % 50; i > 0; --i) {
      if (random() % 4 == 0) std::this_thread::yield();
    }
    world_[0].cancel(message.operation);
    world_[0].wait("a cancelled send of the test", [&] { return message.operation.complete(); });
    if (message.operation.outcome == Outcome::good) sent.push_back(static_cast<std::uint64_t>(number));
  }
  over.store(true);
  receiver.join();
  EXPECT_EQ(problem_, "");
  EXPECT_EQ(received, sent);
}

INSTANTIATE_TEST_SUITE_P(Worlds, PortThreadsTest, testing::Range(0, 5),
                         [](const testing::TestParamInfo<int>& world) { return test::world_names[world.param]; });

}  // namespace
}  // namespace raddle::direct
