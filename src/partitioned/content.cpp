// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/content.hpp"

#include "endpoints/errors.hpp"
#include "platform/must.hpp"

namespace raddle::partitioned {

using endpoints::Failure;
using endpoints::Layout;

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

}  // namespace raddle::partitioned
