// SPDX-License-Identifier: BSD-3-Clause
// Carries partitioned requests of an ordinary communicator by messages of the MPI, on communicators of its own: the
// program's messages never meet them.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <list>
#include <thread>
#include <utility>
#include <vector>

#include "endpoints/endpoint.hpp"
#include "partitioned/carrier.hpp"

namespace raddle::partitioned {

class MpiCarrier final : public Carrier {
 public:
  /// @param lanes  for this alone, with the same ranks; the first one carries the notices as well. Freed by freed()
  /// @param reached  by rank: whether this process and that one can copy from and to each other's memory
  MpiCarrier(std::vector<MPI_Comm> lanes, std::vector<bool> reached);
  ~MpiCarrier() override;

  // Its end, in all of its processes, when no request is left; waits for nobody.
  /// It begins.
  void begin_to_free();
  /// A step. @returns whether it is over: its communicators are freed, and nothing that it has sent remains in the MPI
  [[nodiscard]] bool freed();

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int greatest_tag() const override { return greatest_tag_; }
  [[nodiscard]] bool reuses_tags() const override { return true; }
  [[nodiscard]] bool any_thread() const override { return any_thread_; }
  [[nodiscard]] bool may_start() const override {
    return any_thread_ || owner_.load(std::memory_order_relaxed) == std::this_thread::get_id();
  }
  void own() override { owner_.store(std::this_thread::get_id(), std::memory_order_relaxed); }
  void take_turn() override {
    if (takes_turns_) own();
  }
  [[nodiscard]] const void* shared_with(int peer) const override { return peer == rank_ && !between_ ? this : nullptr; }
  [[nodiscard]] bool reaches(int peer) const override { return reached_[static_cast<std::size_t>(peer)]; }

  void tell(int peer, const Notice& notice) override;
  bool hear(int& peer, Notice& notice) override;

  std::unique_ptr<GroupMessages> sends(const Division& division) override;
  std::unique_ptr<GroupMessages> receives(const Division& division) override;

 private:
  void forget_sent();

  std::vector<MPI_Comm> lanes_;
  std::vector<bool> reached_;
  int rank_ = 0;
  int greatest_tag_ = 0;
  bool between_ = false;  ///< an intercommunicator: ranks are those of others
  // Who may call the MPI, besides one thread for all time.
  bool any_thread_ = false;
  bool takes_turns_ = false;  ///< any thread, one after the other
  std::atomic<std::thread::id> owner_{std::this_thread::get_id()};
  std::list<std::pair<Notice, MPI_Request>> sent_;  ///< notices that may not be out yet
  std::vector<int> told_;                           ///< how many notices, by peer
  int heard_ = 0;
  // While it ends:
  std::vector<int> expected_;  ///< how many notices all have sent to this one, in parts
  MPI_Request counting_ = MPI_REQUEST_NULL;
};

// Carries partitioned requests of an endpoint by its messages, with tags of Raddle's own.

class EndpointCarrier final : public Carrier {
 public:
  explicit EndpointCarrier(endpoints::Endpoint& endpoint);

  [[nodiscard]] int rank() const override { return endpoint_.rank(); }
  [[nodiscard]] int greatest_tag() const override { return greatest_tag_; }
  [[nodiscard]] bool reuses_tags() const override { return false; }
  [[nodiscard]] bool any_thread() const override { return true; }
  [[nodiscard]] bool may_start() const override { return true; }
  void own() override {}
  void take_turn() override {}
  [[nodiscard]] const void* shared_with(int peer) const override;
  [[nodiscard]] bool reaches(int) const override { return false; }  // the engine sends offers there: one copy as well

  void tell(int peer, const Notice& notice) override;
  bool hear(int& peer, Notice& notice) override;

  std::unique_ptr<GroupMessages> sends(const Division& division) override;
  std::unique_ptr<GroupMessages> receives(const Division& division) override;

 private:
  endpoints::Endpoint& endpoint_;
  int notice_tag_;
  int first_data_tag_;
  int greatest_tag_;
};

}  // namespace raddle::partitioned
