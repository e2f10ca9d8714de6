// SPDX-License-Identifier: BSD-3-Clause
// One rank: makes windows of all flavors, and in each round does its part of the plan in an epoch of some kind.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "../traffic/episodes.hpp"
#include "../traffic/meeting.hpp"
#include "../traffic/options.hpp"
#include "../traffic/random.hpp"
#include "plan.hpp"

namespace raddle::windows_random {

class Rank : public traffic::EpisodeRank {
 public:
  static constexpr const char* counts = "operations";

  Rank(const testing::Place& place, int thread, const traffic::Options& options, traffic::Meeting& meeting);

  void run();
  [[nodiscard]] std::uint64_t counted() const { return operations_; }

 private:
  /// How a round's operations are enclosed.
  enum class Epoch : std::uint8_t { fence, post, lock, exclusive, lock_all };

  /// A window of the episode, with what all ranks' cells have to be.
  struct Window {
    MPI_Win handle = MPI_WIN_NULL;
    const Element* element = nullptr;
    int flavor = MPI_WIN_FLAVOR_CREATE;
    std::vector<std::byte> own;
    std::byte* memory = nullptr;
    std::vector<MPI_Aint> places;  ///< of dynamic ones, by rank
    std::vector<Cells> cells;      ///< by rank
    MPI_Datatype every_second = MPI_DATATYPE_NULL;
  };
  /// What has been read, once the epoch is over.
  struct Read {
    std::vector<std::byte> bytes;
    std::vector<std::int64_t> expected;
    const Task* task;
    const char* call;
  };

  void episode(std::uint64_t seed);
  void make(Window& window, std::uint64_t seed);
  void end(Window& window);
  void round(Window& window, std::uint64_t seed);
  void in_epoch(Window& window, Epoch epoch, const std::vector<Task>& tasks);
  void perform(Window& window, const Task& task, bool requests);
  void perform_steps(Window& window, const Task& task);
  void look_at_results(const Window& window);
  void look_at_own(Window& window);

  [[nodiscard]] std::vector<std::byte>& buffer(std::size_t bytes);
  [[nodiscard]] Read& read(const Window& window, const Task& task, const char* call,
                           std::vector<std::int64_t> expected);
  [[nodiscard]] MPI_Aint at(const Window& window, int target, int cell) const;

  void check(int code, const char* call);
  [[noreturn]] void fail(const std::string& what);

  std::uint64_t operations_ = 0;
  std::deque<std::vector<std::byte>> buffers_;  ///< of what is sent in this epoch
  std::deque<Read> reads_;
  std::vector<MPI_Request> requests_;
};

}  // namespace raddle::windows_random
