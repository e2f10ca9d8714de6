// SPDX-License-Identifier: BSD-3-Clause
// Programs of random calls whose ranks do one episode after the other until their time is over.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <thread>
#include <vector>

#include "communicators.hpp"
#include "core/text.hpp"
#include "core/watchdog.hpp"
#include "core/whereabouts.hpp"
#include "failure.hpp"
#include "meeting.hpp"
#include "mpi/own_endpoints.hpp"
#include "mpi/ranks.hpp"
#include "options.hpp"
#include "random.hpp"
#include "random_program.hpp"

namespace raddle::traffic {

/// What every rank of such a program has.
class EpisodeRank {
 public:
  /// @param thread  of its process
  /// @param salt  makes the random numbers of a rank those of this program alone
  EpisodeRank(const testing::Place& place, int thread, const Options& options, Meeting& meeting, std::uint64_t salt)
      : place_(place),
        thread_(thread),
        options_(options),
        meeting_(meeting),
        random_(mix({options.seed, static_cast<std::uint64_t>(place.rank), salt})) {}

  [[nodiscard]] const testing::Place& place() const { return place_; }
  [[nodiscard]] int episodes() const { return number_; }

 protected:
  /// Calls `episode()` again and again. Ranks meet after each, so all do as many.
  template <typename Episode>
  void do_episodes(Episode&& episode) {
    using Seconds = std::chrono::duration<double>;
    for (bool stop = false; !stop; ++number_) {
      if (thread_ == 0) bench::Board::instance().stage(bench::text("episode ", number_));
      episode();
      bench::here().enter("the meeting after an episode");
      const bool late = Seconds(std::chrono::steady_clock::now() - began_).count() > options_.seconds;
      stop = meeting_.meet(thread_, late, [] { std::this_thread::yield(); });
    }
  }

  testing::Place place_;
  int thread_;
  const Options& options_;
  Meeting& meeting_;
  Random random_;
  int number_ = 0;  ///< of the episode
  int round_ = 0;

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// The ranks of this process, and a line about them.
/// @tparam Rank  an EpisodeRank with run(), and with counted() of what `Rank::counts` names
template <typename Rank>
void run_episodes(const Options& options) {
  std::vector<MPI_Comm> comms = make_communicators(options);
  Meeting meeting(std::max(1, static_cast<int>(comms.size())));
  std::deque<Rank> ranks;
  for (const MPI_Comm comm : comms)
    ranks.emplace_back(testing::Place(comm), static_cast<int>(ranks.size()), options, meeting);
  const int process = testing::rank_in(MPI_COMM_WORLD);
  {
    const bench::Watchdog watchdog(options.patience, give_up(options.seed));
    const auto run = [process](Rank& rank, int thread) {
      run_seated(rank, {process, thread, thread, 0, rank.place().rank, bench::Side::sender, -1});
    };
    run_all(ranks, run, [&] { keep_company(meeting); });
  }
  if (process == 0) {
    std::printf("%s: all well: seed %llu, %d episodes, %llu %s of rank 0\n", program,
                static_cast<unsigned long long>(options.seed), ranks.front().episodes(),
                static_cast<unsigned long long>(ranks.front().counted()), Rank::counts);
  }
  free_communicators(comms);
}

}  // namespace raddle::traffic
