// SPDX-License-Identifier: BSD-3-Clause
// Who sends what to whom, in what form and by which algorithm: the same for all ranks, who make it of one seed, and
// what the sequential model says of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi/ranks.hpp"
#include "mpi/shape.hpp"

namespace raddle::sparse_random {

using Words = std::vector<int>;

/// A datatype, by the seed that it is made of.
struct Side {
  int words_each = 1;
  std::uint64_t shape = 0;
  [[nodiscard]] testing::Shape make_shape() const;
};

struct Message {
  std::uint64_t key = 0;
  int dest = 0;
  int words = 0;  ///< multiple of those that an element has, on both sides
  /// What it carries when it is sent for the `start`th time.
  [[nodiscard]] Words content(int start = 0) const;
};

/// A message as its receiver sees it.
struct Arrival {
  int source;
  Words words;
};

enum class Form { blocking, nonblocking, each, ask, persistent };

struct Round {
  Form form = Form::blocking;
  bool on_second = false;           ///< communicator
  const char* algorithm = nullptr;  ///< hint; none
  const char* radix = nullptr;      ///< the same
  Side out;
  Side in;
  int starts = 1;                          ///< of a plan
  std::vector<std::vector<Message>> from;  ///< by source
  bool talks = false;                      ///< ordinary messages go around as well

  /// What a rank receives, by source.
  [[nodiscard]] std::vector<Arrival> arriving(int rank, int start = 0) const;
  /// What is answered to a question; nothing: there is no reply.
  [[nodiscard]] Words answer(int rank, const Words& question) const;
};

/// Rounds follow each other without anything between them.
std::vector<Round> make_episode(std::uint64_t seed, testing::Ranks ranks, int size, int number);

}  // namespace raddle::sparse_random
