// SPDX-License-Identifier: BSD-3-Clause
// The program's buffer as a partitioned request sees it: bytes in one piece, which are the buffer itself where its
// datatype allows that, and a copy otherwise. What travels is counted in bytes, so the two sides may describe the same
// data in different ways.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "endpoints/datatypes/layout.hpp"
#include "partitioned/groups.hpp"
#include "platform/own_type.hpp"

namespace raddle::partitioned {

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

}  // namespace raddle::partitioned
