// SPDX-License-Identifier: BSD-3-Clause
#include "core/control.hpp"

#include <algorithm>
#include <cstdint>

namespace raddle::bench {

std::string Control::broadcast_text(std::string text) {
  text.resize(broadcast_value<std::uint64_t>(text.size()));
  broadcast(std::as_writable_bytes(std::span(text)));
  return text;
}

std::vector<std::string> Control::all_gather_text(const std::string& mine) {
  const std::uint64_t length = mine.size();
  const auto lengths = all_gather_values(std::span(&length, 1));
  const std::uint64_t longest = *std::ranges::max_element(lengths);
  std::string padded = mine;
  padded.resize(longest);
  const auto bytes = all_gather(std::as_bytes(std::span(padded)));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()) + i * longest, lengths[i]);
  }
  return texts;
}

}  // namespace raddle::bench
