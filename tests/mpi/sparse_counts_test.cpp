// SPDX-License-Identifier: BSD-3-Clause
// More than an int counts, of bytes and of elements. DISABLED_ is too much memory for every day.
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/mman.h>

#include <climits>

#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

class SparseCounts : public Sparse {};

/// Elements of which each is large: few of them are many bytes, though hardly any is moved.
TEST_P(SparseCounts, OfExtentsMayExceedAnInt) {
  on_each_rank([](const Place& place) {
    // One word in each GiB, of which nobody touches the rest.
    MPI_Datatype far = MPI_DATATYPE_NULL;
    constexpr MPI_Aint extent = MPI_Aint{1} << 30U;
    MPI_Type_create_resized(MPI_INT, 0, extent, &far);
    MPI_Type_commit(&far);
    constexpr std::size_t bytes = 6 * static_cast<std::size_t>(extent);
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    char* const data = static_cast<char*>(memory);
    for (int i = 0; i < 6; ++i) *reinterpret_cast<int*>(data + i * extent) = word(place.rank, i, 0);
    const std::vector<int> dests{place.right, place.rank};
    const std::vector<MPI_Count> offsets{0, 4, 6};
    Received in;
    ASSERT_EQ(Raddle_Sparse_exchange(data, 2, dests.data(), offsets.data(), far, MPI_INT, MPI_INFO_NULL, place.comm,
                                     &in.messages),
              MPI_SUCCESS);
    Parcels expected{{place.left, {}}, {place.rank, {}}};
    for (int i = 0; i < 6; ++i) expected[i < 4 ? 0U : 1U].words.push_back(word(i < 4 ? place.left : place.rank, i, 0));
    if (place.size == 1 || place.left < place.rank) {
      EXPECT_EQ(by_source(in.parcels()), expected);
    } else {
      std::swap(expected[0], expected[1]);
      EXPECT_EQ(by_source(in.parcels()), expected);
    }
    munmap(memory, bytes);
    MPI_Type_free(&far);
  });
}

/// A message of more bytes than an int counts really travels, and another one behind it.
TEST_P(SparseCounts, DISABLED_OfBytesMayExceedAnInt) {
  on_each_rank([](const Place& place) {
    constexpr MPI_Count many = (MPI_Count{1} << 31U) + (MPI_Count{1} << 27U) + 3;
    const int last = place.size - 1;
    const bool sends = place.rank == 0;
    std::vector<char> out(sends ? static_cast<std::size_t>(many) + 5 : 0);
    for (std::size_t i = 0; i < out.size(); i += 4093) out[i] = static_cast<char>(word(0, 0, i));
    if (sends) out.back() = 77;
    const std::vector<int> dests{last, last};
    const std::vector<MPI_Count> offsets{0, many, many + 5};
    Received in;
    ASSERT_EQ(Raddle_Sparse_exchange(out.data(), sends ? 2 : 0, dests.data(), offsets.data(), MPI_BYTE, MPI_BYTE,
                                     MPI_INFO_NULL, place.comm, &in.messages),
              MPI_SUCCESS);
    if (place.rank != last) {
      EXPECT_EQ(in.messages.count, 0);
      return;
    }
    ASSERT_EQ(in.messages.count, 2);
    EXPECT_EQ(in.messages.offsets[1], many);
    EXPECT_EQ(in.messages.offsets[2], many + 5);
    const char* const data = static_cast<const char*>(in.messages.data);
    for (std::size_t i = 0; i < static_cast<std::size_t>(many) + 4; i += 4093)
      ASSERT_EQ(data[i], static_cast<char>(word(0, 0, i))) << "byte " << i;
    EXPECT_EQ(data[many + 4], 77);
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseCounts, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseCounts, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
