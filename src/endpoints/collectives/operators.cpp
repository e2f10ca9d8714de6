// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/operators.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace raddle::endpoints::collectives {
namespace {

template <typename Number, typename Operator>
void combine(const void* left, const void* right, void* result, std::size_t count) {
  const auto* const a = static_cast<const Number*>(left);
  const auto* const b = static_cast<const Number*>(right);
  auto* const to = static_cast<Number*>(result);
  // The result is an operand or apart from them, so no iteration reads what another writes.
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<Number>(Operator{}(a[i], b[i]));
}

/// Integers wrap around, as they do in MPIs.
template <typename Number>
using Wrapping = std::conditional_t<std::is_integral_v<Number>, std::uint64_t, Number>;

struct Sum {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return static_cast<Wrapping<Number>>(a) + static_cast<Wrapping<Number>>(b);
  }
};
struct Product {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return static_cast<Wrapping<Number>>(a) * static_cast<Wrapping<Number>>(b);
  }
};
struct Least {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return std::min(a, b);
  }
};
struct Greatest {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return std::max(a, b);
  }
};
struct BitAnd {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return a & b;
  }
};
struct BitOr {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return a | b;
  }
};
struct BitXor {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return a ^ b;
  }
};
struct And {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return a != 0 && b != 0;
  }
};
struct Or {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return a != 0 || b != 0;
  }
};
struct Xor {
  template <typename Number>
  auto operator()(Number a, Number b) const {
    return (a != 0) != (b != 0);
  }
};

struct KnownPair {
  MPI_Op op;
  MPI_Datatype type;
  Combine combine;
};

template <typename Number>
void add(std::vector<KnownPair>& all, MPI_Datatype type, bool logical = true) {
  all.push_back({MPI_SUM, type, combine<Number, Sum>});
  all.push_back({MPI_PROD, type, combine<Number, Product>});
  all.push_back({MPI_MIN, type, combine<Number, Least>});
  all.push_back({MPI_MAX, type, combine<Number, Greatest>});
  if constexpr (std::is_integral_v<Number>) {
    all.push_back({MPI_BAND, type, combine<Number, BitAnd>});
    all.push_back({MPI_BOR, type, combine<Number, BitOr>});
    all.push_back({MPI_BXOR, type, combine<Number, BitXor>});
    if (!logical) return;
    all.push_back({MPI_LAND, type, combine<Number, And>});
    all.push_back({MPI_LOR, type, combine<Number, Or>});
    all.push_back({MPI_LXOR, type, combine<Number, Xor>});
  }
}

std::vector<KnownPair> all_known() {
  std::vector<KnownPair> all;
  add<signed char>(all, MPI_SIGNED_CHAR);
  add<unsigned char>(all, MPI_UNSIGNED_CHAR);
  add<short>(all, MPI_SHORT);
  add<unsigned short>(all, MPI_UNSIGNED_SHORT);
  add<int>(all, MPI_INT);
  add<unsigned>(all, MPI_UNSIGNED);
  add<long>(all, MPI_LONG);
  add<unsigned long>(all, MPI_UNSIGNED_LONG);
  add<long long>(all, MPI_LONG_LONG);
  add<unsigned long long>(all, MPI_UNSIGNED_LONG_LONG);
  add<std::int8_t>(all, MPI_INT8_T);
  add<std::uint8_t>(all, MPI_UINT8_T);
  add<std::int16_t>(all, MPI_INT16_T);
  add<std::uint16_t>(all, MPI_UINT16_T);
  add<std::int32_t>(all, MPI_INT32_T);
  add<std::uint32_t>(all, MPI_UINT32_T);
  add<std::int64_t>(all, MPI_INT64_T);
  add<std::uint64_t>(all, MPI_UINT64_T);
  add<float>(all, MPI_FLOAT);
  add<double>(all, MPI_DOUBLE);
  // Those of all languages have no logical operators.
  add<MPI_Aint>(all, MPI_AINT, false);
  add<MPI_Offset>(all, MPI_OFFSET, false);
  add<MPI_Count>(all, MPI_COUNT, false);
  return all;
}

KnownOperator look_up(MPI_Op op, MPI_Datatype type) {
  static const auto& all = *new const std::vector<KnownPair>(all_known());  // destructors of the program may ask
  const auto found = std::ranges::find_if(all, [&](const KnownPair& one) { return one.op == op && one.type == type; });
  return {found == all.end() ? nullptr : found->combine, operator_number(op)};
}

}  // namespace

unsigned operator_number(MPI_Op op) {
  const std::array all{MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
                       MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};
  static_assert(all.size() + 1 == number_of_programs_operators);
  return static_cast<unsigned>(std::ranges::find(all, op) - all.begin()) + 1;
}

KnownOperator known_operator(MPI_Op op, MPI_Datatype type) {
  struct Last {
    MPI_Op op;
    MPI_Datatype type;
    KnownOperator known;
  };
  thread_local Last last{MPI_OP_NULL, MPI_DATATYPE_NULL, {nullptr, 0}};
  Last& mine = last;
  if (mine.op != op || mine.type != type) mine = {op, type, look_up(op, type)};
  return mine.known;
}

Combine combine_of(MPI_Op op, MPI_Datatype type) { return known_operator(op, type).combine; }

MPI_Datatype plain(MPI_Datatype type) {
  static_assert(sizeof(MPI_Aint) == 8 && sizeof(MPI_Offset) == 8 && sizeof(MPI_Count) == 8);
  return type == MPI_AINT || type == MPI_OFFSET || type == MPI_COUNT ? MPI_INT64_T : type;
}

}  // namespace raddle::endpoints::collectives
