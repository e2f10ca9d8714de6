// SPDX-License-Identifier: BSD-3-Clause
// What MPI_Accumulate and its kin do to each element (MPI-4.1 sections 12.3.4 and 12.7): an operator of the MPI's on
// one of its types.
//
// Whether elements are combined by the processor's atomics or under a lock depends on their type and on where they lie,
// not on the operator: all calls on the same element have to exclude each other.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "endpoints/collectives/operators.hpp"
#include "endpoints/datatypes/layout.hpp"
#include "endpoints/datatypes/scattered.hpp"
#include "endpoints/handles/handles.hpp"

namespace raddle::endpoints {

/// Calls `action` with a word of this size. @pre is_word(size)
template <typename Action>
[[gnu::always_inline]] inline auto of_word(std::size_t size, Action&& action) {
  switch (size) {
    case 8:
      return action(std::uint64_t{});
    case 4:
      return action(std::uint32_t{});
    case 2:
      return action(std::uint16_t{});
    default:
      return action(std::uint8_t{});
  }
}

/// Whether the processor has atomics for elements of this size.
[[nodiscard]] constexpr bool is_word(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }
/// Whether a word lies as its atomics need it. @pre is_word(size). A division would take longer than they do
[[nodiscard]] inline bool is_aligned(const std::byte* address, std::size_t size) {
  return (reinterpret_cast<std::uintptr_t>(address) & (size - 1)) == 0;
}

/// The type of MPI's own of which all elements of `type` are. @returns an MPI error code: MPI_ERR_TYPE if they are of
/// several, or the datatype is null or not committed
[[nodiscard]] int element_type_of(MPI_Datatype type, MPI_Datatype& element);

/// Of elements that MPI_Compare_and_swap has been found to take, and that are words.
inline constinit NamedSizes swappable_sizes;
/// Whether MPI_Compare_and_swap takes such elements (MPI-4.1 section 12.3.4): integers, characters, truth values and
/// bytes, but no numbers of other kinds and none of the program's datatypes. @returns an MPI error code: MPI_ERR_TYPE
[[nodiscard]] int check_swappable(MPI_Datatype type);

class Accumulation {
 public:
  /// Whether it is one of MPI's own: those of programs are not for windows.
  [[nodiscard]] static bool is_operator(MPI_Op op);
  /// @param element  as element_type_of() says
  /// @param found  stays until this thread asks for others
  /// @returns an MPI error code, not raised: MPI_ERR_OP where the operator is not for the type or not for windows
  [[nodiscard]] static int find(MPI_Op op, MPI_Datatype element, const Accumulation*& found);
  /// One that this thread has found lately; nullptr: find() has to look.
  [[nodiscard]] static const Accumulation* lately(MPI_Op op, MPI_Datatype element) {
    const Accumulation& one = found_[place_of(op, element)];
    return one.op_ == op && one.type_ == element ? &one : nullptr;
  }

  /// Bytes of an element in a message.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Whether elements lie in memory as in a message; those of some pairs of numbers have gaps.
  [[nodiscard]] bool in_one_piece() const { return shape_ == nullptr; }
  /// Whether elements at this address are combined by the processor's atomics, where all who reach them can.
  [[nodiscard]] bool by_words(const std::byte* address) const { return one_ != nullptr && is_aligned(address, size_); }
  [[nodiscard]] bool reads_only() const { return means_ == Means::nothing; }

  // Elements in one piece. `operands` is not looked at by MPI_NO_OP; `before` gets what was there, unless it is
  // nullptr.
  /// One at a time, each at once. @pre by_words(target)
  void with_atomics(std::byte* target, const std::byte* operands, std::byte* before, std::size_t count) const;
  /// The same for one.
  void one_with_atomics(std::byte* target, const std::byte* operand, std::byte* before) const {
    one_(*this, target, operand, before);
  }
  /// @pre the caller has excluded others
  void alone(std::byte* target, const std::byte* operands, std::byte* before, std::size_t count) const;
  /// On elements as they are in a message, whatever they are in memory.
  void packed(std::byte* target, const std::byte* operands, std::size_t count) const;

 private:
  enum class Means : std::uint8_t { replacement, nothing, sum_of_integers, combination };

  /// with_atomics() for one element: a function for each size and meaning.
  using One = void (*)(const Accumulation& what, std::byte* target, const std::byte* operand, std::byte* before);
  template <typename Word, Means means>
  static void one_word(const Accumulation& what, std::byte* target, const std::byte* operand, std::byte* before);
  [[nodiscard]] One one_of() const;
  /// result = target op operand, of elements in memory that is aligned for them.
  void combine(const void* operands, const void* target, void* result, std::size_t count) const;

  /// Of those that are kept, where this pair is.
  [[nodiscard]] static std::size_t place_of(MPI_Op op, MPI_Datatype element) {
    return static_cast<std::size_t>((bits(op) ^ bits(element)) * 0x9e3779b97f4a7c15U >> 62U);
  }

  /// The last ones that a thread has found: a program mostly does the same again.
  [[gnu::tls_model("initial-exec")]] static constinit thread_local std::array<Accumulation, 4> found_;

  MPI_Op op_{};  ///< zero, which no operator is, where nothing has been found
  MPI_Datatype type_{};
  collectives::Combine combine_ = nullptr;  ///< nullptr: only the MPI knows how
  std::size_t size_ = 0;
  const std::shared_ptr<const Shape>* shape_ = nullptr;  ///< of elements with gaps; the MPI's own types stay
  Means means_ = Means::nothing;
  One one_ = nullptr;  ///< nullptr: the processor has no atomics for an element
};

/// compare_and_swap() of one word, by the processor. @pre is_word(size), `target` is aligned for it
[[gnu::always_inline]] inline void compare_and_swap_word(std::byte* target, const std::byte* expected,
                                                         const std::byte* desired, std::byte* before,
                                                         std::size_t size) {
  of_word(size, [&]<typename Word>(Word was) {
    Word now{};
    std::memcpy(&was, expected, sizeof was);
    std::memcpy(&now, desired, sizeof now);
    std::atomic_ref<Word>(*reinterpret_cast<Word*>(target)).compare_exchange_strong(was, now);
    std::memcpy(before, &was, sizeof was);
  });
}

/// Puts `desired` where `expected` was, bit by bit (MPI_Compare_and_swap). @returns through `before` what was there
/// @param atomically  by the processor, @pre the size is 1, 2, 4 or 8 and `target` aligned for it; otherwise the caller
///   has excluded others
void compare_and_swap(std::byte* target, const std::byte* expected, const std::byte* desired, std::byte* before,
                      std::size_t size, bool atomically);

}  // namespace raddle::endpoints
