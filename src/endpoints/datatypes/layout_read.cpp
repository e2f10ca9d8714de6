// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/datatypes/layout_read.hpp"

#include <algorithm>
#include <array>

#include "endpoints/errors.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

namespace {

/// How many of each: integers, addresses, large counts, datatypes.
using Sizes = std::array<MPI_Count, 4>;

struct Raw {
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> counts;
};

bool predefined_combiner(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX;
}

// The calls for large counts know all datatypes, and are there or not. They are templates only to be asked for.
template <typename Type>
void envelope_of(Type type, Sizes& sizes, int& combiner) {
  if constexpr (requires { PMPI_Type_get_envelope_c(type, &sizes[0], &sizes[1], &sizes[2], &sizes[3], &combiner); }) {
    platform::must("MPI_Type_get_envelope_c",
                   PMPI_Type_get_envelope_c(type, &sizes[0], &sizes[1], &sizes[2], &sizes[3], &combiner));
  } else {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    platform::must("MPI_Type_get_envelope", PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    sizes = {integers, addresses, 0, types};
  }
}

template <typename Type>
void contents_of(Type type, const Sizes& sizes, Raw& raw, std::vector<MPI_Datatype>& types) {
  if constexpr (requires {
                  PMPI_Type_get_contents_c(type, sizes[0], sizes[1], sizes[2], sizes[3], raw.integers.data(),
                                           raw.addresses.data(), raw.counts.data(), types.data());
                }) {
    platform::must("MPI_Type_get_contents_c",
                   PMPI_Type_get_contents_c(type, sizes[0], sizes[1], sizes[2], sizes[3], raw.integers.data(),
                                            raw.addresses.data(), raw.counts.data(), types.data()));
  } else {
    platform::must(
        "MPI_Type_get_contents",
        PMPI_Type_get_contents(type, static_cast<int>(sizes[0]), static_cast<int>(sizes[1]), static_cast<int>(sizes[3]),
                               raw.integers.data(), raw.addresses.data(), types.data()));
  }
}

/// Integers, addresses and large counts follow one another as the parameters do, but where an array of large counts
/// stands among the integers.
std::vector<MPI_Count> in_order(int combiner, const Raw& raw) {
  std::vector<MPI_Count> numbers(raw.integers.begin(), raw.integers.end());
  auto large_at = numbers.end();
  if (combiner == MPI_COMBINER_SUBARRAY) large_at = numbers.begin() + 1;  // ndims; sizes, subsizes, starts; order
  if (combiner == MPI_COMBINER_DARRAY) large_at = numbers.begin() + 3;    // size, rank, ndims; gsizes; the rest
  numbers.insert(large_at, raw.counts.begin(), raw.counts.end());
  numbers.insert(numbers.end(), raw.addresses.begin(), raw.addresses.end());
  return numbers;
}

}  // namespace

Contents::Contents(MPI_Datatype type) {
  Sizes sizes{};
  envelope_of(type, sizes, combiner);
  if (predefined()) return;
  Raw raw{std::vector<int>(static_cast<std::size_t>(sizes[0])),
          std::vector<MPI_Aint>(static_cast<std::size_t>(sizes[1])),
          std::vector<MPI_Count>(static_cast<std::size_t>(sizes[2]))};
  types.assign(static_cast<std::size_t>(sizes[3]), MPI_DATATYPE_NULL);
  contents_of(type, sizes, raw, types);
  numbers = in_order(combiner, raw);
}

Contents::~Contents() {
  for (MPI_Datatype& type : types) {
    Sizes sizes{};
    int made_by = MPI_COMBINER_NAMED;
    envelope_of(type, sizes, made_by);
    if (!predefined_combiner(made_by)) platform::regardless(PMPI_Type_free(&type));
  }
}

bool Contents::predefined() const { return predefined_combiner(combiner); }

namespace {

using Numbers = std::span<const MPI_Count>;

/// Of one dimension: one block of indices, or one block in each `step` of them.
struct Blocks {
  MPI_Count start;
  MPI_Count length;
  MPI_Count step;
  MPI_Count end;  ///< no index from here on
};

Part at(Part part, std::ptrdiff_t offset) {
  part.offset += offset;
  return part;
}

/// What `part` is to an index, for all indices of the blocks.
Part along(Shape& shape, const Blocks& blocks, Part part, std::ptrdiff_t stride) {
  const MPI_Count room = blocks.end - blocks.start;
  if (room <= 0) return {};
  const MPI_Count whole = room < blocks.length ? 0 : (room - blocks.length) / blocks.step + 1;
  const MPI_Count rest = room - whole * blocks.step;
  const auto block = [&](MPI_Count length) { return shape.repeat(part, static_cast<std::size_t>(length), stride); };
  std::vector<Part> parts{shape.repeat(block(blocks.length), static_cast<std::size_t>(whole), blocks.step * stride)};
  if (rest > 0) parts.push_back(at(block(rest), whole * blocks.step * stride));
  return at(shape.sequence(parts), blocks.start * stride);
}

/// @param blocks of a dimension, by its number
template <typename OfDimension>
Part array(Shape& shape, Numbers sizes, bool c_order, Part part, std::ptrdiff_t stride, OfDimension&& blocks) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t dimension = c_order ? sizes.size() - 1 - i : i;  // the fastest first
    part = along(shape, blocks(dimension), part, stride);
    stride *= sizes[dimension];
  }
  return part;
}

}  // namespace

Part subarray(Shape& shape, Numbers numbers, Part element, std::ptrdiff_t extent) {
  const auto dimensions = static_cast<std::size_t>(numbers[0]);
  const Numbers sizes = numbers.subspan(1, dimensions);
  const Numbers subsizes = numbers.subspan(1 + dimensions, dimensions);
  const Numbers starts = numbers.subspan(1 + 2 * dimensions, dimensions);
  return array(shape, sizes, numbers.back() == MPI_ORDER_C, element, extent,
               [&](std::size_t i) { return Blocks{starts[i], subsizes[i], subsizes[i], starts[i] + subsizes[i]}; });
}

Part distributed_array(Shape& shape, Numbers numbers, Part element, std::ptrdiff_t extent) {
  const auto dimensions = static_cast<std::size_t>(numbers[2]);
  const auto list = [&](std::size_t number) { return numbers.subspan(3 + number * dimensions, dimensions); };
  const Numbers sizes = list(0);
  const Numbers distributions = list(1);
  const Numbers arguments = list(2);
  const Numbers processes = list(3);
  std::vector<MPI_Count> coordinates(dimensions);
  MPI_Count rank = numbers[1];
  for (std::size_t i = dimensions; i-- > 0; rank /= processes[i]) coordinates[i] = rank % processes[i];
  return array(shape, sizes, numbers.back() == MPI_ORDER_C, element, extent, [&](std::size_t i) {
    if (distributions[i] == MPI_DISTRIBUTE_NONE) return Blocks{0, sizes[i], sizes[i], sizes[i]};
    MPI_Count length = arguments[i];
    if (length == MPI_DISTRIBUTE_DFLT_DARG)
      length = distributions[i] == MPI_DISTRIBUTE_BLOCK ? (sizes[i] + processes[i] - 1) / processes[i] : 1;
    return Blocks{coordinates[i] * length, length, length * processes[i], sizes[i]};
  });
}

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
