// SPDX-License-Identifier: BSD-3-Clause
// One rank: goes through the rounds, completes what does not wait when it likes, and judges all that comes.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../traffic/episodes.hpp"
#include "../traffic/meeting.hpp"
#include "../traffic/options.hpp"
#include "call.hpp"
#include "mpi/ranks.hpp"

namespace raddle::sparse_random {

class Rank : public traffic::EpisodeRank {
 public:
  static constexpr const char* counts = "exchanges";

  Rank(const testing::Place& place, int thread, const traffic::Options& options, traffic::Meeting& meeting);

  void run();
  [[nodiscard]] std::uint64_t counted() const { return judged_; }

 private:
  void episode(const std::vector<Round>& rounds);
  void go(const Round& round);
  /// All of a plan's rounds; others may be under way, and are completed or not.
  void repeat(Call& call);
  /// Some or all of what is under way, with whatever call. @param all until nothing is
  void complete(bool all);
  void complete_some();
  void judge(Call& call);
  void begin_to_talk();
  void end_talking();

  void check(int code, const char* function, const Call* call = nullptr) const;
  [[noreturn]] void fail(const std::string& what, const Call* call = nullptr) const;

  std::uint64_t judged_ = 0;
  MPI_Comm second_ = MPI_COMM_NULL;
  std::vector<std::unique_ptr<Call>> flights_;
  // Ordinary messages.
  int talk_round_ = 0;
  std::array<std::uint64_t, 2> words_{};
  std::array<MPI_Request, 2> ordinary_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace raddle::sparse_random
