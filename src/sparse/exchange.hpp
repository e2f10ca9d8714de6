// SPDX-License-Identifier: BSD-3-Clause
// A sparse exchange from its beginning to its end, by the calling thread.
#pragma once

#include <mpi.h>

#include <span>

#include "platform/settings.hpp"
#include "platform/waiting.hpp"
#include "sparse/algorithm.hpp"
#include "sparse/arrivals.hpp"
#include "sparse/attachment.hpp"
#include "sparse/message.hpp"

namespace raddle::sparse {

struct Options {
  SparseAlgorithm algorithm = SparseAlgorithm::automatic;
  int radix = 4;
  bool sorted = false;
};

[[nodiscard]] Options options_in(const platform::Settings& settings);

/// What a blocked exchange sees to besides itself: that of the layer it is called from.
struct Surroundings {
  void (*meanwhile)() = nullptr;        ///< one step for what others wait for in this process
  void (*blocked)(MPI_Comm) = nullptr;  ///< another tenth of a second has gone by; of this communicator
};
inline constinit Surroundings surroundings;

[[nodiscard]] platform::Patience patience_of(bool crowded, bool asks_mpi);

/// Takes steps until one is the last.
/// @param asks_mpi  as Way's
template <typename Take>
void step_to_the_end(Attachment& attachment, bool asks_mpi, Take&& step) {
  const Exchanging one;
  const auto wait = [&] { return platform::Waiting(patience_of(attachment.crowded(), asks_mpi)); };
  platform::Waiting waiting = wait();
  while (true) {
    const Step brought = step();
    if (brought == Step::over) return;
    if (brought == Step::moved) {
      waiting = wait();
      continue;
    }
    waiting.turn();
    if (waiting.idle()) {
      attachment.progress();
      if (surroundings.meanwhile != nullptr) surroundings.meanwhile();
    }
    if (waiting.long_wait() && surroundings.blocked != nullptr) surroundings.blocked(attachment.comm());
  }
}

/// Makes an exchange whose messages go to `sink`. Collective. @throws endpoints::Failure
void run(Attachment& attachment, std::span<const Message> messages, Sink& sink, const Options& options);

/// The same on a communicator; what arrives.
[[nodiscard]] Rows exchange(MPI_Comm comm, std::span<const Message> messages, const Options& options);

}  // namespace raddle::sparse
