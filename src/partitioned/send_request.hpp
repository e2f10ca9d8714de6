// SPDX-License-Identifier: BSD-3-Clause
// The request of MPI_Psend_init. Groups of partitions leave as soon as they are ready: as a message each, or straight
// into the receiver's buffer.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "partitioned/carrier.hpp"
#include "partitioned/groups.hpp"
#include "partitioned/link.hpp"
#include "partitioned/pace.hpp"
#include "partitioned/request.hpp"

namespace raddle::partitioned {

class SendRequest final : public PartitionedRequest {
 public:
  /// @throws endpoints::Failure: bad arguments, or there are no tags left
  SendRequest(Desk desk, const Arguments& arguments);
  ~SendRequest() override;

  [[nodiscard]] endpoints::Result result() const override { return {.error = error()}; }
  int ready(int partition) override;
  int arrived(int, bool&) override { return MPI_ERR_REQUEST; }
  [[nodiscard]] int messages() const override;
  bool advance() override;

 private:
  /// One way to divide the buffer.
  struct Level {
    explicit Level(const Groups& groups) : counters(groups), pace(groups.count()) {}
    ReadyCounters counters;
    Pace pace;                                ///< of the last round
    std::unique_ptr<GroupMessages> messages;  ///< nullptr: straight into the receiver's buffer
  };

  int begin() override;
  Level& level(int per_group);
  [[nodiscard]] Division division(const Groups& groups) const;
  void link_to_own_process(const void* shared, int tag, const Arguments& arguments);
  [[nodiscard]] bool link_to_other_process(const Arguments& arguments);
  void use_link(const Arguments& arguments);
  void use_messages(const Arguments& arguments);
  int leave(int group);
  [[nodiscard]] int next_per_group();

  Notice setup_;  ///< for the receiver, unless it is in this process
  bool own_process_ = false;
  std::shared_ptr<Link> link_;
  int pieces_ = 1;                          ///< of the link in each group
  std::atomic<std::uint64_t> departed_{0};  ///< groups that threads have left to the link, in all rounds
  int first_tag_ = -1;
  bool adapts_ = false;
  bool observes_ = false;                         ///< the times of this round say how to divide later ones
  int finest_ = 1;                                ///< partitions in the smallest group there may be
  std::map<int, std::unique_ptr<Level>> levels_;  ///< by partitions in a group
  Level* level_ = nullptr;
  int planned_ = 0;   ///< partitions in a group, from the next round on
  GroupSet pending_;  ///< ready, and left to the thread that may call the MPI
  std::vector<int> ended_;
  int left_ = 0;  ///< groups that have not ended in this round
};

}  // namespace raddle::partitioned
