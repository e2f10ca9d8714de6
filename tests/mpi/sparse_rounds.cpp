// SPDX-License-Identifier: BSD-3-Clause
// Very many exchanges one after the other, and nothing between them that would keep ranks in step: each message tells
// its round, its source and its destination, and how long it should be.
//
//     sparse_rounds blocking 100000      the call that waits
//     sparse_rounds nonblocking 100000   up to four under way at the same time, completed in a random order
//     sparse_rounds endpoints 100000     the call that waits, by two endpoints of each process
//     sparse_rounds threads 1000000      so many messages, received by two threads at the same time, each on its lane
//
// Ends with one line. Whom a rank sends to is drawn anew in each round; all know it of each other.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "mpi/ranks.hpp"
#include "raddle/raddle.h"

namespace {

using raddle::testing::Endpoints;
using raddle::testing::Place;
using raddle::traffic::mix;
using raddle::traffic::Random;

struct Message {
  int dest;
  int words;
};

enum Field : std::size_t { stream_field, round_field, source_field, dest_field, words_field, fields };

/// What a rank sends in a round of a stream of exchanges.
std::vector<Message> messages_of(int size, int stream, int round, int rank) {
  Random random(
      mix({static_cast<std::uint64_t>(stream), static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(rank)}));
  std::vector<Message> all(random.below(6));
  for (Message& message : all) {
    message.dest = static_cast<int>(random.below(static_cast<std::size_t>(size)));
    message.words = static_cast<int>(fields + random.below(random.chance(2) ? 3000 : 24));
  }
  return all;
}

struct Counted {
  std::atomic<long long> messages{0};
  std::atomic<long long> wrong{0};
};

/// One exchange and what it works on.
class Exchange {
 public:
  Exchange(const Place& place, int stream, int round) : place_(place), stream_(stream), round_(round) {
    for (const Message& message : messages_of(place.size, stream, round, place.rank)) {
      dests_.push_back(message.dest);
      const std::array<int, fields> head{stream, round, place.rank, message.dest, message.words};
      data_.insert(data_.end(), head.begin(), head.end());
      for (int i = fields; i < message.words; ++i) data_.push_back(round + i);
      offsets_.push_back(static_cast<MPI_Count>(data_.size()));
    }
  }
  void wait() {
    raise(Raddle_Sparse_exchange(data_.data(), static_cast<int>(dests_.size()), dests_.data(), offsets_.data(), MPI_INT,
                                 MPI_INT, MPI_INFO_NULL, place_.comm, &in_));
  }
  void start() {
    raise(Raddle_Sparse_iexchange(data_.data(), static_cast<int>(dests_.size()), dests_.data(), offsets_.data(),
                                  MPI_INT, MPI_INT, MPI_INFO_NULL, place_.comm, &in_, &request));
  }
  /// Once it is complete.
  void judge(Counted& counted) {
    int expected = 0;
    for (int source = 0; source < place_.size; ++source) {
      for (const Message& message : messages_of(place_.size, stream_, round_, source))
        expected += message.dest == place_.rank ? 1 : 0;
    }
    counted.messages += in_.count;
    counted.wrong += std::abs(expected - in_.count);
    for (int i = 0; i < in_.count; ++i) counted.wrong += is_right(i) ? 0 : 1;
    Raddle_Sparse_free(&in_);
  }

  MPI_Request request = MPI_REQUEST_NULL;

 private:
  static void raise(int code) {
    if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  [[nodiscard]] bool is_right(int number) const {
    const MPI_Count words = in_.offsets[number + 1] - in_.offsets[number];
    const int* const data = static_cast<const int*>(in_.data) + in_.offsets[number];
    if (words < static_cast<MPI_Count>(fields) || data[words_field] != words) return false;
    if (data[stream_field] != stream_ || data[round_field] != round_ || data[dest_field] != place_.rank) return false;
    if (data[source_field] != in_.ranks[number]) return false;
    for (int i = fields; i < words; ++i) {
      if (data[i] != round_ + i) return false;
    }
    return true;
  }

  Place place_;
  int stream_;
  int round_;
  std::vector<int> dests_;
  std::vector<MPI_Count> offsets_{0};
  std::vector<int> data_;
  Raddle_Sparse_messages in_{};
};

void in_turn(const Place& place, int stream, int first, int end, Counted& counted) {
  for (int round = first; round < end; ++round) {
    Exchange exchange(place, stream, round);
    exchange.wait();
    exchange.judge(counted);
  }
}

void overlapping(const Place& place, int rounds, Counted& counted) {
  Random random(static_cast<std::uint64_t>(place.rank) + 1);
  std::vector<std::unique_ptr<Exchange>> flights;
  for (int round = 0; round < rounds || !flights.empty();) {
    if (round < rounds && flights.size() < 4) {
      flights.push_back(std::make_unique<Exchange>(place, 0, round++));
      flights.back()->start();
      continue;
    }
    const auto any = flights.begin() + static_cast<std::ptrdiff_t>(random.below(flights.size()));
    MPI_Wait(&(*any)->request, MPI_STATUS_IGNORE);
    (*any)->judge(counted);
    flights.erase(any);
  }
}

/// Until both threads of each process together have so many messages.
void on_lanes(long long messages, Counted& counted) {
  constexpr int lanes = 2;
  constexpr int batch = 200;
  std::array<MPI_Comm, lanes> comms{};
  Raddle_Lanes_create(MPI_COMM_WORLD, lanes, MPI_INFO_NULL, comms.data());
  for (int first = 0;; first += batch) {
    {
      std::vector<std::jthread> threads;
      for (int lane = 0; lane < lanes; ++lane) {
        threads.emplace_back([&counted, first, lane, comm = comms.at(static_cast<std::size_t>(lane))] {
          in_turn(Place(comm), lane, first, first + batch, counted);
        });
      }
    }
    long long least = counted.messages;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
    if (least >= messages) break;
  }
  Raddle_Lanes_free(lanes, comms.data());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc == 3 ? argv[1] : "";
  const long long number = argc == 3 ? std::atoll(argv[2]) : 0;
  if (number < 1) {
    std::fputs("usage: sparse_rounds blocking|nonblocking|endpoints|threads COUNT\n", stderr);
    return 2;
  }
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const Place world(MPI_COMM_WORLD);
  const double began = MPI_Wtime();
  const int rounds = static_cast<int>(number);
  Counted counted;
  if (mode == "endpoints") {
    Endpoints endpoints(2);
    raddle::testing::each(endpoints, [&](MPI_Comm comm, int) { in_turn(Place(comm), 0, 0, rounds, counted); });
  } else if (mode == "nonblocking") {
    overlapping(world, rounds, counted);
  } else if (mode == "threads") {
    on_lanes(number, counted);
  } else {
    in_turn(world, 0, 0, rounds, counted);
  }
  std::array<long long, 2> all{counted.messages, counted.wrong};
  MPI_Allreduce(MPI_IN_PLACE, all.data(), 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (world.rank == 0)
    std::printf("sparse_rounds: %s, %lld: %lld messages, %lld wrong, %.1f s\n", mode.c_str(), number, all[0], all[1],
                MPI_Wtime() - began);
  MPI_Finalize();
  return all[1] != 0 || all[0] == 0 ? 1 : 0;
}
