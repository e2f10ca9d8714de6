// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/layout_read.hpp"

#include "endpoints/errors.hpp"
#include "endpoints/layout_arrays.hpp"
#include "endpoints/layout_contents.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

struct UnknownConstructor {};

std::ptrdiff_t extent_of(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  platform::must("MPI_Type_get_extent", PMPI_Type_get_extent(type, &lower_bound, &extent));
  return extent;
}

/// A named type is one item, or a value and an int that may stand apart (MPI_DOUBLE_INT).
Part read_predefined(Shape& shape, MPI_Datatype type) {
  MPI_Count bytes = 0;
  MPI_Aint begin = 0;
  MPI_Aint length = 0;
  platform::must("MPI_Type_size_x", PMPI_Type_size_x(type, &bytes));
  platform::must("MPI_Type_get_true_extent", PMPI_Type_get_true_extent(type, &begin, &length));
  const auto size = static_cast<std::size_t>(bytes);
  if (bytes == length) return {begin, size, nullptr};
  return shape.sequence({{begin, size - sizeof(int), nullptr},
                         {begin + length - static_cast<std::ptrdiff_t>(sizeof(int)), sizeof(int), nullptr}});
}

class Reader {
 public:
  explicit Reader(Shape& shape) : shape_(shape) {}

  /// @throws UnknownConstructor
  Part read(MPI_Datatype type) {
    const Contents made(type);
    if (made.predefined()) return read_predefined(shape_, type);
    const std::vector<MPI_Count>& numbers = made.numbers;
    switch (made.combiner) {
      case MPI_COMBINER_DUP:
      case MPI_COMBINER_RESIZED:
        return read(made.types[0]);
      case MPI_COMBINER_CONTIGUOUS:
        return block(item(made.types[0]), numbers[0]);
      case MPI_COMBINER_VECTOR:
        return vector(made, extent_of(made.types[0]));
      case MPI_COMBINER_HVECTOR:
        return vector(made, 1);
      case MPI_COMBINER_INDEXED:
        return indexed(made, extent_of(made.types[0]));
      case MPI_COMBINER_HINDEXED:
        return indexed(made, 1);
      case MPI_COMBINER_INDEXED_BLOCK:
        return indexed_block(made, extent_of(made.types[0]));
      case MPI_COMBINER_HINDEXED_BLOCK:
        return indexed_block(made, 1);
      case MPI_COMBINER_STRUCT:
        return structure(made);
      case MPI_COMBINER_SUBARRAY:
        return subarray(shape_, numbers, read(made.types[0]), extent_of(made.types[0]));
      case MPI_COMBINER_DARRAY:
        return distributed_array(shape_, numbers, read(made.types[0]), extent_of(made.types[0]));
      default:
        throw UnknownConstructor{};
    }
  }

 private:
  struct Item {
    Part part;
    std::ptrdiff_t extent = 0;
  };

  Item item(MPI_Datatype type) { return {read(type), extent_of(type)}; }

  Part block(const Item& of, MPI_Count length) {
    return shape_.repeat(of.part, static_cast<std::size_t>(length), of.extent);
  }

  Part block(const Item& of, MPI_Count length, std::ptrdiff_t at) {
    Part part = block(of, length);
    part.offset += at;
    return part;
  }

  /// @param unit of the stride, in bytes
  Part vector(const Contents& made, std::ptrdiff_t unit) {
    const Part each = block(item(made.types[0]), made.numbers[1]);
    return shape_.repeat(each, static_cast<std::size_t>(made.numbers[0]), made.numbers[2] * unit);
  }

  /// @param unit of the displacements, in bytes
  Part indexed(const Contents& made, std::ptrdiff_t unit) {
    const auto count = static_cast<std::size_t>(made.numbers[0]);
    if (count == 0) return {};
    const Item of = item(made.types[0]);
    std::vector<Part> parts;
    for (std::size_t i = 0; i < count; ++i)
      parts.push_back(block(of, made.numbers[1 + i], made.numbers[1 + count + i] * unit));
    return shape_.sequence(parts);
  }

  Part indexed_block(const Contents& made, std::ptrdiff_t unit) {
    const auto count = static_cast<std::size_t>(made.numbers[0]);
    if (count == 0) return {};
    const Part each = block(item(made.types[0]), made.numbers[1]);
    std::vector<Part> parts(count, each);
    for (std::size_t i = 0; i < count; ++i) parts[i].offset += made.numbers[2 + i] * unit;
    return shape_.sequence(parts);
  }

  Part structure(const Contents& made) {
    const auto count = static_cast<std::size_t>(made.numbers[0]);
    std::vector<Part> parts;
    for (std::size_t i = 0; i < count; ++i)
      parts.push_back(block(item(made.types[i]), made.numbers[1 + i], made.numbers[1 + count + i]));
    return shape_.sequence(parts);
  }

  Shape& shape_;
};

int unknown_constructor() {
  return error_with(MPI_ERR_TYPE, "Raddle: a datatype of this constructor cannot be used on an endpoint");
}

}  // namespace

int read_shape(MPI_Datatype type, Shape& shape) {
  try {
    shape.element = Reader(shape).read(type);
  } catch (const UnknownConstructor&) {
    return unknown_constructor();
  }
  shape.extent = extent_of(type);
  return MPI_SUCCESS;
}

}  // namespace raddle::endpoints
