// SPDX-License-Identifier: BSD-3-Clause
// Communicators and datatypes of Raddle's own, for what it does with those of the program.
#pragma once

#include <mpi.h>

#include <array>
#include <climits>
#include <cstddef>

#include "platform/errors.hpp"
#include "platform/must.hpp"

namespace raddle::platform {

// Raddle makes communicators for itself by the names that programs use, since they may be of endpoints. What is done
// with those that programs make is not done with these.

/// While one lives, the calling thread makes communicators for Raddle.
class MakingOwn {
 public:
  MakingOwn() noexcept { ++depth_; }
  MakingOwn(const MakingOwn&) = delete;
  MakingOwn& operator=(const MakingOwn&) = delete;
  ~MakingOwn() { --depth_; }

  [[nodiscard]] static bool now() noexcept { return depth_ != 0; }

 private:
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local int depth_ = 0;
};

/// Collective: one with the same processes and hints, on which errors are returned. Unlike a duplicate it has no
/// attributes, so that no function of the program is called.
/// @param code  of what has failed, raised on `comm` @returns MPI_COMM_NULL then
inline MPI_Comm own_copy(MPI_Comm comm, int& code) {
  const MakingOwn own;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  code = PMPI_Comm_group(comm, &group);
  if (code != MPI_SUCCESS || group == MPI_GROUP_NULL) return MPI_COMM_NULL;
  code = PMPI_Comm_create(comm, group, &made);
  regardless(MPI_Group_free(&group));
  if (code != MPI_SUCCESS || made == MPI_COMM_NULL) return MPI_COMM_NULL;
  must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
  MPI_Info hints = MPI_INFO_NULL;
  if (MPI_Comm_get_info(comm, &hints) == MPI_SUCCESS && hints != MPI_INFO_NULL) {
    regardless(MPI_Comm_set_info(made, hints));
    regardless(MPI_Info_free(&hints));
  }
  return made;
}

// A datatype that the program may free (MPI-4.1 section 5.1.9) while Raddle still needs it.

/// A duplicate of a datatype, or none.
class OwnType {
 public:
  OwnType() = default;
  OwnType(const OwnType&) = delete;
  OwnType& operator=(const OwnType&) = delete;
  ~OwnType() {
    if (type_ != MPI_DATATYPE_NULL) regardless(PMPI_Type_free(&type_));
  }

  /// @pre there is none yet @throws Failure
  void copy(MPI_Datatype type) { check(PMPI_Type_dup(type, &type_)); }
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// Any number of bytes as one element, for calls that count in int.

class BytesType {
 public:
  explicit BytesType(std::size_t bytes) {
    if (bytes <= INT_MAX) {
      count_ = static_cast<int>(bytes);
      return;
    }
    constexpr std::size_t block = std::size_t{1} << 30U;
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    MPI_Datatype one = MPI_DATATYPE_NULL;
    must("MPI_Type_contiguous", PMPI_Type_contiguous(static_cast<int>(block), MPI_BYTE, &one));
    must("MPI_Type_contiguous", PMPI_Type_contiguous(static_cast<int>(bytes / block), one, &blocks));
    const std::array<int, 2> lengths{1, static_cast<int>(bytes % block)};
    const std::array<MPI_Aint, 2> places{0, static_cast<MPI_Aint>(bytes / block * block)};
    const std::array<MPI_Datatype, 2> types{blocks, MPI_BYTE};
    must("MPI_Type_create_struct", PMPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &type_));
    must("MPI_Type_commit", PMPI_Type_commit(&type_));
    regardless(PMPI_Type_free(&blocks));
    regardless(PMPI_Type_free(&one));
    made_ = true;
  }
  BytesType(const BytesType&) = delete;
  BytesType& operator=(const BytesType&) = delete;
  ~BytesType() {
    if (made_) regardless(PMPI_Type_free(&type_));
  }

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] int count() const { return count_; }

 private:
  MPI_Datatype type_ = MPI_BYTE;
  int count_ = 1;
  bool made_ = false;
};

}  // namespace raddle::platform
