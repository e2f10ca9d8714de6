// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/rendezvous.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace raddle::interpose::rendezvous {
namespace {

using Bytes = std::vector<std::byte>;

void until(const std::function<bool()>& step) {
  while (!step()) std::this_thread::yield();
}

Bytes bytes_of(std::size_t count, int seed) {
  Bytes all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<std::byte>(i * 7 + static_cast<std::size_t>(seed));
  return all;
}

std::array<int, 2> pair() {
  std::array<int, 2> ends{};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  return ends;
}

/// What is longer than a socket takes at once goes both ways at the same time.
TEST(Rendezvous, EachHearsWhatTheOtherHasTold) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3} << 20U}) {
    const std::array<int, 2> ends = pair();
    const Bytes long_one = bytes_of(size, 1);
    const Bytes short_one = bytes_of(5, 2);
    auto other = std::async(std::launch::async, [&] { return Channel(ends[1]).exchange(short_one, until); });
    EXPECT_EQ(Channel(ends[0]).exchange(long_one, until), short_one);
    EXPECT_EQ(other.get(), long_one);
  }
}

TEST(Rendezvous, ReadsNothingBeyondWhatWasTold) {
  const std::array<int, 2> ends = pair();
  auto other = std::async(std::launch::async, [&] {
    Channel channel(ends[1], Channel::Owner::program);
    const auto heard = channel.exchange(bytes_of(100, 3), until);
    EXPECT_EQ(write(ends[1], "x", 1), 1);
    return heard;
  });
  EXPECT_EQ(Channel(ends[0], Channel::Owner::program).exchange(bytes_of(10, 4), until), bytes_of(100, 3));
  EXPECT_EQ(other.get(), bytes_of(10, 4));
  char letter = 0;
  EXPECT_EQ(read(ends[0], &letter, 1), 1);
  EXPECT_EQ(letter, 'x');
  for (const int end : ends) EXPECT_EQ(close(end), 0);  // the program's still
}

TEST(Rendezvous, WhoHasGoneOrSpeaksOtherwiseIsTold) {
  std::array<int, 2> ends = pair();
  close(ends[1]);
  EXPECT_EQ(Channel(ends[0]).exchange(bytes_of(10, 0), until), std::nullopt);
  ends = pair();
  const std::string otherwise(64, 'z');
  EXPECT_EQ(write(ends[1], otherwise.data(), otherwise.size()), 64);
  EXPECT_EQ(Channel(ends[0]).exchange(bytes_of(10, 0), until), std::nullopt);
  close(ends[1]);
}

TEST(Rendezvous, APortIsFoundByItsName) {
  const std::shared_ptr<Port> port = Port::open("the MPI's");
  ASSERT_NE(port, nullptr);
  keep(port);
  EXPECT_EQ(find(port->name()), port);
  EXPECT_EQ(port->of_mpi(), "the MPI's");
  for (int turn = 0; turn < 3; ++turn) {
    auto other = std::async(std::launch::async, [&] { return connect(port->name())->exchange(bytes_of(9, 9), until); });
    EXPECT_EQ(port->accept(until)->exchange(bytes_of(3, 3), until), bytes_of(9, 9));
    EXPECT_EQ(other.get(), bytes_of(3, 3));
  }
  forget(port->name());
  EXPECT_EQ(find(port->name()), nullptr);
}

TEST(Rendezvous, NobodyListensAtWhatIsNoPort) {
  for (const char* name : {"", "tag#0$port", "raddle://", "raddle://localhost:1", "raddle://no.such.host.example:80"})
    EXPECT_EQ(connect(name), nullptr) << name;
}

}  // namespace
}  // namespace raddle::interpose::rendezvous
