// SPDX-License-Identifier: BSD-3-Clause
// Tags for the messages to one peer, in blocks of those that follow one another. A block is used again when both sides
// have freed their requests: before, a message may still be under way. Knows no MPI.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <vector>

namespace raddle::partitioned {

class Tags {
 public:
  /// @param count  of tags, >= 0 @param limit  the greatest tag there is
  /// @returns the first one; nothing: there are not so many left
  std::optional<int> take(int count, int limit) {
    const auto size = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
    std::vector<int>& idle = idle_[size];
    int first = next_;
    if (!idle.empty()) {
      first = idle.back();
      idle.pop_back();
    } else if (limit - next_ < size) {
      return std::nullopt;
    } else {
      next_ += size;
    }
    used_[first] = {size, 2};
    return first;
  }

  /// One of the two sides needs it no longer.
  void give_back(int first) {
    const auto found = used_.find(first);
    if (found == used_.end() || --found->second.sides > 0) return;
    idle_[found->second.size].push_back(first);
    used_.erase(found);
  }

 private:
  struct TagBlock {
    int size;
    int sides;  ///< that need it
  };

  int next_ = 0;
  std::map<int, TagBlock> used_;          ///< by first tag
  std::map<int, std::vector<int>> idle_;  ///< by size
};

// Which of Raddle's own tags between endpoints are those of partitioned communication, as distances from the greatest
// of them on downwards. Knows no MPI.

struct EndpointTags {
  int notices;
  int first_data;
  int greatest_data;  ///< counted from the first
};

/// Below those of neighbourhood collectives, which take turns with 2^30 of them.
/// @param by_mpi  whether messages are the MPI's: their tags are then the rest of the distance by what the MPI has, a
///   power of two, and the first ones have to stay apart from those of collectives as well
/// @param greatest  of the MPI
constexpr EndpointTags endpoint_tags(bool by_mpi, int greatest) {
  constexpr int usual_apart = 1 << 22;
  constexpr int usual_data = 1 << 29;
  const int apart = by_mpi ? std::min(usual_apart, greatest / 4 + 1) : usual_apart;
  const int notices = (1 << 30) + apart;
  return {notices, notices + 1, by_mpi ? std::min(usual_data, greatest - 2 * apart) : usual_data};
}

}  // namespace raddle::partitioned
