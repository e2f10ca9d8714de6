// SPDX-License-Identifier: BSD-3-Clause
#include "core/wire.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace raddle::bench {
namespace {

TEST(Traffic, IsReadFromTheKernelsTable) {
  std::istringstream table(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop\n"
      "    lo: 700      8    0    0    0     0          0         0 700      8    0    0    0     0       0          "
      "0\n"
      " veth0:1000     10    0    0    0     0          0         0 24       1    0    0    0     0       0          "
      "0\n"
      "eth0:1:   5      1    0    0    0     0          0         0 6        1    0    0    0     0       0          "
      "0\n");
  EXPECT_EQ(parse_traffic(table), (Traffic{{"eth0:1", 11}, {"lo", 700}, {"veth0", 1024}}));
}

TEST(Traffic, OfATableThatIsNoneIsEmpty) {
  std::istringstream cut("    lo: 700      8    0");
  EXPECT_TRUE(parse_traffic(cut).empty());
}

TEST(Traffic, BetweenTwoLooks) {
  const Traffic before{{"lo", 10}, {"reset", 50}, {"gone", 1}};
  const Traffic after{{"lo", 15}, {"reset", 20}, {"new", 3}};
  EXPECT_EQ(traffic_between(before, after), (Traffic{{"lo", 5}, {"reset", 0}, {"new", 3}}));
}

TEST(PathTaken, IsTheInterfaceThatCarriedTheBytes) {
  EXPECT_EQ(path_taken({{"eth0", 90}, {"lo", 10'000}}, 8'000, 10), "lo");
  EXPECT_EQ(path_taken({{"lo", 0}, {"veth0", 10'000}}, 8'000, 10), "veth0");
}

TEST(PathTaken, IsMemoryWhenNoInterfaceDid) {
  EXPECT_EQ(path_taken({{"eth0", 90}, {"lo", 500}}, 8'000, 10), "memory");
  EXPECT_EQ(path_taken({{"lo", 0}}, 0, 1), "memory");
}

TEST(PathTaken, CountsEnvelopesOfSmallMessages) {
  // A thousand empty messages of 8 bytes in all would fit into what a launcher says meanwhile.
  EXPECT_EQ(path_taken({{"lo", 4'000}}, 8, 1'000), "memory");
  EXPECT_EQ(path_taken({{"lo", 20'000}}, 8, 1'000), "lo");
}

TEST(PathTaken, NamesAllThatSharedTheWork) {
  EXPECT_EQ(path_taken({{"eth0", 5'000}, {"eth1", 5'000}, {"lo", 10}}, 9'000, 1), "eth0+eth1");
  EXPECT_EQ(path_taken({{"lo", 4'000}}, 8'000, 1), "memory+lo");
}

TEST(PathTaken, IsUnknownWhereNothingIsKnown) {
  EXPECT_EQ(path_taken({}, 8'000, 10), "unknown");
  EXPECT_EQ(path_taken({{"lo", 10'000}}, 0, 0), "unknown");
}

TEST(PathTaken, OfARealSocketIsTheLoopback) {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_GE(std::min(server, client), 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* name = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(server, name, length), 0);
  ASSERT_EQ(listen(server, 1), 0);
  ASSERT_EQ(getsockname(server, name, &length), 0);
  ASSERT_EQ(connect(client, name, length), 0);
  const int accepted = accept(server, nullptr, nullptr);
  ASSERT_GE(accepted, 0);

  constexpr int messages = 100;
  std::array<char, 4096> buffer{};
  const Traffic before = traffic_so_far();
  for (int i = 0; i < messages; ++i) {
    ASSERT_EQ(send(client, buffer.data(), buffer.size(), 0), static_cast<ssize_t>(buffer.size()));
    ASSERT_EQ(recv(accepted, buffer.data(), buffer.size(), MSG_WAITALL), static_cast<ssize_t>(buffer.size()));
  }
  const Traffic moved = traffic_between(before, traffic_so_far());
  EXPECT_GE(moved.at("lo"), messages * buffer.size());
  EXPECT_EQ(path_taken({{"lo", moved.at("lo")}}, messages * buffer.size(), messages), "lo");
  for (const int one : {accepted, client, server}) close(one);
}

}  // namespace
}  // namespace raddle::bench
