// SPDX-License-Identifier: BSD-3-Clause
#include "core/wire.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace raddle::bench {
namespace {

constexpr std::uint64_t envelope_bytes = 20;
// Below this part of what the messages need, an interface carried something else: launchers talk over the loopback.
constexpr std::uint64_t least_part = 4;

void append(std::string& names, const std::string& name) { names += names.empty() ? name : "+" + name; }

}  // namespace

Traffic parse_traffic(std::istream& table) {
  Traffic traffic;
  for (std::string line; std::getline(table, line);) {
    const std::size_t colon = line.rfind(':');  // the name of an alias has one, too
    const std::size_t start = line.find_first_not_of(' ');
    if (colon == std::string::npos || start >= colon) continue;
    // Received: bytes, packets, errors, drops, fifo, frame, compressed, multicast; then sent: bytes, ...
    std::istringstream numbers(line.substr(colon + 1));
    std::uint64_t received = 0;
    std::uint64_t other = 0;
    std::uint64_t sent = 0;
    numbers >> received;
    for (int i = 0; i < 7; ++i) numbers >> other;
    if (!(numbers >> sent)) continue;
    const std::string name = line.substr(start, colon - start);
    traffic[name] = name == "lo" ? received : received + sent;
  }
  return traffic;
}

Traffic traffic_so_far() {
  std::ifstream table("/proc/self/net/dev");
  return parse_traffic(table);
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

std::string path_taken(const Traffic& moved, std::uint64_t payload, std::uint64_t messages) {
  if (moved.empty() || messages == 0) return "unknown";
  const std::uint64_t needed = std::max(payload, envelope_bytes * messages);
  std::uint64_t carried = 0;
  std::string interfaces;
  for (const auto& [name, bytes] : moved) {
    carried += bytes;
    if (bytes >= needed / least_part && bytes > 0) append(interfaces, name);
  }
  if (interfaces.empty()) return "memory";
  return carried >= needed ? interfaces : "memory+" + interfaces;
}

}  // namespace raddle::bench
