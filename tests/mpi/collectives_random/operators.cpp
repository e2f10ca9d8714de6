// SPDX-License-Identifier: BSD-3-Clause
#include "operators.hpp"

#include <array>
#include <type_traits>

#include "../traffic/failure.hpp"
#include "shape.hpp"
#include "undeclared.hpp"

namespace raddle::collectives {
namespace {

using namespace undeclared;

void apply(Op op, const void* in, void* inout, std::size_t items, MPI_Datatype type) {
  if (items == 0) return;
  const Shape* shape = Shape::of(type);
  if (type != couple().type && shape == nullptr)
    traffic::abandon("an operator was called with a datatype that no rank has given");
  for (std::size_t item = 0; item < items; ++item) {
    for (std::size_t unit = 0; unit < (shape ? shape->units() : 1); ++unit) {
      const std::ptrdiff_t at =
          shape ? shape->offset(item * shape->units() + unit) : static_cast<std::ptrdiff_t>(item * couple().extent);
      const auto* left = static_cast<const std::byte*>(in) + at;
      auto* right = static_cast<std::byte*>(inout) + at;
      std::array<std::byte, sizeof(Couple)> result{};
      for (const Piece& piece : couple().pieces)
        std::copy_n(right + piece.offset, piece.bytes, result.data() + piece.offset);
      couple().combine(op, left, result.data());
      for (const Piece& piece : couple().pieces)
        std::copy_n(result.data() + piece.offset, piece.bytes, right + piece.offset);
    }
  }
}

template <Op op, typename Length>
void user(void* in, void* inout, Length* length, MPI_Datatype* type) {
  apply(op, in, inout, static_cast<std::size_t>(*length), *type);
}

/// As a template, since only then what is not declared may be called wrongly.
template <typename Function>
void make(Function* function, bool commutative, MPI_Op* op) {
  if constexpr (std::is_same_v<decltype(MPI_Op_create_c(function, 0, op)), int>)
    MPI_Op_create_c(function, commutative, op);
}

std::array<MPI_Op, 2>& mixing() {
  static std::array<MPI_Op, 2> ops{MPI_OP_NULL, MPI_OP_NULL};
  return ops;
}

std::array<MPI_Op, 2>& affine() {
  static std::array<MPI_Op, 2> ops{MPI_OP_NULL, MPI_OP_NULL};
  return ops;
}

}  // namespace

void make_operators() {
  MPI_Op_create(user<Op::mixing, int>, 1, mixing().data());
  MPI_Op_create(user<Op::affine, int>, 0, affine().data());
  make(user<Op::mixing, MPI_Count>, true, &mixing()[1]);
  make(user<Op::affine, MPI_Count>, false, &affine()[1]);
}

void free_operators() {
  for (auto* ops : {&mixing(), &affine()}) {
    for (MPI_Op& op : *ops) {
      if (op != MPI_OP_NULL) MPI_Op_free(&op);
    }
  }
}

MPI_Op handle_of(Op op, bool large) {
  const auto ours = [large](const std::array<MPI_Op, 2>& ops) {
    return large && ops[1] != MPI_OP_NULL ? ops[1] : ops[0];
  };
  switch (op) {
    case Op::sum:
      return MPI_SUM;
    case Op::prod:
      return MPI_PROD;
    case Op::max:
      return MPI_MAX;
    case Op::min:
      return MPI_MIN;
    case Op::land:
      return MPI_LAND;
    case Op::lor:
      return MPI_LOR;
    case Op::lxor:
      return MPI_LXOR;
    case Op::band:
      return MPI_BAND;
    case Op::bor:
      return MPI_BOR;
    case Op::bxor:
      return MPI_BXOR;
    case Op::maxloc:
      return MPI_MAXLOC;
    case Op::minloc:
      return MPI_MINLOC;
    case Op::mixing:
      return ours(mixing());
    case Op::affine:
      return ours(affine());
    default:
      return MPI_OP_NULL;
  }
}

const char* name_of(Op op) {
  constexpr std::array<const char*, 15> names{"no operator",
                                              "MPI_SUM",
                                              "MPI_PROD",
                                              "MPI_MAX",
                                              "MPI_MIN",
                                              "MPI_LAND",
                                              "MPI_LOR",
                                              "MPI_LXOR",
                                              "MPI_BAND",
                                              "MPI_BOR",
                                              "MPI_BXOR",
                                              "MPI_MAXLOC",
                                              "MPI_MINLOC",
                                              "a commutative operator",
                                              "a non-commutative operator"};
  return names[static_cast<std::size_t>(op)];
}

}  // namespace raddle::collectives
