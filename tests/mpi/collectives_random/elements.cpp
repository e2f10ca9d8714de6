// SPDX-License-Identifier: BSD-3-Clause
#include "elements.hpp"

#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace raddle::collectives {
namespace {

using enum Op;

const std::vector<Op> arithmetic{sum, prod, max, min};
const std::vector<Op> integral{sum, prod, max, min, land, lor, lxor, band, bor, bxor};
const std::vector<Op> bitwise{band, bor, bxor};
const std::vector<Op> multi_language{sum, prod, max, min, band, bor, bxor};

std::vector<Element>& all() {
  static std::vector<Element> list;
  return list;
}

template <typename T>
T load(const std::byte* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Leaves out the padding of a long double, which has 80 bits here.
template <typename T>
void store(const T& value, std::byte* to) noexcept {
  std::memcpy(to, &value, std::is_same_v<T, long double> ? 10 : sizeof value);
}

template <typename T>
Element number(const char* name, MPI_Datatype type, std::vector<Op> ops) {
  return {name,
          type,
          sizeof(T),
          {{0, sizeof(T)}},
          std::move(ops),
          [](Op op, std::uint64_t bits, int contributor, std::byte* to) {
            store(contribution<T>(op, bits, contributor), to);
          },
          [](Op op, const std::byte* left, std::byte* right) {
            store(combined<T>(op, load<T>(left), load<T>(right)), right);
          },
          [](Op op, const std::byte* left, const std::byte* right) {
            // Another value than true and false cannot be loaded as a bool.
            using Loaded = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
            return same<Loaded>(op, load<Loaded>(left), load<Loaded>(right));
          },
          std::is_same_v<T, long double>};
}

template <typename T>
Element complex(const char* name, MPI_Datatype type) {
  using C = std::complex<T>;
  return {name,
          type,
          sizeof(C),
          {{0, sizeof(C)}},
          {sum, prod},
          [](Op op, std::uint64_t bits, int contributor, std::byte* to) {
            store(contribution_complex<T>(op, bits, contributor), to);
          },
          [](Op op, const std::byte* left, std::byte* right) {
            store(combined_complex<T>(op, load<C>(left), load<C>(right)), right);
          },
          [](Op, const std::byte* left, const std::byte* right) { return load<C>(left) == load<C>(right); }};
}

template <typename T>
Element located(const char* name, MPI_Datatype type) {
  using L = Located<T>;
  return {name,
          type,
          sizeof(L),
          {{0, sizeof(T)}, {offsetof(L, index), sizeof(int)}},
          {maxloc, minloc},
          [](Op, std::uint64_t bits, int contributor, std::byte* to) {
            const L made = contribution_located<T>(bits, contributor);
            store(made.value, to);
            store(made.index, to + offsetof(L, index));
          },
          [](Op op, const std::byte* left, std::byte* right) {
            const L made = combined_located<T>(op, load<L>(left), load<L>(right));
            store(made.value, right);
            store(made.index, right + offsetof(L, index));
          },
          [](Op, const std::byte* left, const std::byte* right) {
            const L a = load<L>(left);
            const L b = load<L>(right);
            return a.value == b.value && a.index == b.index;
          },
          std::is_same_v<T, long double>};
}

MPI_Datatype structure(const std::vector<MPI_Aint>& offsets, const std::vector<MPI_Datatype>& types, MPI_Aint extent) {
  const std::vector<int> ones(offsets.size(), 1);
  MPI_Datatype packed = MPI_DATATYPE_NULL;
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(static_cast<int>(offsets.size()), ones.data(), offsets.data(), types.data(), &packed);
  MPI_Type_create_resized(packed, 0, extent, &made);
  MPI_Type_free(&packed);
  MPI_Type_commit(&made);
  return made;
}

Element made_couple() {
  return {"two numbers",
          structure({0, offsetof(Couple, b)}, {MPI_UINT32_T, MPI_UINT32_T}, sizeof(Couple)),
          sizeof(Couple),
          {{0, 4}, {offsetof(Couple, b), 4}},
          {mixing, affine},
          [](Op, std::uint64_t bits, int, std::byte* to) {
            store(Couple{static_cast<std::uint32_t>(bits), 0, static_cast<std::uint32_t>(bits >> 32U)}, to);
          },
          [](Op op, const std::byte* left, std::byte* right) {
            store(combined_couple(op, load<Couple>(left), load<Couple>(right)), right);
          },
          [](Op, const std::byte* left, const std::byte* right) {
            const auto a = load<Couple>(left);
            const auto b = load<Couple>(right);
            return a.a == b.a && a.b == b.b;
          }};
}

/// Different things side by side, to be moved only.
Element made_mixture() {
  Element element = number<std::uint64_t>("char, int and double", MPI_DATATYPE_NULL, {});
  element.type = structure({1, 4, 8}, {MPI_CHAR, MPI_INT, MPI_DOUBLE}, 24);
  element.extent = 24;
  element.pieces = {{1, 1}, {4, 4}, {8, 8}};
  return element;
}

}  // namespace

const std::vector<Element>& elements() { return all(); }

const Element& couple() { return all().front(); }

void make_elements() {
  all() = {
      made_couple(),
      made_mixture(),
      number<char>("MPI_CHAR", MPI_CHAR, {}),
      number<std::uint8_t>("MPI_PACKED", MPI_PACKED, {}),
      number<std::uint8_t>("MPI_BYTE", MPI_BYTE, bitwise),
      number<signed char>("MPI_SIGNED_CHAR", MPI_SIGNED_CHAR, integral),
      number<unsigned char>("MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR, integral),
      number<short>("MPI_SHORT", MPI_SHORT, integral),
      number<unsigned short>("MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT, integral),
      number<int>("MPI_INT", MPI_INT, integral),
      number<unsigned>("MPI_UNSIGNED", MPI_UNSIGNED, integral),
      number<long>("MPI_LONG", MPI_LONG, integral),
      number<unsigned long>("MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG, integral),
      number<long long>("MPI_LONG_LONG", MPI_LONG_LONG, integral),
      number<unsigned long long>("MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG, integral),
      number<std::int8_t>("MPI_INT8_T", MPI_INT8_T, integral),
      number<std::uint8_t>("MPI_UINT8_T", MPI_UINT8_T, integral),
      number<std::int16_t>("MPI_INT16_T", MPI_INT16_T, integral),
      number<std::uint16_t>("MPI_UINT16_T", MPI_UINT16_T, integral),
      number<std::int32_t>("MPI_INT32_T", MPI_INT32_T, integral),
      number<std::uint32_t>("MPI_UINT32_T", MPI_UINT32_T, integral),
      number<std::int64_t>("MPI_INT64_T", MPI_INT64_T, integral),
      number<std::uint64_t>("MPI_UINT64_T", MPI_UINT64_T, integral),
      number<MPI_Aint>("MPI_AINT", MPI_AINT, multi_language),
      number<MPI_Offset>("MPI_OFFSET", MPI_OFFSET, multi_language),
      number<MPI_Count>("MPI_COUNT", MPI_COUNT, multi_language),
      number<bool>("MPI_C_BOOL", MPI_C_BOOL, {land, lor, lxor}),
      number<float>("MPI_FLOAT", MPI_FLOAT, arithmetic),
      number<double>("MPI_DOUBLE", MPI_DOUBLE, arithmetic),
      number<long double>("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, arithmetic),
      complex<float>("MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX),
      complex<double>("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX),
      located<int>("MPI_2INT", MPI_2INT),
      located<short>("MPI_SHORT_INT", MPI_SHORT_INT),
      located<float>("MPI_FLOAT_INT", MPI_FLOAT_INT),
      located<double>("MPI_DOUBLE_INT", MPI_DOUBLE_INT),
      located<long>("MPI_LONG_INT", MPI_LONG_INT),
      located<long double>("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT),
  };
}

void free_elements() {
  for (std::size_t i = 0; i < 2; ++i) MPI_Type_free(&all()[i].type);
  all().clear();
}

}  // namespace raddle::collectives
