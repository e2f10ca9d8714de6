// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/request.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "endpoints/communicators/derive.hpp"
#include "endpoints/errors.hpp"
#include "partitioned/groups.hpp"
#include "partitioned/office.hpp"
#include "platform/must.hpp"

namespace raddle::partitioned {

using endpoints::Failure;
using endpoints::Layout;
using platform::PartPolicy;

static_assert(platform::most_part_messages <= most_groups, "each message carries a group");

GroupingHints hints_of(MPI_Info info) {
  const platform::Settings asked = endpoints::settings_with(platform::HintScope::partitioned, info);
  return {asked.part_policy, asked.part_min_bytes, asked.part_max_messages};
}

int per_message(const GroupingHints& hints, int partitions, std::size_t partition_bytes, std::size_t usual) {
  if (partitions == 0) return 1;
  if (hints.policy == PartPolicy::bulk) return partitions;
  const int fewest = (partitions - 1) / hints.max_messages + 1;
  if (hints.policy == PartPolicy::none) return fewest;
  if (partition_bytes == 0) return partitions;
  const std::size_t enough = (hints.min_bytes.value_or(usual) - 1) / partition_bytes + 1;
  return std::max(fewest, static_cast<int>(std::min(enough, static_cast<std::size_t>(partitions))));
}

Content::Content(void* buffer, int partitions, MPI_Count count, MPI_Datatype type) : buffer_(buffer), count_(count) {
  Layout whole;
  MPI_Count elements = 0;
  if (__builtin_mul_overflow(count, static_cast<MPI_Count>(partitions), &elements))
    throw Failure(endpoints::error_with(MPI_ERR_COUNT, "Raddle: partitions times count is beyond MPI_Count"));
  if (const int code = whole.describe(buffer, elements, type); code != MPI_SUCCESS) throw Failure(code);
  bytes_ = whole.body().bytes;
  partition_bytes_ = partitions == 0 ? 0 : bytes_ / static_cast<std::size_t>(partitions);
  data_ = whole.body().data;
  if (whole.body().scattered == nullptr) return;
  MPI_Aint lower = 0;
  platform::must("MPI_Type_get_extent", PMPI_Type_get_extent(type, &lower, &extent_));
  copy_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  type_.copy(type);
  Layout duplicate;
  describe({0, partitions}, duplicate);  // now: threads that may not call the MPI find it known
}

void Content::describe(Range partitions, Layout& layout) const {
  auto* const first = static_cast<std::byte*>(buffer_) + partitions.first * count_ * extent_;
  endpoints::check(layout.describe(first, count_ * (partitions.end - partitions.first), type_.get()));
}

void Content::pack(Range partitions) const {
  Layout layout;
  describe(partitions, layout);
  endpoints::copy_out(layout.body(), copy_.get() + static_cast<std::size_t>(partitions.first) * partition_bytes_);
}

void Content::unpack(Range partitions, std::size_t bytes) const {
  if (bytes == 0) return;
  Layout layout;
  describe(partitions, layout);
  const endpoints::Body& body = layout.body();
  const std::byte* const from = copy_.get() + static_cast<std::size_t>(partitions.first) * partition_bytes_;
  if (body.scattered != nullptr) {
    body.scattered->scatter({from, bytes});
  } else {
    std::memcpy(body.data, from, bytes);
  }
}

PartitionedRequest::PartitionedRequest(Desk desk, const Arguments& arguments)
    : Request(&end_),
      desk_(std::move(desk)),
      content_(arguments.buffer, arguments.partitions, arguments.count, arguments.type),
      partition_count_(arguments.partitions),
      peer_(arguments.peer) {
  office().enter(*this);
  raises_ = desk_.comm;
  mover_ = desk_.mover;
  partitions_ = this;
  persistent_ = true;
  active_ = false;
}

PartitionedRequest::~PartitionedRequest() { office().leave(*this); }

int PartitionedRequest::start() {
  const std::lock_guard lock(office().guard());
  office().carrier().own();
  ++round_;
  error_.store(MPI_SUCCESS, std::memory_order_relaxed);
  end_.store(endpoints::Ended::no, std::memory_order_relaxed);
  active_ = true;
  if (const int code = begin(); code != MPI_SUCCESS) fail(code);
  if (advance()) {
    static_cast<void>(finish());
  } else {
    office().activate(*this);
  }
  return MPI_SUCCESS;
}

bool PartitionedRequest::finish() {
  const bool given_up = given_up_;
  end_.store(error() == MPI_SUCCESS ? endpoints::Ended::well : endpoints::Ended::otherwise, std::memory_order_release);
  return given_up;
}

void PartitionedRequest::abandon() {
  std::unique_ptr<PartitionedRequest> gone;
  const std::lock_guard lock(office().guard());
  if (active_ && !complete()) {
    given_up_ = true;
  } else {
    gone.reset(this);
  }
}

}  // namespace raddle::partitioned
