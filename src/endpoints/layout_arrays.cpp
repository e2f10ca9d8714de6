// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/layout_arrays.hpp"

namespace raddle::endpoints {
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

}  // namespace raddle::endpoints
