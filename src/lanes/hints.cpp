// SPDX-License-Identifier: BSD-3-Clause
#include "lanes/hints.hpp"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platform/errors.hpp"

namespace raddle::lanes {
namespace {

using platform::check;

template <typename Visit>
void each_key(MPI_Info info, Visit&& visit) {
  if (info == MPI_INFO_NULL) return;
  int count = 0;
  check(MPI_Info_get_nkeys(info, &count));
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    check(MPI_Info_get_nthkey(info, i, key.data()));
    if (std::string(key.data()).starts_with("raddle_")) continue;
    int length = 0;
    int found = 0;
    check(MPI_Info_get_valuelen(info, key.data(), &length, &found));
    if (found == 0) continue;
    std::vector<char> value(static_cast<std::size_t>(length) + 1);
    check(MPI_Info_get(info, key.data(), length, value.data(), &found));
    visit(std::string(key.data()), std::string(value.data()));
  }
}

}  // namespace

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a ^ (b + 0x9e3779b97f4a7c15U + (a << 6U) + (a >> 2U));
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::uint64_t hash_info(MPI_Info info) {
  std::map<std::string, std::string> sorted;  // MPI does not promise an order of keys
  each_key(info, [&](std::string key, std::string value) { sorted.emplace(std::move(key), std::move(value)); });
  std::uint64_t hash = 0;
  for (const auto& [key, value] : sorted)
    hash = mix(mix(hash, std::hash<std::string>{}(key)), std::hash<std::string>{}(value));
  return hash;
}

void copy_info(MPI_Info from, MPI_Info to) {
  each_key(from, [&](const std::string& key, const std::string& value) {
    check(MPI_Info_set(to, key.c_str(), value.c_str()));
  });
}

}  // namespace raddle::lanes
