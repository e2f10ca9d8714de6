// SPDX-License-Identifier: BSD-3-Clause
// Datatypes, operators and counts that operations need which are under way: the program may free them meanwhile
// (MPI-4.1 sections 5.1.9 and 6.9.5), and then they live on until the operations have ended.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace raddle::endpoints::collectives {

/// The program frees one. @returns whether that has to wait: it is done later
[[nodiscard]] bool free_type_later(MPI_Datatype type);
[[nodiscard]] bool free_op_later(MPI_Op op);

/// Those of one operation.
class Held {
 public:
  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held();

  /// @returns what was given, which lasts as long as this
  MPI_Datatype keep(MPI_Datatype type);
  MPI_Op keep_op(MPI_Op op);
  /// @returns a copy of the array
  const MPI_Datatype* keep(const MPI_Datatype* types, int count);
  /// @returns memory for so many numbers
  std::int64_t* room(int count) {
    return numbers_.emplace_back(new std::int64_t[static_cast<std::size_t>(count)]).get();
  }

 private:
  std::vector<MPI_Datatype> types_;
  std::vector<MPI_Op> ops_;
  std::vector<std::unique_ptr<MPI_Datatype[]>> arrays_;
  std::vector<std::unique_ptr<std::int64_t[]>> numbers_;
};

}  // namespace raddle::endpoints::collectives
