// SPDX-License-Identifier: BSD-3-Clause
// Datatypes, operators and counts that operations need which are under way: the program may free them meanwhile
// (MPI-4.1 sections 5.1.9 and 6.9.5), and then they live on until the operations have ended.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>
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

// The program's reduction operators (MPI-4.1 section 6.9.5). Where there are endpoints they are called without the MPI:
// it may hold its one lock while it calls them, and then waits for ever for an operator that needs what a thread holds
// which waits for that lock. Python's interpreter is such a thing.

/// As MPI_Op_create and MPI_Op_create_c are given them.
template <typename Count>
using OperatorFunction = void(void* in, void* inout, Count* length, MPI_Datatype* type);

class ProgramOperator {
 public:
  ProgramOperator() = default;
  explicit ProgramOperator(OperatorFunction<int>* function) : function_(function) {}
  explicit ProgramOperator(OperatorFunction<MPI_Count>* function) : function_(function) {}

  /// What MPI_Reduce_local does. @returns false, and does nothing, if the operator is not known
  [[nodiscard]] bool call(const void* in, void* inout, MPI_Count count, MPI_Datatype type) const;

  /// Not known: MPI's own ones, and those made before there was libraddle.
  static ProgramOperator of(MPI_Op op);
  static void created(MPI_Op op, ProgramOperator made);
  /// Before the MPI frees it: it may give the handle out again at once.
  static void freed(MPI_Op op);

 private:
  std::variant<std::monostate, OperatorFunction<int>*, OperatorFunction<MPI_Count>*> function_;
};

// Whether an operator of MPI's own combines elements of a type (MPI-4.1 section 6.9.2). Asked before a reduction
// begins: what combines them is called without a communicator, and would raise the error where nobody expects it.

/// @returns MPI_SUCCESS, also for operators of the program, or the MPI's error code, not raised
[[nodiscard]] int check_operator(MPI_Op op, MPI_Datatype type);

}  // namespace raddle::endpoints::collectives
