// SPDX-License-Identifier: BSD-3-Clause
// What partitioned sends and receives have in common (MPI-4.1 section 4.2).
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/requests/ended.hpp"
#include "endpoints/requests/request.hpp"
#include "partitioned/groups.hpp"
#include "platform/own_copy.hpp"
#include "platform/settings.hpp"

namespace raddle::partitioned {

// How partitions are to be grouped: the info keys of MPI_Psend_init, and the environment where they say nothing.

struct GroupingHints {
  platform::PartPolicy policy = platform::PartPolicy::automatic;
  std::optional<std::size_t> min_bytes;
  int max_messages = platform::most_part_messages;
};

/// @throws endpoints::Failure: a raddle_ key that nobody knows, or a bad value; platform::SettingsError
GroupingHints hints_of(MPI_Info info);

/// How many partitions make a message. @param partitions  >= 0 @param partition_bytes  of each
/// @param usual  the fewest bytes of a message where nobody has said how many
/// @returns >= 1
int per_message(const GroupingHints& hints, int partitions, std::size_t partition_bytes, std::size_t usual);

// The program's buffer as a partitioned request sees it: bytes in one piece, which are the buffer itself where its
// datatype allows that, and a copy otherwise. What travels is counted in bytes, so the two sides may describe the same
// data in different ways.

class Content {
 public:
  /// `partitions` times `count` elements of `type` at `buffer`. @throws endpoints::Failure: bad arguments
  Content(void* buffer, int partitions, MPI_Count count, MPI_Datatype type);
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;
  ~Content() = default;

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t partition_bytes() const { return partition_bytes_; }
  /// Whether the bytes are a copy.
  [[nodiscard]] bool copied() const { return copy_ != nullptr; }
  [[nodiscard]] std::byte* data() const { return copied() ? copy_.get() : data_; }

  // Of a copy; different partitions by any threads at once.
  void pack(Range partitions) const;  ///< from the program's buffer
  /// Into it, of their bytes so many.
  void unpack(Range partitions, std::size_t bytes) const;

 private:
  /// Where the bytes of these partitions are, in the program's buffer.
  void describe(Range partitions, endpoints::Layout& layout) const;

  void* buffer_;
  MPI_Count count_;
  platform::OwnType type_;
  MPI_Aint extent_ = 0;
  std::size_t bytes_ = 0;
  std::size_t partition_bytes_ = 0;
  std::byte* data_ = nullptr;
  std::unique_ptr<std::byte[]> copy_;
};

class Office;

/// Where requests are made.
struct Desk {
  MPI_Comm comm;  ///< errors are raised there
  endpoints::Mover* mover;
  Office* office;
  std::shared_ptr<void> keep;  ///< keeps them alive
};

/// The arguments of MPI_Psend_init and MPI_Precv_init.
struct Arguments {
  void* buffer;
  int partitions;
  MPI_Count count;
  MPI_Datatype type;
  int peer;
  int tag;
  GroupingHints hints;
};

class PartitionedRequest : public endpoints::Request, public endpoints::Partitions {
 public:
  ~PartitionedRequest() override;

  int start() final;
  void cancel() final {}  // not allowed (section 3.8.4)
  void retire() final { active_ = false; }
  void abandon() final;

  /// Its communicator is freed: errors are raised on this one.
  void raise_on(MPI_Comm comm) { raises_ = comm; }

  /// A step of the round, by one thread at a time. @returns whether it is over
  virtual bool advance() = 0;
  /// It is over, and nobody advances it any more. @returns whether the program has given the request up: it is to be
  /// deleted. Otherwise it may be gone when this returns
  [[nodiscard]] bool finish();

 protected:
  PartitionedRequest(Desk desk, const Arguments& arguments);

  /// A round begins, which round() counts from 1 on. @returns an MPI error code, not raised
  virtual int begin() = 0;

  [[nodiscard]] Office& office() const { return *desk_.office; }
  [[nodiscard]] const Content& content() const { return content_; }
  [[nodiscard]] int partitions_made() const { return partition_count_; }
  [[nodiscard]] bool is_partition(int partition) const {
    return static_cast<unsigned>(partition) < static_cast<unsigned>(partition_count_);
  }
  [[nodiscard]] int peer() const { return peer_; }
  [[nodiscard]] std::uint64_t round() const { return round_; }

  /// How the round ends, if not well.
  void fail(int error) { error_.store(error, std::memory_order_relaxed); }
  [[nodiscard]] int error() const { return error_.load(std::memory_order_relaxed); }

 private:
  Desk desk_;
  Content content_;
  int partition_count_;
  int peer_;
  std::uint64_t round_ = 0;
  bool given_up_ = false;
  std::atomic<int> error_{MPI_SUCCESS};
  endpoints::End end_{endpoints::Ended::no};
};

/// Rounds in which the sender of a request that adapts says how the next ones will be divided: often at first, when it
/// knows little. Both sides change with the next round.
[[nodiscard]] constexpr bool tells_plan(std::uint64_t round) {
  constexpr std::uint64_t seldom = 16;
  return round >= seldom ? round % seldom == 0 : round > 1 && (round & (round - 1)) == 0;
}

// A partitioned request to or from MPI_PROC_NULL: each round is over when it starts (MPI-4.1 section 3.10).

class IdleRequest final : public endpoints::Request, public endpoints::Partitions {
 public:
  IdleRequest(Desk desk, int partitions, bool sends)
      : Request(&end_), desk_(std::move(desk)), partition_count_(partitions), sends_(sends) {
    raises_ = desk_.comm;
    mover_ = desk_.mover;
    partitions_ = this;
    persistent_ = true;
    active_ = false;
  }

  [[nodiscard]] endpoints::Result result() const override {
    return sends_ ? endpoints::Result{} : endpoints::Result{.source = MPI_PROC_NULL};
  }
  int start() override {
    active_ = true;
    return MPI_SUCCESS;
  }
  void cancel() override {}
  void retire() override { active_ = false; }
  void abandon() override { delete this; }

  int ready(int partition) override {
    if (!sends_ || !active_) return MPI_ERR_REQUEST;
    return is_partition(partition) ? MPI_SUCCESS : MPI_ERR_ARG;
  }
  int arrived(int partition, bool& flag) override {
    if (sends_) return MPI_ERR_REQUEST;
    flag = true;
    return is_partition(partition) ? MPI_SUCCESS : MPI_ERR_ARG;
  }
  [[nodiscard]] int messages() const override { return 0; }

 private:
  [[nodiscard]] bool is_partition(int partition) const { return partition >= 0 && partition < partition_count_; }

  Desk desk_;
  int partition_count_;
  bool sends_;
  endpoints::End end_{endpoints::Ended::well};
};

}  // namespace raddle::partitioned
