// SPDX-License-Identifier: BSD-3-Clause
// What tests of sparse exchanges run on, and the sequential model that says what has to arrive.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <ostream>
#include <utility>
#include <vector>

#include "mpi/hints.hpp"
#include "mpi/ranks.hpp"
#include "mpi/sparse_names.hpp"
#include "raddle/raddle.h"

namespace raddle::testing {

/// A message, as the one side or the other sees it.
struct Parcel {
  int peer;
  std::vector<int> words;
  auto operator<=>(const Parcel&) const = default;
};
using Parcels = std::vector<Parcel>;

inline void PrintTo(const Parcel& parcel, std::ostream* out) {
  *out << parcel.words.size() << " words of " << parcel.peer;
  for (std::size_t i = 0; i < std::min<std::size_t>(parcel.words.size(), 4); ++i) *out << ' ' << parcel.words[i];
}

/// Messages as the calls want them. Keep it until an exchange of it is complete.
class Outgoing {
 public:
  Outgoing() = default;
  explicit Outgoing(const Parcels& parcels) {
    for (const Parcel& parcel : parcels) add(parcel.peer, parcel.words);
  }
  void add(int dest, const std::vector<int>& words) {
    dests.push_back(dest);
    data.insert(data.end(), words.begin(), words.end());
    offsets.push_back(static_cast<MPI_Count>(data.size()));
  }
  [[nodiscard]] int count() const { return static_cast<int>(dests.size()); }

  std::vector<int> dests;
  std::vector<MPI_Count> offsets{0};
  std::vector<int> data;
};

/// Messages as the calls give them, given back when they go.
class Received {
 public:
  Received() = default;
  Received(const Received&) = delete;
  Received& operator=(const Received&) = delete;
  ~Received() { free(); }
  void free() {
    EXPECT_EQ(Raddle_Sparse_free(&messages), MPI_SUCCESS);
    EXPECT_EQ(messages.count, 0);
  }
  [[nodiscard]] Parcels parcels() const {
    Parcels all;
    const int* const words = static_cast<const int*>(messages.data);
    for (int i = 0; i < messages.count; ++i) {
      const MPI_Count first = messages.offsets[i];
      const MPI_Count end = messages.offsets[i + 1];
      EXPECT_LE(first, end);
      all.push_back({messages.ranks[i], {words + first, words + end}});
    }
    if (messages.count > 0) {
      EXPECT_EQ(messages.offsets[0], 0);
    }
    return all;
  }

  Raddle_Sparse_messages messages{};
};

/// Who sends what: the messages of a rank, whose peers are destinations.
using Pattern = std::function<Parcels(int rank)>;

/// What a rank receives, by source: what the sequential model says.
inline Parcels arriving(const Pattern& pattern, int size, int rank) {
  Parcels all;
  for (int source = 0; source < size; ++source) {
    for (Parcel& parcel : pattern(source)) {
      if (parcel.peer == rank) all.push_back({source, std::move(parcel.words)});
    }
  }
  return all;
}

/// By source; those of one source stay in their order.
inline Parcels by_source(Parcels parcels) {
  std::stable_sort(parcels.begin(), parcels.end(), [](const Parcel& a, const Parcel& b) { return a.peer < b.peer; });
  return parcels;
}

inline int call_exchange(const Place& place, const Outgoing& out, Received& in, MPI_Info info = MPI_INFO_NULL) {
  return Raddle_Sparse_exchange(out.data.data(), out.count(), out.dests.data(), out.offsets.data(), MPI_INT, MPI_INT,
                                info, place.comm, &in.messages);
}

/// All ranks exchange what a pattern says.
inline void expect_exchange(const Place& place, const Pattern& pattern, MPI_Info info = MPI_INFO_NULL) {
  const Outgoing out(pattern(place.rank));
  Received in;
  ASSERT_EQ(call_exchange(place, out, in, info), MPI_SUCCESS);
  EXPECT_EQ(by_source(in.parcels()), arriving(pattern, place.size, place.rank));
}

/// An exchange that does not wait, and what it works on.
class Flight {
 public:
  Flight(const Place& place, const Pattern& pattern, MPI_Info info = MPI_INFO_NULL)
      : out_(pattern(place.rank)), expected_(arriving(pattern, place.size, place.rank)) {
    // What is no data may change at once.
    std::vector<int> dests = out_.dests;
    std::vector<MPI_Count> offsets = out_.offsets;
    EXPECT_EQ(Raddle_Sparse_iexchange(out_.data.data(), out_.count(), dests.data(), offsets.data(), MPI_INT, MPI_INT,
                                      info, place.comm, &in_.messages, &request),
              MPI_SUCCESS);
    std::fill(dests.begin(), dests.end(), -5);
    std::fill(offsets.begin(), offsets.end(), -5);
  }
  void wait() {
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    check();
  }
  [[nodiscard]] bool test() {
    int flag = -1;
    EXPECT_EQ(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    return flag != 0;
  }
  /// Once it is complete.
  void check() const {
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    EXPECT_EQ(by_source(in_.parcels()), expected_);
  }

  MPI_Request request = MPI_REQUEST_NULL;

 private:
  Outgoing out_;
  Received in_;
  Parcels expected_;
};

/// A few messages from each rank to a few others, which differ from round to round.
inline Pattern some(int size, int round, std::size_t longest = 40) {
  return [=](int rank) {
    traffic::Random random(traffic::mix({static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(round), 99}));
    Parcels all;
    for (std::size_t i = random.below(5); i > 0; --i) {
      const int dest = static_cast<int>(random.below(static_cast<std::size_t>(size)));
      const std::size_t count = random.chance(15) ? 0 : random.below(longest);
      all.push_back({dest, words(rank, 1000 * round + static_cast<int>(i), count)});
    }
    return all;
  };
}

class Sparse : public ::testing::TestWithParam<Ranks> {
 protected:
  /// Endpoints of this process: 2, or what TEST_ENDPOINTS says; `uneven` are 2, none, one, and so on.
  static int endpoints_here() {
    const char* const told = std::getenv("TEST_ENDPOINTS");
    if (told == nullptr) return 2;
    if (std::strcmp(told, "uneven") != 0) return std::atoi(told);
    return std::array{2, 0, 1}.at(static_cast<std::size_t>(rank_in(MPI_COMM_WORLD) % 3));
  }

  /// Runs `act(its place)` for all ranks of a new communicator, whose errors are returned. Collective.
  template <typename Act>
  void on_each_rank(Act&& act) const {
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    if (GetParam() == Ranks::processes) {
      act(Place(parent));
    } else {
      Endpoints endpoints(endpoints_here(), parent);
      ASSERT_EQ(endpoints.code(), MPI_SUCCESS);
      each(endpoints, [&act](MPI_Comm comm, int) { act(Place(comm)); });
    }
    MPI_Comm_free(&parent);
  }
};

}  // namespace raddle::testing
