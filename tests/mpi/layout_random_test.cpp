// SPDX-License-Identifier: BSD-3-Clause
// Layouts of messages, compared with what the MPI's own MPI_Pack and MPI_Unpack make of the same datatypes.
#include "mpi/layout_random.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "endpoints/datatypes/layout.hpp"
#include "mpi/layout_bytes.hpp"

namespace raddle::endpoints {
namespace {

/// Sent from there and received there, in fragments, it is what the MPI makes of it.
void compare_with_the_mpi(RandomTypes& random, int count, MPI_Datatype type) {
  Memory memory(count, type);
  memory.fill(random);
  const Fragment fragment = [&] {
    return static_cast<std::size_t>(random.number(0, 3) == 0 ? 1 : random.number(1, 90));
  };
  const Bytes sent = pack(memory.buffer(), count, type);
  Layout layout;
  const Body body = describe(layout, memory.buffer(), count, type);
  ASSERT_EQ(body.bytes, sent.size());
  ASSERT_EQ(gather(body, fragment), sent);

  Bytes received = sent;
  const auto arrived = static_cast<std::size_t>(random.number(0, static_cast<int>(sent.size())));
  for (std::size_t i = 0; i < arrived; ++i) received[i] = ~received[i];
  Memory theirs = memory;
  unpack(received, theirs.buffer(), count, type);
  if (pack(theirs.buffer(), count, type) != received) return;  // overlaps, and is no datatype to receive with
  received.resize(arrived);
  scatter(describe(layout, memory.buffer(), count, type), received, fragment);
  ASSERT_EQ(memory.bytes, theirs.bytes);
}

TEST(LayoutAtRandom, IsTheMpisForDatatypesMadeAtRandom) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomTypes random(seed);
  int scattered = 0;
  for (int i = 0; i < 4000 && !testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "datatype " << i);
    const Type type(random.type(random.number(0, 4)));
    const int count = random.number(0, 4);
    MPI_Count size = 0;
    MPI_Aint begin = 0;
    MPI_Aint length = 0;
    MPI_Type_size_x(type, &size);
    MPI_Type_get_true_extent(type, &begin, &length);
    if (size > 20000 || length > 200000) continue;
    compare_with_the_mpi(random, count, type);
    scattered += size > 0 && count > 0 && !in_one_piece(type, count) ? 1 : 0;
  }
  EXPECT_GT(scattered, 500);
}

/// One dimension of a distributed array, and which of its indices belong to a process.
struct Dimension {
  explicit Dimension(RandomTypes& random)
      : distribution(std::array<int, 3>{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC,
                                        MPI_DISTRIBUTE_NONE}[static_cast<std::size_t>(random.number(0, 2))]),
        processes(distribution == MPI_DISTRIBUTE_NONE ? 1 : random.number(1, 3)),
        size(random.number(processes, 9)),
        argument(random.number(0, 1) == 0 ? MPI_DISTRIBUTE_DFLT_DARG : random.number(1, 3)) {
    const int least = (size + processes - 1) / processes;
    if (distribution == MPI_DISTRIBUTE_NONE) argument = MPI_DISTRIBUTE_DFLT_DARG;
    if (distribution == MPI_DISTRIBUTE_BLOCK && argument != MPI_DISTRIBUTE_DFLT_DARG) argument += least;
    const bool chosen = argument != MPI_DISTRIBUTE_DFLT_DARG;
    block = chosen ? argument : distribution == MPI_DISTRIBUTE_CYCLIC ? 1 : least;
  }

  [[nodiscard]] bool belongs(int index, int coordinate) const { return index / block % processes == coordinate; }

  int distribution;
  int processes;
  int size;
  int argument;
  int block = 1;
};

// Not compared with MPI_Pack: Intel MPI packs other elements than true extents tell where a block is longer than 1.
TEST(LayoutAtRandom, OfADistributedArrayIsTheProcesssIndicesInOrder) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomTypes random(seed);
  for (int i = 0; i < 500; ++i) {
    const std::array<Dimension, 2> array{Dimension(random), Dimension(random)};
    const std::array<int, 2> rank{random.number(0, array[0].processes - 1), random.number(0, array[1].processes - 1)};
    const bool c_order = random.number(0, 1) == 0;
    std::vector<int> expected;
    for (int slow = 0; slow < array[c_order ? 0 : 1].size; ++slow) {
      for (int fast = 0; fast < array[c_order ? 1 : 0].size; ++fast) {
        const bool mine =
            array[0].belongs(c_order ? slow : fast, rank[0]) && array[1].belongs(c_order ? fast : slow, rank[1]);
        if (mine) expected.push_back(slow * array[c_order ? 1 : 0].size + fast);
      }
    }
    const std::array<int, 2> sizes{array[0].size, array[1].size};
    const std::array<int, 2> distributions{array[0].distribution, array[1].distribution};
    const std::array<int, 2> arguments{array[0].argument, array[1].argument};
    const std::array<int, 2> grid{array[0].processes, array[1].processes};
    MPI_Datatype handle = MPI_DATATYPE_NULL;
    MPI_Type_create_darray(grid[0] * grid[1], rank[0] * grid[1] + rank[1], 2, sizes.data(), distributions.data(),
                           arguments.data(), grid.data(), c_order ? MPI_ORDER_C : MPI_ORDER_FORTRAN, MPI_INT, &handle);
    const Type type(handle);
    std::vector<int> memory(81);
    std::iota(memory.begin(), memory.end(), 0);
    Layout layout;
    const Bytes sent =
        gather(describe(layout, memory.data(), 1, type), [&] { return static_cast<std::size_t>(random.number(1, 9)); });
    std::vector<int> indices(sent.size() / sizeof(int));
    if (!indices.empty()) std::memcpy(indices.data(), sent.data(), sent.size());
    ASSERT_EQ(indices, expected);
  }
}

/// The constructors for large counts, where there are any. Templates only to be asked for them.
template <typename Handle>
std::vector<MPI_Datatype> made_with_large_counts(Handle of) {
  std::vector<MPI_Datatype> types;
  if constexpr (requires(MPI_Count n) { PMPI_Type_contiguous_c(n, of, &types[0]); }) {
    const std::array<MPI_Count, 2> lengths{2, 3};
    const std::array<MPI_Count, 2> places{5, 1};
    const std::array<MPI_Count, 2> bytes{50, 7};
    const std::array<Handle, 2> both{of, MPI_SHORT};
    const std::array<MPI_Count, 2> sizes{5, 7};
    const std::array<MPI_Count, 2> part{2, 3};
    const std::array<MPI_Count, 2> start{1, 4};
    const std::array<int, 2> distributions{MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
    const std::array<int, 2> arguments{MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    const std::array<int, 2> grid{2, 3};
    types.assign(11, MPI_DATATYPE_NULL);
    MPI_Type_contiguous_c(3, of, &types[0]);
    MPI_Type_vector_c(3, 2, 4, of, &types[1]);
    MPI_Type_create_hvector_c(3, 2, 29, of, &types[2]);
    MPI_Type_indexed_c(2, lengths.data(), places.data(), of, &types[3]);
    MPI_Type_create_hindexed_c(2, lengths.data(), bytes.data(), of, &types[4]);
    MPI_Type_create_indexed_block_c(2, 2, places.data(), of, &types[5]);
    MPI_Type_create_hindexed_block_c(2, 2, bytes.data(), of, &types[6]);
    MPI_Type_create_struct_c(2, lengths.data(), bytes.data(), both.data(), &types[7]);
    MPI_Type_create_resized_c(of, -3, 17, &types[8]);
    MPI_Type_create_subarray_c(2, sizes.data(), part.data(), start.data(), MPI_ORDER_FORTRAN, of, &types[9]);
    MPI_Type_create_darray_c(6, 4, 2, sizes.data(), distributions.data(), arguments.data(), grid.data(), MPI_ORDER_C,
                             of, &types[10]);
  }
  return types;
}

TEST(LayoutAtRandom, IsTheMpisForDatatypesMadeWithLargeCounts) {
  const auto types = made_with_large_counts(MPI_INT);
  if (types.empty()) GTEST_SKIP() << "this MPI has no large counts";
  const auto seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  RandomTypes random(seed);
  for (const MPI_Datatype handle : types) {
    const Type type(handle);
    compare_with_the_mpi(random, 3, type);
  }
}

}  // namespace
}  // namespace raddle::endpoints
