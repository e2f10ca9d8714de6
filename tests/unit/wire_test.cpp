// SPDX-License-Identifier: BSD-3-Clause
#include "core/wire.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace raddle::bench {
namespace {

TEST(Traffic, BetweenTwoLooks) {
  const Traffic before{{"lo", 10}, {"reset", 50}, {"gone", 1}};
  const Traffic after{{"lo", 15}, {"reset", 20}, {"new", 3}};
  EXPECT_EQ(traffic_between(before, after), (Traffic{{"lo", 5}, {"reset", 0}, {"new", 3}}));
}

TEST(Traffic, OfAllProcessesIsTheirSum) {
  const Traffic one{{"lo", 5}, {"veth0", 1}};
  const std::vector<std::string> texts{to_text(one), to_text({{"lo", 7}}), to_text({})};
  EXPECT_EQ(sum_of(texts), (Traffic{{"lo", 12}, {"veth0", 1}}));
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

TEST(PathTaken, BetweenNodesIsNeverMemory) {
  EXPECT_EQ(path_taken({{"eth0", 500}}, 8'000, 10, "fabric"), "fabric");
  EXPECT_EQ(path_taken({{"eth0", 4'000}}, 8'000, 1, "fabric"), "fabric+eth0");
}

TEST(PathTaken, IsUnknownWhereNothingIsKnown) {
  EXPECT_EQ(path_taken({}, 8'000, 10), "unknown");
  EXPECT_EQ(path_taken({{"lo", 10'000}}, 0, 0), "unknown");
}

/// Two ends of a connection of this process with itself.
struct Connection {
  /// @param name  where to listen, with any port
  Connection(sockaddr* name, socklen_t length) {
    const int server = socket(name->sa_family, SOCK_STREAM, 0);
    client = socket(name->sa_family, SOCK_STREAM, 0);
    if (server < 0 || client < 0 || bind(server, name, length) != 0 || listen(server, 1) != 0 ||
        getsockname(server, name, &length) != 0 || connect(client, name, length) != 0) {
      throw std::runtime_error("no connection");
    }
    accepted = accept(server, nullptr, nullptr);
    close(server);
  }
  ~Connection() {
    close(client);
    close(accepted);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int client = -1;
  int accepted = -1;
};

/// Sends so much over it and returns what was counted meanwhile.
Traffic pass(const Connection& connection, std::size_t bytes) {
  std::vector<char> buffer(bytes);
  const Traffic before = traffic_so_far();
  EXPECT_EQ(send(connection.client, buffer.data(), bytes, 0), static_cast<ssize_t>(bytes));
  EXPECT_EQ(recv(connection.accepted, buffer.data(), bytes, MSG_WAITALL), static_cast<ssize_t>(bytes));
  return traffic_between(before, traffic_so_far());
}

TEST(Traffic, IsExactlyWhatThisProcessReceived) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const Connection connection(reinterpret_cast<sockaddr*>(&address), sizeof address);
  const Traffic moved = pass(connection, 4321);
  EXPECT_EQ(moved.at("lo"), 4321);
  EXPECT_EQ(path_taken(moved, 4321, 1), "lo");
}

TEST(Traffic, OfWrappedAddressesCountsToo) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  ASSERT_EQ(inet_pton(AF_INET6, "::ffff:127.0.0.1", &address.sin6_addr), 1);
  try {
    const Connection connection(reinterpret_cast<sockaddr*>(&address), sizeof address);
    EXPECT_EQ(pass(connection, 4321).at("lo"), 4321);
  } catch (const std::runtime_error&) {
    GTEST_SKIP() << "no IPv6 here";
  }
}

TEST(Traffic, OfOtherSocketsIsNoNetwork) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const Traffic before = traffic_so_far();
  ASSERT_EQ(send(ends[0], "x", 1, 0), 1);
  for (const auto& [name, bytes] : traffic_between(before, traffic_so_far())) EXPECT_EQ(bytes, 0) << name;
  for (const int end : ends) close(end);
}

}  // namespace
}  // namespace raddle::bench
