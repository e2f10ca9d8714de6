// SPDX-License-Identifier: BSD-3-Clause
// What MPI_Accumulate and its kin do to each element (MPI-4.1 sections 12.3.4 and 12.7): an operator of the MPI's on
// one of its types.
//
// Whether elements are combined by the processor's atomics or under a lock depends on their type and on where they lie,
// not on the operator: all calls on the same element have to exclude each other.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "endpoints/collectives/operators.hpp"
#include "endpoints/datatypes/scattered.hpp"

namespace raddle::endpoints {

/// The type of MPI's own of which all elements of `type` are. @returns an MPI error code: MPI_ERR_TYPE if they are of
/// several, or the datatype is null or not committed
[[nodiscard]] int element_type_of(MPI_Datatype type, MPI_Datatype& element);

class Accumulation {
 public:
  /// Whether it is one of MPI's own: those of programs are not for windows.
  [[nodiscard]] static bool is_operator(MPI_Op op);
  /// @param element  as element_type_of() says
  /// @param found  stays until this thread asks for another one
  /// @returns an MPI error code, not raised: MPI_ERR_OP where the operator is not for the type or not for windows
  [[nodiscard]] static int find(MPI_Op op, MPI_Datatype element, const Accumulation*& found);

  /// Bytes of an element in a message.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Whether elements lie in memory as in a message; those of some pairs of numbers have gaps.
  [[nodiscard]] bool in_one_piece() const { return shape_ == nullptr; }
  /// Whether elements at this address are combined by the processor's atomics, where all who reach them can.
  [[nodiscard]] bool by_words(const std::byte* address) const {
    return word_ && reinterpret_cast<std::uintptr_t>(address) % size_ == 0;
  }
  [[nodiscard]] bool reads_only() const { return means_ == Means::nothing; }

  // Elements in one piece. `operands` is not looked at by MPI_NO_OP; `before` gets what was there, unless it is
  // nullptr.
  /// One at a time, each at once. @pre by_words(target)
  void with_atomics(std::byte* target, const std::byte* operands, std::byte* before, std::size_t count) const;
  /// @pre the caller has excluded others
  void alone(std::byte* target, const std::byte* operands, std::byte* before, std::size_t count) const;
  /// On elements as they are in a message, whatever they are in memory.
  void packed(std::byte* target, const std::byte* operands, std::size_t count) const;

 private:
  enum class Means : std::uint8_t { replacement, nothing, sum_of_integers, combination };

  template <typename Word>
  void each_word(std::byte* target, const std::byte* operands, std::byte* before, std::size_t count) const;
  /// result = target op operand, of elements in memory that is aligned for them.
  void combine(const void* operands, const void* target, void* result, std::size_t count) const;

  MPI_Op op_ = MPI_OP_NULL;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  collectives::Combine combine_ = nullptr;  ///< nullptr: only the MPI knows how
  std::size_t size_ = 0;
  const std::shared_ptr<const Shape>* shape_ = nullptr;  ///< of elements with gaps; the MPI's own types stay
  Means means_ = Means::nothing;
  bool word_ = false;
};

/// Puts `desired` where `expected` was, bit by bit (MPI_Compare_and_swap). @returns through `before` what was there
/// @param atomically  by the processor, @pre the size is 1, 2, 4 or 8 and `target` aligned for it; otherwise the caller
///   has excluded others
void compare_and_swap(std::byte* target, const std::byte* expected, const std::byte* desired, std::byte* before,
                      std::size_t size, bool atomically);

/// Whether the processor has atomics for elements of this size.
[[nodiscard]] constexpr bool is_word(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

}  // namespace raddle::endpoints
