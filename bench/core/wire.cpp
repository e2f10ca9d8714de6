// SPDX-License-Identifier: BSD-3-Clause
#include "core/wire.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>

namespace raddle::bench {
namespace {

constexpr std::uint64_t envelope_bytes = 20;
// Below this part of what the messages need, an interface carried something else: the MPI's words with its launcher.
constexpr std::uint64_t least_part = 4;

/// The address alone, as text; IPv4 also where it is wrapped into IPv6.
std::string address_of(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const bool v6 = address->sa_family == AF_INET6;
  if (!v6 && address->sa_family != AF_INET) return {};
  const void* bytes = v6 ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr)
                         : static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr);
  if (inet_ntop(address->sa_family, bytes, text.data(), text.size()) == nullptr) return {};
  const std::string found = text.data();
  constexpr std::string_view wrapped = "::ffff:";
  return found.starts_with(wrapped) ? found.substr(wrapped.size()) : found;
}

/// Interfaces by their addresses; nothing where the kernel does not tell.
std::map<std::string, std::string> interfaces() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, &freeifaddrs);
  std::map<std::string, std::string> found;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr) continue;
    if (std::string address = address_of(one->ifa_addr); !address.empty()) found[std::move(address)] = one->ifa_name;
  }
  return found;
}

using Name = int (*)(int, sockaddr*, socklen_t*);

std::string end_of(int socket, Name name) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  return name(socket, generic, &length) == 0 ? address_of(generic) : std::string();
}

/// What came in by a TCP connection; none for anything else.
std::optional<std::uint64_t> received(int file) {
  tcp_info info{};
  socklen_t length = sizeof info;
  const bool told = getsockopt(file, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
                    length >= offsetof(tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received;
  return told ? std::optional<std::uint64_t>(info.tcpi_bytes_received) : std::nullopt;
}

void append(std::string& names, const std::string& name) { names += names.empty() ? name : "+" + name; }

}  // namespace

Traffic traffic_so_far() {
  const auto known = interfaces();
  Traffic traffic;
  for (const auto& [address, interface] : known) traffic[interface] = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const std::string number = entry.path().filename().string();
    int file = -1;
    std::from_chars(number.data(), number.data() + number.size(), file);
    const auto bytes = received(file);
    if (!bytes) continue;
    const auto near = known.find(end_of(file, getsockname));
    if (near == known.end()) continue;
    traffic[known.contains(end_of(file, getpeername)) ? "lo" : near->second] += *bytes;
  }
  return error ? Traffic{} : traffic;
}

Traffic traffic_between(const Traffic& before, const Traffic& after) {
  Traffic moved;
  for (const auto& [name, bytes] : after) {
    const auto found = before.find(name);
    const std::uint64_t then = found == before.end() ? 0 : found->second;
    moved[name] = bytes > then ? bytes - then : 0;
  }
  return moved;
}

std::string to_text(const Traffic& traffic) {
  std::ostringstream text;
  for (const auto& [name, bytes] : traffic) text << name << ' ' << bytes << '\n';
  return text.str();
}

Traffic sum_of(std::span<const std::string> texts) {
  Traffic sum;
  for (const std::string& text : texts) {
    std::istringstream words(text);
    std::string name;
    for (std::uint64_t bytes = 0; words >> name >> bytes;) sum[name] += bytes;
  }
  return sum;
}

std::string path_taken(const Traffic& moved, std::uint64_t payload, std::uint64_t messages, const std::string& unseen) {
  if (moved.empty() || messages == 0) return "unknown";
  const std::uint64_t needed = std::max(payload, envelope_bytes * messages);
  std::uint64_t carried = 0;
  std::string interfaces;
  for (const auto& [name, bytes] : moved) {
    carried += bytes;
    if (bytes >= needed / least_part && bytes > 0) append(interfaces, name);
  }
  if (interfaces.empty()) return unseen;
  return carried >= needed ? interfaces : unseen + "+" + interfaces;
}

}  // namespace raddle::bench
