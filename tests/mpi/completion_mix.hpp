// SPDX-License-Identifier: BSD-3-Clause
// Arrays of requests of all sorts in random order, and what MPI-4.1 sections 3.7.3 to 3.7.6 say of them.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "mpi/completion_world.hpp"

namespace raddle::endpoints {

constexpr int untouched = 77;  ///< what MPI_ERROR is before a call

/// What one call said.
struct Answer {
  int code = MPI_SUCCESS;
  bool flag = true;                      ///< true also of calls that have none
  bool none = false;                     ///< that nothing was active
  std::vector<std::size_t> told{};       ///< places of requests that are complete
  std::vector<const MPI_Status*> how{};  ///< their statuses, each nullptr if none was asked for
};

struct Slot {
  FakeRequest* fake = nullptr;
  bool active = false;
  bool completes = true;  ///< some time
  bool stays = false;     ///< persistent
  bool receives = true;   ///< whether the status means anything
  Result end{};
};

/// An array, and how much of it the program has been told.
class Mix {
 public:
  struct Options {
    bool nevers = true;    ///< requests that do not complete
    bool natives = true;   ///< active ones
    bool failures = true;  ///< requests that fail
    bool persistent_natives = true;
  };

  Mix(World& world, std::mt19937& random, Options options) : world_(world), random_(random), options_(options) {
    const int count = 1 + below(9);
    received_.resize(static_cast<std::size_t>(count));
    slots_.push_back(mine(below(4) != 0));
    while (slots_.size() < received_.size()) slots_.push_back(any());
    // Fakes stay in place: the array and its slots are shuffled together.
    for (std::size_t i = slots_.size(); i-- > 1;) {
      const auto other = static_cast<std::size_t>(below(static_cast<int>(i) + 1));
      std::swap(slots_[i], slots_[other]);
      std::swap(requests[i], requests[other]);
    }
    before_ = requests;
  }
  Mix(const Mix&) = delete;
  Mix& operator=(const Mix&) = delete;
  ~Mix() {
    for (const int tag : unsent_) MPI_Send(&tag, 1, MPI_INT, 0, tag, world_.natives);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].fake != nullptr || requests[i] == MPI_REQUEST_NULL) continue;
      PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      if (slots_[i].stays) PMPI_Request_free(&requests[i]);
    }
    PMPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
    for (FakeEndpoint& endpoint : world_.endpoints) endpoint.forget_requests();
  }

  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] std::size_t count_if(bool (*what)(const Slot&)) const {
    return static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), what));
  }
  [[nodiscard]] std::size_t active() const {
    return count_if([](const Slot& slot) { return slot.active; });
  }
  [[nodiscard]] std::size_t to_come() const {
    return count_if([](const Slot& slot) { return slot.active && slot.completes; });
  }
  [[nodiscard]] bool has_active_natives() const {
    return count_if([](const Slot& slot) { return slot.active && slot.fake == nullptr; }) > 0;
  }
  /// Requests of endpoints that are complete, whether the program knows it or not.
  [[nodiscard]] std::set<std::size_t> complete_fakes() const {
    std::set<std::size_t> all;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].fake != nullptr && slots_[i].active && slots_[i].fake->complete()) all.insert(i);
    }
    return all;
  }
  /// Whether these are all that completes. @param one of several one is enough
  [[nodiscard]] bool exhausted(const std::set<std::size_t>& told, bool one) const {
    std::size_t all = 0;
    std::size_t known = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (!slots_[i].completes || !(slots_[i].active || told.contains(i))) continue;
      ++all;
      known += told.count(i);
    }
    return known == all || (one && known > 0);
  }
  /// Checks an answer, and takes it in. @param ends whether it is a call that ends requests
  void check(const Answer& answer, bool ends, bool several) {
    if (answer.none) {
      EXPECT_EQ(active(), 0U);
    }
    std::set<int> errors;
    for (std::size_t k = 0; k < answer.told.size(); ++k) {
      ASSERT_LT(answer.told[k], slots_.size());
      Slot& slot = slots_[answer.told[k]];
      ASSERT_TRUE(slot.active) << "place " << answer.told[k];
      ASSERT_TRUE(slot.completes) << "place " << answer.told[k];
      if (slot.end.error != MPI_SUCCESS) errors.insert(slot.end.error);
      if (answer.how[k] != nullptr) check_status(slot, *answer.how[k]);
      if (!ends) continue;
      slot.active = false;
      if (slot.fake != nullptr) {
        EXPECT_EQ(slot.fake->retired, 1);
      }
      if (!slot.stays) before_[answer.told[k]] = MPI_REQUEST_NULL;
    }
    EXPECT_EQ(requests, before_);
    for (const Slot& slot : slots_) {
      if (slot.fake != nullptr && slot.active) {
        EXPECT_EQ(slot.fake->retired, 0);
      }
    }
    check_errors(answer, errors, several);
  }

  std::vector<MPI_Request> requests;

 private:
  int below(int end) { return std::uniform_int_distribution(0, end - 1)(random_); }

  Slot any() {
    switch (below(6)) {
      case 0:
        requests.push_back(MPI_REQUEST_NULL);
        return {};
      case 1:
        return options_.natives ? native_send() : mine(true);
      case 2:
        return options_.natives ? native_receive() : mine(true);
      case 3:
        return native_inactive();
      default:
        return mine(below(6) != 0);
    }
  }

  Slot mine(bool active) {
    FakeEndpoint& endpoint = world_.endpoints[static_cast<std::size_t>(below(3))];
    Slot slot{.active = active, .stays = !active || below(3) == 0};
    slot.completes = !options_.nevers || below(5) != 0;
    slot.end = {below(100), below(100), static_cast<std::size_t>(below(1000)), below(8) == 0, MPI_SUCCESS};
    if (options_.failures && below(5) == 0) slot.end.error = below(2) == 0 ? MPI_ERR_TRUNCATE : MPI_ERR_INTERN;
    slot.fake = &endpoint.request(slot.end, slot.completes ? below(30) : never, slot.stays);
    if (slot.stays && active) slot.fake->start();
    requests.push_back(slot.fake->handle());
    return slot;
  }

  Slot native_send() {
    const int tag = static_cast<int>(slots_.size());
    received_[slots_.size()] = tag;
    sends_.emplace_back();
    MPI_Irecv(&sunk_.emplace_back(), 1, MPI_INT, 0, tag, world_.natives, &sends_.back());
    requests.emplace_back();
    MPI_Isend(&received_[slots_.size()], 1, MPI_INT, 0, tag, world_.natives, &requests.back());
    return {.active = true, .receives = false};
  }

  Slot native_receive() {
    const int tag = static_cast<int>(slots_.size());
    Slot slot{.active = true,
              .stays = options_.persistent_natives && below(3) == 0,
              .end = {0, tag, sizeof(int), false, MPI_SUCCESS}};
    slot.completes = !options_.nevers || below(3) != 0;
    requests.emplace_back();
    if (slot.stays) {
      MPI_Recv_init(&received_[slots_.size()], 1, MPI_INT, 0, tag, world_.natives, &requests.back());
      PMPI_Start(&requests.back());
    } else {
      MPI_Irecv(&received_[slots_.size()], 1, MPI_INT, 0, tag, world_.natives, &requests.back());
    }
    if (slot.completes) {
      sends_.emplace_back();
      MPI_Isend(&sunk_.emplace_back(), 1, MPI_INT, 0, tag, world_.natives, &sends_.back());
    } else {
      unsent_.push_back(tag);
    }
    return slot;
  }

  Slot native_inactive() {
    requests.emplace_back();
    MPI_Recv_init(&received_[slots_.size()], 1, MPI_INT, 0, 0, world_.natives, &requests.back());
    return {.stays = true};
  }

  static void check_status(const Slot& slot, const MPI_Status& status) {
    if (!slot.receives) return;
    int bytes = -1;
    int cancelled = -1;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    MPI_Test_cancelled(&status, &cancelled);
    EXPECT_EQ(status.MPI_SOURCE, slot.end.source);
    EXPECT_EQ(status.MPI_TAG, slot.end.tag);
    EXPECT_EQ(bytes, static_cast<int>(slot.end.bytes));
    EXPECT_EQ(cancelled != 0, slot.end.cancelled);
  }

  /// The error is returned, in MPI_ERROR where several may fail, and raised once on the endpoint that it is from.
  void check_errors(const Answer& answer, const std::set<int>& errors, bool several) {
    if (errors.empty()) {
      EXPECT_EQ(answer.code, MPI_SUCCESS);
      EXPECT_TRUE(heard.empty());
    } else {
      EXPECT_EQ(answer.code, several ? MPI_ERR_IN_STATUS : *errors.begin());
      ASSERT_EQ(heard.size(), 1U);
      EXPECT_TRUE(errors.contains(heard[0].code));
      EXPECT_TRUE(std::any_of(answer.told.begin(), answer.told.end(), [&](std::size_t place) {
        const Slot& slot = slots_[place];
        return slot.fake != nullptr && slot.fake->comm() == heard[0].comm && slot.end.error == heard[0].code;
      }));
    }
    for (std::size_t k = 0; k < answer.told.size(); ++k) {
      const Slot& slot = slots_[answer.told[k]];
      if (answer.how[k] == nullptr) continue;
      const int error = answer.how[k]->MPI_ERROR;
      if (several && !errors.empty()) {
        EXPECT_EQ(error, slot.end.error);
      } else {
        // An MPI may write that there was none.
        EXPECT_TRUE(error == untouched || (slot.fake == nullptr && error == MPI_SUCCESS)) << error;
      }
    }
    heard.clear();
  }

  World& world_;
  std::mt19937& random_;
  Options options_;
  std::vector<Slot> slots_;
  std::vector<MPI_Request> before_;
  std::vector<int> received_;
  std::deque<int> sunk_;            ///< the other sides of messages of the MPI's
  std::vector<MPI_Request> sends_;  ///< their requests
  std::vector<int> unsent_;
};

}  // namespace raddle::endpoints
