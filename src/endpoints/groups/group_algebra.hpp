// SPDX-License-Identifier: BSD-3-Clause
// What MPI's functions make of groups (MPI-4.1 section 7.3), on their members alone. Knows no MPI.
#pragma once

#include <array>
#include <compare>
#include <span>
#include <utility>
#include <vector>

namespace raddle::endpoints {

// Who a rank is, whatever communicator it is a rank of. Knows no MPI.

/// A process (endpoints/groups/group.hpp numbers them), and which of the process's endpoints in the communicator that
/// MPIX_Comm_create_endpoints made; 0 for a process itself.
struct Member {
  int process;
  int index;
  auto operator<=>(const Member&) const = default;
};

/// In the order of ranks.
using Members = std::vector<Member>;

/// Answers who has which rank. Made once for many questions.
class Ranks {
 public:
  static constexpr int none = -1;

  explicit Ranks(const Members& members);

  /// @returns none for who is not among them
  [[nodiscard]] int of(const Member& member) const;
  [[nodiscard]] bool contain(const Member& member) const { return of(member) != none; }

 private:
  std::vector<std::pair<Member, int>> sorted_;
};

/// Which ranks `some` have among all; none for those that are not there.
[[nodiscard]] std::vector<int> ranks_among(const Members& all, const Members& some);

enum class Likeness { identical, similar, different };
/// Similar: the same members in another order.
[[nodiscard]] Likeness compare_groups(const Members& one, const Members& other);

// In the order of the first group; those that only the second has come after it.
[[nodiscard]] Members group_union(const Members& first, const Members& second);
[[nodiscard]] Members group_intersection(const Members& first, const Members& second);
[[nodiscard]] Members group_difference(const Members& first, const Members& second);

/// What is wrong with the ranks that a program gives.
enum class Flaw {
  none,
  rank,   ///< one is not in the group, or comes twice
  range,  ///< a range with stride 0, or whose stride leads away from its end
};

/// The members with these ranks, in the order of `ranks`.
[[nodiscard]] Flaw include(const Members& group, std::span<const int> ranks, Members& made);
/// The others, in their order.
[[nodiscard]] Flaw exclude(const Members& group, std::span<const int> ranks, Members& made);

/// First, last, stride.
using RankRange = std::array<int, 3>;
/// The ranks in ranges, in a group of this size.
[[nodiscard]] Flaw expand(std::span<const RankRange> ranges, std::size_t size, std::vector<int>& ranks);

}  // namespace raddle::endpoints
