// SPDX-License-Identifier: BSD-3-Clause
// Datatypes made at random, nested, with gaps, steps back and bytes before the buffer. They keep off what MPIs
// themselves get wrong: vectors that overlap or step back by a byte (Intel MPI, Open MPI), extents of zero and less
// (MPICH), and MPI_Type_create_darray.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace raddle::endpoints {

/// @returns a datatype whose every level but the last is freed; not committed
class RandomTypes {
 public:
  explicit RandomTypes(std::uint64_t seed) : random_(seed) {}

  int number(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }

  MPI_Datatype type(int depth) {
    if (depth == 0) return copy_of_named();
    MPI_Datatype inner = type(depth - 1);
    MPI_Datatype made = derive(inner, depth);
    MPI_Type_free(&inner);
    return made;
  }

 private:
  MPI_Datatype copy_of_named() {
    const std::array<MPI_Datatype, 8> named{MPI_CHAR,   MPI_SHORT,     MPI_INT,        MPI_FLOAT,
                                            MPI_DOUBLE, MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_2INT};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_dup(named[static_cast<std::size_t>(number(0, 7))], &made);
    return made;
  }

  MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    return extent;
  }

  int stride(int length) {
    const int distance = length + number(0, 2);
    return distance > 1 && number(0, 2) == 0 ? -distance : distance;
  }

  std::vector<int> lengths(int count) {
    std::vector<int> result;
    for (int i = 0; i < count; ++i) result.push_back(number(i == 0 ? 1 : 0, 3));
    return result;
  }

  /// Places for blocks that touch, leave gaps, or come in another order; in units of the inner datatype.
  std::vector<int> places(const std::vector<int>& of) {
    std::vector<std::size_t> order(of.size());
    std::iota(order.begin(), order.end(), 0U);
    if (number(0, 2) == 0) std::shuffle(order.begin(), order.end(), random_);
    std::vector<int> result(of.size());
    int at = number(-4, 4);
    for (const std::size_t i : order) {
      result[i] = at;
      at += of[i] + (number(0, 1) == 0 ? 0 : number(0, 2));
    }
    return result;
  }

  static std::vector<MPI_Aint> in_bytes(const std::vector<int>& places, MPI_Aint unit) {
    std::vector<MPI_Aint> result;
    for (const int place : places) result.push_back(place * unit);
    return result;
  }

  MPI_Datatype derive(MPI_Datatype inner, int depth) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const MPI_Aint extent = extent_of(inner);
    const int count = number(1, 4);
    const std::vector<int> blocks = lengths(count);
    const std::vector<int> at = places(blocks);
    const int length = number(1, 3);
    const std::vector<int> equal_at = places(std::vector<int>(static_cast<std::size_t>(count), length));
    switch (number(0, 10)) {
      case 0:
        MPI_Type_contiguous(count, inner, &made);
        break;
      case 1:
        MPI_Type_vector(count, length, stride(length), inner, &made);
        break;
      case 2:
        MPI_Type_create_hvector(count, length, stride(length) * extent, inner, &made);
        break;
      case 3:
        MPI_Type_indexed(count, blocks.data(), at.data(), inner, &made);
        break;
      case 4:
        MPI_Type_create_hindexed(count, blocks.data(), in_bytes(at, extent).data(), inner, &made);
        break;
      case 5:
        MPI_Type_create_indexed_block(count, length, equal_at.data(), inner, &made);
        break;
      case 6:
        MPI_Type_create_hindexed_block(count, length, in_bytes(equal_at, extent).data(), inner, &made);
        break;
      case 7:
        return structure(blocks, in_bytes(at, extent + 8), inner, depth);
      case 8:
        MPI_Type_create_resized(inner, number(-8, 8), std::max<MPI_Aint>(extent + number(-4, 8), 1), &made);
        break;
      case 9:
        MPI_Type_dup(inner, &made);
        break;
      default:
        return subarray(inner);
    }
    return made;
  }

  MPI_Datatype structure(const std::vector<int>& blocks, const std::vector<MPI_Aint>& at, MPI_Datatype inner,
                         int depth) {
    MPI_Datatype other = type(depth - 1);
    std::vector<MPI_Datatype> types;
    for (std::size_t i = 0; i < blocks.size(); ++i) types.push_back(number(0, 1) == 0 ? inner : other);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(blocks.size()), blocks.data(), at.data(), types.data(), &made);
    MPI_Type_free(&other);
    return made;
  }

  int order() { return number(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN; }

  MPI_Datatype subarray(MPI_Datatype inner) {
    const int dimensions = number(1, 3);
    std::vector<int> sizes;
    std::vector<int> subsizes;
    std::vector<int> starts;
    for (int i = 0; i < dimensions; ++i) {
      sizes.push_back(number(1, 4));
      subsizes.push_back(number(1, sizes.back()));
      starts.push_back(number(0, sizes.back() - subsizes.back()));
    }
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(dimensions, sizes.data(), subsizes.data(), starts.data(), order(), inner, &made);
    return made;
  }

  std::mt19937_64 random_;
};

}  // namespace raddle::endpoints
