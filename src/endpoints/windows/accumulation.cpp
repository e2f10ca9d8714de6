// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/windows/accumulation.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>
#include <vector>

#include "endpoints/collectives/held.hpp"
#include "endpoints/datatypes/layout.hpp"
#include "endpoints/datatypes/layout_read.hpp"
#include "endpoints/errors.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::endpoints {
namespace {

/// Leaves `element` alone where `type` has no elements.
int add_element_of(MPI_Datatype type, MPI_Datatype& element) {
  const Contents contents(type);
  if (contents.predefined()) {
    if (element != MPI_DATATYPE_NULL && element != type)
      return error_with(MPI_ERR_TYPE, "Raddle: the elements of an accumulate's datatype have to be of one type");
    element = type;
    return MPI_SUCCESS;
  }
  for (const MPI_Datatype inner : contents.types) {
    if (const int code = add_element_of(inner, element); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

/// Room for elements with what alignment any of them needs.
class Aligned {
 public:
  explicit Aligned(std::size_t bytes) : words_(bytes / sizeof(std::max_align_t) + 1) {}
  [[nodiscard]] std::byte* data() { return reinterpret_cast<std::byte*>(words_.data()); }

 private:
  std::vector<std::max_align_t> words_;
};

/// Whether every element may be looked at where it lies.
bool aligned(const void* address, std::size_t size) {
  return reinterpret_cast<std::uintptr_t>(address) % std::min(size, sizeof(std::max_align_t)) == 0;
}

}  // namespace

int element_type_of(MPI_Datatype type, MPI_Datatype& element) {
  if (type == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
  if (named_sizes.find(bits(type)) != 0) {
    element = type;
    return MPI_SUCCESS;
  }
  if (!committed(type)) return MPI_ERR_TYPE;
  element = MPI_DATATYPE_NULL;
  const int code = add_element_of(type, element);
  return code == MPI_SUCCESS && element == MPI_DATATYPE_NULL ? MPI_ERR_TYPE : code;
}

namespace {

bool is_swappable(MPI_Datatype type) {
  if (platform::quirks().swaps_any_type) return true;
  if (named_sizes.find(bits(type)) == 0) return false;
  for (const MPI_Datatype one : {MPI_CHAR, MPI_WCHAR, MPI_C_BOOL, MPI_CXX_BOOL, MPI_LOGICAL}) {
    if (type == one) return true;
  }
  return collectives::check_operator(MPI_BAND, type) == MPI_SUCCESS;
}

}  // namespace

int check_swappable(MPI_Datatype type) {
  if (swappable_sizes.find(bits(type)) != 0) return MPI_SUCCESS;
  if (!is_swappable(type)) return MPI_ERR_TYPE;
  static std::mutex guard;
  const std::lock_guard lock(guard);
  if (const std::size_t size = named_sizes.find(bits(type)); is_word(size)) swappable_sizes.insert(bits(type), size);
  return MPI_SUCCESS;
}

bool Accumulation::is_operator(MPI_Op op) {
  return op != MPI_OP_NULL && collectives::operator_number(op) < collectives::number_of_programs_operators;
}

constinit thread_local std::array<Accumulation, 4> Accumulation::found_{};

int Accumulation::find(MPI_Op op, MPI_Datatype element, const Accumulation*& found) {
  Accumulation& last = found_[place_of(op, element)];
  if (last.op_ != op || last.type_ != element) {
    if (!is_operator(op)) return MPI_ERR_OP;
    const std::shared_ptr<const Shape>* shape = nullptr;
    if (const int code = shape_of(element, shape); code != MPI_SUCCESS) return code;
    const Part& part = (*shape)->element;
    const bool with_gaps =
        part.loop != nullptr || part.offset != 0 || (*shape)->extent != static_cast<std::ptrdiff_t>(part.bytes);
    Accumulation now;
    now.op_ = op;
    now.type_ = element;
    now.size_ = part.bytes;
    if (with_gaps) now.shape_ = shape;
    if (op == MPI_REPLACE) {
      now.means_ = Means::replacement;
    } else if (op != MPI_NO_OP) {
      if (const int code = collectives::check_operator(op, element); code != MPI_SUCCESS) return code;
      now.combine_ = collectives::combine_of(op, element);
      const bool integers = collectives::combine_of(MPI_BAND, element) != nullptr;
      now.means_ = op == MPI_SUM && integers ? Means::sum_of_integers : Means::combination;
    }
    now.one_ = now.one_of();
    last = now;
  }
  found = &last;
  return MPI_SUCCESS;
}

void Accumulation::with_atomics(std::byte* target, const std::byte* operands, std::byte* before,
                                std::size_t count) const {
  for (std::size_t at = 0; at < count * size_; at += size_)
    one_(*this, target + at, operands == nullptr ? nullptr : operands + at, before == nullptr ? nullptr : before + at);
}

template <typename Word, Accumulation::Means means>
void Accumulation::one_word(const Accumulation& what, std::byte* target, const std::byte* operand_at,
                            std::byte* before) {
  constexpr auto order = std::memory_order_acq_rel;
  const std::atomic_ref<Word> at(*reinterpret_cast<Word*>(target));
  Word operand{};
  if constexpr (means != Means::nothing) std::memcpy(&operand, operand_at, sizeof(Word));
  Word was{};
  if constexpr (means == Means::replacement) {
    was = at.exchange(operand, order);
  } else if constexpr (means == Means::nothing) {
    was = at.load(std::memory_order_acquire);
  } else if constexpr (means == Means::sum_of_integers) {
    was = at.fetch_add(operand, order);
  } else {
    was = at.load(std::memory_order_relaxed);
    for (Word now{};;) {
      what.combine(&operand, &was, &now, 1);
      if (at.compare_exchange_weak(was, now, order, std::memory_order_relaxed)) break;
    }
  }
  if (before != nullptr) std::memcpy(before, &was, sizeof(Word));
}

Accumulation::One Accumulation::one_of() const {
  if (shape_ != nullptr || !is_word(size_)) return nullptr;
  return of_word(size_, [this]<typename Word>(Word) -> One {
    switch (means_) {
      case Means::replacement:
        return one_word<Word, Means::replacement>;
      case Means::nothing:
        return one_word<Word, Means::nothing>;
      case Means::sum_of_integers:
        return one_word<Word, Means::sum_of_integers>;
      default:
        return one_word<Word, Means::combination>;
    }
  });
}

void Accumulation::combine(const void* operands, const void* target, void* result, std::size_t count) const {
  if (combine_ != nullptr) return combine_(operands, target, result, count);
  if (result != target) std::memcpy(result, target, count * size_);
  constexpr std::size_t most = std::numeric_limits<int>::max();
  for (std::size_t done = 0; done < count; done += most) {
    const auto now = static_cast<int>(std::min(most, count - done));
    check(PMPI_Reduce_local(static_cast<const std::byte*>(operands) + done * size_,
                            static_cast<std::byte*>(result) + done * size_, now, type_, op_));
  }
}

void Accumulation::alone(std::byte* target, const std::byte* operands, std::byte* before, std::size_t count) const {
  if (before != nullptr) std::memcpy(before, target, count * size_);
  packed(target, operands, count);
}

void Accumulation::packed(std::byte* target, const std::byte* operands, std::size_t count) const {
  const std::size_t bytes = count * size_;
  if (means_ == Means::nothing) return;
  if (means_ == Means::replacement) {
    std::memcpy(target, operands, bytes);
    return;
  }
  if (shape_ == nullptr) {
    if (aligned(target, size_) && aligned(operands, size_)) return combine(operands, target, target, count);
    Aligned left(bytes);
    Aligned right(bytes);
    std::memcpy(left.data(), operands, bytes);
    std::memcpy(right.data(), target, bytes);
    combine(left.data(), right.data(), right.data(), count);
    std::memcpy(target, right.data(), bytes);
    return;
  }
  const std::size_t extent = count * static_cast<std::size_t>((*shape_)->extent);
  Aligned left(extent);
  Aligned right(extent);
  const auto spread = [&](Aligned& memory, const std::byte* from) {
    Walk walk;
    walk.start(memory.data(), count, *shape_);
    walk.scatter({from, bytes});
  };
  spread(left, operands);
  spread(right, target);
  check(PMPI_Reduce_local(left.data(), right.data(), static_cast<int>(count), type_, op_));
  Walk walk;
  walk.start(right.data(), count, *shape_);
  walk.gather({target, bytes});
}

void compare_and_swap(std::byte* target, const std::byte* expected, const std::byte* desired, std::byte* before,
                      std::size_t size, bool atomically) {
  if (atomically) return compare_and_swap_word(target, expected, desired, before, size);
  // The result may lie where an operand does.
  std::vector<std::byte> was(target, target + size);
  if (std::memcmp(target, expected, size) == 0) std::memcpy(target, desired, size);
  std::memcpy(before, was.data(), size);
}

}  // namespace raddle::endpoints
