// SPDX-License-Identifier: BSD-3-Clause
// To whom each rank sends in each exchange of `dsde_...`: a function of seed, exchange and rank and of nothing else, so
// that who receives knows what must come, and every algorithm is given the same work.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace raddle::bench {

/// Random numbers that depend on all of what they are made of (splitmix64).
class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t exchange, std::uint64_t rank) noexcept : state_(seed) {
    for (const std::uint64_t each : {exchange, rank}) state_ = next() ^ each;
  }
  std::uint64_t next() noexcept {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }
  /// 0 to `count` - 1. @pre 0 < count, far less than 2^64
  std::size_t below(std::size_t count) noexcept { return static_cast<std::size_t>(next() % count); }
  /// One of them, which is taken out.
  int take(std::vector<int>& from) noexcept {
    std::swap(from[below(from.size())], from.back());
    const int taken = from.back();
    from.pop_back();
    return taken;
  }

 private:
  std::uint64_t state_;
};

class SparsePattern {
 public:
  SparsePattern(std::string name, int ranks, double fraction, std::uint64_t seed)
      : name_(std::move(name)), ranks_(ranks), seed_(seed) {
    const int share = static_cast<int>(std::lround(fraction * ranks));
    neighbours_ = std::clamp(share, 1, ranks - 1);
    for (rows_ = static_cast<int>(std::sqrt(ranks)); ranks % rows_ != 0;) --rows_;
  }

  /// Other ranks, each of them once, in the order in which they are sent to.
  [[nodiscard]] std::vector<int> destinations(std::int64_t exchange, int rank) const {
    if (name_ == "empty") return {};
    if (name_ == "nearest") return around(rank);
    const auto number = static_cast<std::uint64_t>(exchange);
    Draw draw(seed_, number, static_cast<std::uint64_t>(rank) + 1);
    std::vector<int> open = name_ == "clustered" ? near(rank, neighbours_ + 1) : near(rank, ranks_);
    std::vector<int> favoured;
    if (name_ == "skewed") favoured = favourites(number, rank);
    std::vector<int> chosen;
    while (static_cast<int>(chosen.size()) < neighbours_) {
      const bool favour = !favoured.empty() && draw.below(4) != 0;
      const int next = draw.take(favour ? favoured : open);
      std::erase(favour ? open : favoured, next);
      chosen.push_back(next);
    }
    return chosen;
  }

  /// Whose messages for `rank` come in that exchange, rising.
  [[nodiscard]] std::vector<int> sources(std::int64_t exchange, int rank) const {
    std::vector<int> found;
    for (int other = 0; other < ranks_; ++other) {
      const auto theirs = destinations(exchange, other);
      if (std::ranges::find(theirs, rank) != theirs.end()) found.push_back(other);
    }
    return found;
  }

 private:
  /// The other ranks that are no further than `reach` away, the first rank following the last one.
  [[nodiscard]] std::vector<int> near(int rank, int reach) const {
    std::vector<int> found;
    for (int distance = 1; distance < ranks_; ++distance) {
      if (std::min(distance, ranks_ - distance) <= reach) found.push_back((rank + distance) % ranks_);
    }
    return found;
  }

  /// The ranks that get most in that exchange, one of sixteen: the same ones for everybody.
  [[nodiscard]] std::vector<int> favourites(std::uint64_t exchange, int rank) const {
    std::vector<int> all(static_cast<std::size_t>(ranks_));
    std::iota(all.begin(), all.end(), 0);
    Draw draw(seed_, exchange, 0);
    std::vector<int> found;
    for (int i = 0; i < std::max(1, ranks_ / 16); ++i) found.push_back(draw.take(all));
    std::erase(found, rank);
    return found;
  }

  /// In a grid as near to a square as it can be, whose borders meet.
  [[nodiscard]] std::vector<int> around(int rank) const {
    const int columns = ranks_ / rows_;
    const int row = rank / columns;
    const int column = rank % columns;
    const int each[] = {(row + rows_ - 1) % rows_ * columns + column, (row + 1) % rows_ * columns + column,
                        row * columns + (column + columns - 1) % columns, row * columns + (column + 1) % columns};
    std::vector<int> found;
    for (const int other : each) {
      if (other != rank && std::ranges::find(found, other) == found.end()) found.push_back(other);
    }
    return found;
  }

  std::string name_;
  int ranks_;
  std::uint64_t seed_;
  int neighbours_ = 1;
  int rows_ = 1;
};

}  // namespace raddle::bench
