// SPDX-License-Identifier: BSD-3-Clause
// A number of bytes as the MPI's count and datatype, beyond what `int` holds as well.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>

namespace raddle::proxy {

class Bytes {
 public:
  explicit Bytes(std::uint64_t bytes) : count_(static_cast<int>(bytes)) {
    if (bytes <= static_cast<std::uint64_t>(std::numeric_limits<int>::max())) [[likely]]
      return;
    constexpr std::uint64_t chunk = std::uint64_t{1} << 30U;
    MPI_Datatype chunks = MPI_DATATYPE_NULL;
    MPI_Type_vector(static_cast<int>(bytes / chunk), static_cast<int>(chunk), static_cast<int>(chunk), MPI_BYTE,
                    &chunks);
    const int lengths[] = {1, static_cast<int>(bytes % chunk)};
    const MPI_Aint places[] = {0, static_cast<MPI_Aint>(bytes / chunk * chunk)};
    const MPI_Datatype types[] = {chunks, MPI_BYTE};
    MPI_Type_create_struct(2, lengths, places, types, &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&chunks);
    count_ = 1;
    made_ = true;
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  /// Operations under way keep what they need (MPI-4.1 section 5.1.9).
  ~Bytes() {
    if (made_) MPI_Type_free(&type_);
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  int count_;
  MPI_Datatype type_ = MPI_BYTE;
  bool made_ = false;
};

}  // namespace raddle::proxy
