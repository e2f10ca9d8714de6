// SPDX-License-Identifier: BSD-3-Clause
// The request of MPI_Precv_init. How the data come, the sender says once; until then nothing can arrive.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "partitioned/carrier.hpp"
#include "partitioned/link.hpp"
#include "partitioned/request.hpp"

namespace raddle::partitioned {

class ReceiveRequest final : public PartitionedRequest {
 public:
  /// @throws endpoints::Failure: bad arguments
  ReceiveRequest(Desk desk, const Arguments& arguments);
  ~ReceiveRequest() override;

  [[nodiscard]] endpoints::Result result() const override;
  int ready(int) override { return MPI_ERR_REQUEST; }
  int arrived(int partition, bool& flag) override;
  [[nodiscard]] int messages() const override;
  bool advance() override;

  // With the office's guard.
  void settle(const Notice& notice);
  void plan(const Notice& notice) { plans_.push_back({notice.number, notice.group_bytes}); }

 private:
  using Round = std::atomic<std::uint64_t>;

  /// One way in which the sender divides the data.
  struct Level {
    Division division;
    std::unique_ptr<GroupMessages> messages;
    std::vector<Round> arrived;  ///< by group: the last round in which it has
  };

  /// From a round on. The sender may be rounds ahead, so there may be several.
  struct DivisionPlan {
    std::uint64_t from;
    std::size_t group_bytes;
  };

  int begin() override;
  Level& level(std::size_t group_bytes);
  int start_messages();
  [[nodiscard]] bool all_here();
  [[nodiscard]] bool is_here(int partition) const;
  [[nodiscard]] bool has_arrived(int group) const;
  [[nodiscard]] Range groups_of(int partition) const;
  /// A group has: what it completes is unpacked.
  void note(int group);
  void look_at_link();
  void end_round();
  [[nodiscard]] bool unpacks() const { return !unpacked_.empty(); }
  [[nodiscard]] bool too_long() const { return bytes_ > content().bytes(); }

  Name name_{};
  std::atomic<bool> settled_{false};
  std::size_t bytes_ = 0;  ///< that the sender sends
  std::shared_ptr<Link> link_;
  int unreachable_ = MPI_SUCCESS;  ///< why there is no link, where there had to be one
  std::uint64_t seen_ = 0;         ///< groups of the link that were looked at
  std::vector<bool> noted_;        ///< those of this round
  Notice setup_;
  std::map<std::size_t, std::unique_ptr<Level>> levels_;  ///< by bytes in a group
  Level* level_ = nullptr;
  std::deque<DivisionPlan> plans_;
  int left_ = 0;  ///< groups that have not arrived in this round
  std::vector<int> ended_;
  std::vector<Round> unpacked_;         ///< by partition: the last round in which it was; if it has to be
  std::unique_ptr<std::byte[]> spill_;  ///< for all bytes, where they are more than there is room for
};

}  // namespace raddle::partitioned
