// SPDX-License-Identifier: BSD-3-Clause
// One rank: makes requests, starts them, makes partitions ready in several threads, looks at what has arrived, and
// completes, all in random ways.
//
// Nobody waits for ever: a rank starts all that is its own in a round, and makes all of it ready, before it waits for
// anything.
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
#include "plan.hpp"
#include "request.hpp"

namespace raddle::partitioned_random {

class Rank : public traffic::EpisodeRank {
 public:
  static constexpr const char* counts = "rounds";

  Rank(const testing::Place& place, int thread, const traffic::Options& options, traffic::Meeting& meeting);

  void run();
  [[nodiscard]] std::uint64_t counted() const { return completed_; }

 private:
  /// Partitions that a thread makes ready by one call.
  struct Task {
    Request* request;
    std::vector<int> partitions;
  };

  void episode(const Episode& episode);
  void make(const Episode& episode);
  void free_those_that_end();
  void round(const Episode& episode);
  void start(std::vector<Request*>& active);
  [[nodiscard]] std::vector<Task> tasks(const std::vector<Request*>& active);
  void make_ready(Task& task, traffic::Random& random);
  void make_all_ready(const std::vector<Request*>& active);
  void glance(const std::vector<Request*>& active);
  void expect_open(Request& request);
  void poll_partitions(const std::vector<Request*>& active);
  void complete(std::vector<Request*> active, bool talks);
  void complete_one(Request& request);
  bool complete_several(std::vector<Request*>& active, std::vector<MPI_Request>& handles);
  void settle(Request& request, const MPI_Status& status);
  void talk();

  void check(int code, const char* call, const Request* request = nullptr);
  [[noreturn]] void fail(const std::string& what, const Request* request = nullptr);

  std::uint64_t completed_ = 0;
  std::vector<std::unique_ptr<Request>> requests_;
  bool polls_ = false;  ///< in this round whoever waits asks for the same again and again
  MPI_Comm beside_ = MPI_COMM_NULL;
  // Ordinary messages of the round, now on the same communicator, now on the other one.
  std::array<std::uint64_t, 2> words_{};
  std::array<MPI_Request, 2> ordinary_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace raddle::partitioned_random
