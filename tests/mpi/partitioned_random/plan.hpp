// SPDX-License-Identifier: BSD-3-Clause
// Which partitioned operations there are between whom, and in which rounds: the same for all ranks, who make it of one
// seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi/shape.hpp"

namespace raddle::partitioned_random {

/// How one side divides the words of a channel.
struct Side {
  int partitions = 0;
  int count = 0;            ///< elements of a partition
  int words_each = 1;       ///< of an element
  std::uint64_t shape = 0;  ///< that its datatype is made of
  [[nodiscard]] std::size_t elements() const;
  [[nodiscard]] std::size_t words() const;
  [[nodiscard]] testing::Shape make_shape() const;
};

/// A pair of requests; one whose other side is nobody has one request.
struct Channel {
  std::uint64_t key = 0;
  int sender = 0;
  int receiver = 0;
  int tag = 0;
  Side out;
  Side in;
  const char* policy = nullptr;     ///< hint of the sender; none
  const char* min_bytes = nullptr;  ///< the same
  int made = 0;                     ///< round before which both sides make their requests
  int freed = 0;                    ///< round before which both free them
  std::vector<bool> active;         ///< by round
  [[nodiscard]] bool is_cut_off() const { return in.words() < out.words(); }
  /// The word that travels as number `i` in a round.
  [[nodiscard]] int word(int round, std::size_t i) const;
};

struct Episode {
  int rounds = 0;
  std::vector<Channel> channels;  ///< requests of one pair and tag are made in this order
  std::vector<bool> talks;        ///< by round: whether ordinary messages go around as well
};

Episode make_episode(std::uint64_t seed, int ranks, int number);

}  // namespace raddle::partitioned_random
