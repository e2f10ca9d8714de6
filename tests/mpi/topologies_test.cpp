// SPDX-License-Identifier: BSD-3-Clause
// Topologies on communicators of endpoints, as a program sees them: how they are made and what they are asked. All
// ranks run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <vector>

#include "mpi/made_communicators.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::compare;
using raddle::testing::dup;
using raddle::testing::each;
using raddle::testing::Endpoints;
using raddle::testing::kind_of;
using raddle::testing::pass_around;
using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::split;
using raddle::testing::uneven;

/// Of one dimension.
MPI_Comm line(MPI_Comm comm, int length, bool periodic) {
  const int around = periodic ? 1 : 0;
  MPI_Comm made = MPI_COMM_SELF;
  EXPECT_EQ(MPI_Cart_create(comm, 1, &length, &around, 1, &made), MPI_SUCCESS);
  return made;
}

/// 2 rows, of which the last dimension is a ring.
MPI_Comm rows(MPI_Comm comm) {
  const std::array<int, 2> lengths{2, size_of(comm) / 2};
  const std::array<int, 2> periodic{0, 1};
  MPI_Comm made = MPI_COMM_SELF;
  EXPECT_EQ(MPI_Cart_create(comm, 2, lengths.data(), periodic.data(), 0, &made), MPI_SUCCESS);
  return made;
}

struct Shift {
  int source;
  int destination;
  bool operator==(const Shift&) const = default;
};

Shift shift(MPI_Comm comm, int dimension, int steps) {
  Shift found{-9, -9};
  EXPECT_EQ(MPI_Cart_shift(comm, dimension, steps, &found.source, &found.destination), MPI_SUCCESS);
  return found;
}

void check_rows(MPI_Comm grid, int columns) {
  EXPECT_EQ(kind_of(grid), MPI_CART);
  const int rank = rank_in(grid);
  int count = -1;
  EXPECT_EQ(MPI_Cartdim_get(grid, &count), MPI_SUCCESS);
  EXPECT_EQ(count, 2);
  std::array<int, 2> lengths{};
  std::array<int, 2> periodic{};
  std::array<int, 2> mine{};
  EXPECT_EQ(MPI_Cart_get(grid, 2, lengths.data(), periodic.data(), mine.data()), MPI_SUCCESS);
  EXPECT_EQ(lengths, (std::array{2, columns}));
  EXPECT_EQ(periodic, (std::array{0, 1}));
  EXPECT_EQ(mine, (std::array{rank / columns, rank % columns}));
  for (int other = 0; other < 2 * columns; ++other) {
    std::array<int, 2> place{};
    int found = -1;
    EXPECT_EQ(MPI_Cart_coords(grid, other, 2, place.data()), MPI_SUCCESS);
    EXPECT_EQ(place, (std::array{other / columns, other % columns}));
    place[1] -= columns;  // around
    EXPECT_EQ(MPI_Cart_rank(grid, place.data(), &found), MPI_SUCCESS);
    EXPECT_EQ(found, other);
  }
  const int above = mine[0] == 0 ? rank + columns : MPI_PROC_NULL;
  const int below = mine[0] == 1 ? rank - columns : MPI_PROC_NULL;
  EXPECT_EQ(shift(grid, 0, 1), (Shift{below, above}));
  EXPECT_EQ(shift(grid, 0, 0), (Shift{rank, rank}));
  const int row = mine[0] * columns;
  EXPECT_EQ(shift(grid, 1, 1), (Shift{row + (mine[1] + columns - 1) % columns, row + (mine[1] + 1) % columns}));
  EXPECT_EQ(shift(grid, 1, -columns), (Shift{rank, rank}));
}

TEST(Topologies, AreNoneOnOthers) {
  Endpoints endpoints(uneven());
  each(endpoints, [](MPI_Comm comm, int) {
    EXPECT_EQ(kind_of(comm), MPI_UNDEFINED);
    MPI_Comm made = dup(comm);
    EXPECT_EQ(kind_of(made), MPI_UNDEFINED);
    MPI_Comm_free(&made);
  });
}

TEST(Topologies, AreGridsOfTheFirstRanks) {
  Endpoints endpoints(3);
  each(endpoints, [](MPI_Comm comm, int) {
    const int columns = size_of(comm) / 2;
    MPI_Comm grid = rows(comm);
    if (rank_in(comm) >= 2 * columns) {
      EXPECT_EQ(grid, MPI_COMM_NULL);
      return;
    }
    EXPECT_EQ(rank_in(grid), rank_in(comm));
    EXPECT_EQ(size_of(grid), 2 * columns);
    check_rows(grid, columns);
    pass_around(grid);
    MPI_Comm_free(&grid);
  });
}

TEST(Topologies, StayWithDuplicatesAndGoWithNothingElse) {
  Endpoints endpoints(4);
  each(endpoints, [](MPI_Comm comm, int) {
    const int columns = size_of(comm) / 2;
    MPI_Comm grid = rows(comm);
    MPI_Comm with_info = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Comm_dup_with_info(grid, MPI_INFO_NULL, &with_info), MPI_SUCCESS);
    MPI_Comm later = MPI_COMM_NULL;
    std::vector<MPI_Request> request(1, MPI_REQUEST_NULL);
    EXPECT_EQ(MPI_Comm_idup(grid, &later, request.data()), MPI_SUCCESS);
    EXPECT_EQ(MPI_Waitall(1, request.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    MPI_Comm first = dup(grid);
    MPI_Comm second = dup(first);
    EXPECT_EQ(compare(second, grid), MPI_CONGRUENT);
    MPI_Comm part = split(grid, 0, 0);
    EXPECT_EQ(kind_of(part), MPI_UNDEFINED);
    for (MPI_Comm* one : {&part, &grid, &first}) MPI_Comm_free(one);
    for (MPI_Comm* one : {&with_info, &later, &second}) {
      check_rows(*one, columns);
      MPI_Comm_free(one);
    }
  });
}

TEST(Topologies, AreCutIntoGridsOfFewerDimensions) {
  Endpoints endpoints(4);
  each(endpoints, [](MPI_Comm comm, int) {
    const int columns = size_of(comm) / 2;
    MPI_Comm grid = rows(comm);
    const int rank = rank_in(grid);
    MPI_Comm row = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Cart_sub(grid, std::array{0, 1}.data(), &row), MPI_SUCCESS);
    EXPECT_EQ(size_of(row), columns);
    EXPECT_EQ(rank_in(row), rank % columns);
    int length = 0;
    int periodic = 0;
    int mine = -1;
    EXPECT_EQ(MPI_Cart_get(row, 1, &length, &periodic, &mine), MPI_SUCCESS);
    EXPECT_EQ((std::array{length, periodic, mine}), (std::array{columns, 1, rank % columns}));
    pass_around(row);
    MPI_Comm column = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Cart_sub(grid, std::array{1, 0}.data(), &column), MPI_SUCCESS);
    EXPECT_EQ(size_of(column), 2);
    EXPECT_EQ(rank_in(column), rank / columns);
    EXPECT_EQ(shift(column, 0, 1), (rank < columns ? Shift{MPI_PROC_NULL, 1} : Shift{0, MPI_PROC_NULL}));
    MPI_Comm point = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Cart_sub(row, std::array{0}.data(), &point), MPI_SUCCESS);
    EXPECT_EQ(size_of(point), 1);
    EXPECT_EQ(MPI_Cartdim_get(point, &length), MPI_SUCCESS);
    EXPECT_EQ(length, 0);
    MPI_Comm again = MPI_COMM_NULL;
    EXPECT_EQ(MPI_Cart_sub(point, nullptr, &again), MPI_SUCCESS);
    EXPECT_EQ(MPI_Cartdim_get(again, &length), MPI_SUCCESS);
    EXPECT_EQ(length, 0);
    for (MPI_Comm* one : {&grid, &row, &column, &point, &again}) MPI_Comm_free(one);
  });
}

TEST(Topologies, MayHaveNoDimensions) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm point = MPI_COMM_SELF;
    EXPECT_EQ(MPI_Cart_create(comm, 0, nullptr, nullptr, 0, &point), MPI_SUCCESS);
    if (rank_in(comm) > 0) {
      EXPECT_EQ(point, MPI_COMM_NULL);
      return;
    }
    EXPECT_EQ(kind_of(point), MPI_CART);
    EXPECT_EQ(MPI_Cart_get(point, 0, nullptr, nullptr, nullptr), MPI_SUCCESS);
    int rank = -1;
    EXPECT_EQ(MPI_Cart_rank(point, nullptr, &rank), MPI_SUCCESS);
    EXPECT_EQ(rank, 0);
    EXPECT_EQ(MPI_Cart_coords(point, 0, 0, nullptr), MPI_SUCCESS);
    MPI_Comm_free(&point);
  });
}

TEST(Topologies, AreMappedAsTheyAre) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    const int length = size_of(comm) - 1;
    const int periodic = 0;
    int mapped = -1;
    EXPECT_EQ(MPI_Cart_map(comm, 1, &length, &periodic, &mapped), MPI_SUCCESS);
    EXPECT_EQ(mapped, rank < length ? rank : MPI_UNDEFINED);
    const int none = 0;
    EXPECT_EQ(MPI_Graph_map(comm, 1, &none, nullptr, &mapped), MPI_SUCCESS);
    EXPECT_EQ(mapped, rank == 0 ? 0 : MPI_UNDEFINED);
  });
}

TEST(Topologies, AreMadeOfThoseThatHaveOne) {
  Endpoints endpoints(3);
  each(endpoints, [](MPI_Comm comm, int) {
    const int rank = rank_in(comm);
    MPI_Comm half = split(comm, rank % 2, -rank);
    MPI_Comm ring = line(half, size_of(half), true);
    EXPECT_EQ(rank_in(ring), rank_in(half));
    MPI_Comm second = line(ring, 1, false);
    EXPECT_EQ(second == MPI_COMM_NULL, rank_in(ring) != 0);
    if (second != MPI_COMM_NULL) {
      EXPECT_EQ(shift(second, 0, 1), (Shift{MPI_PROC_NULL, MPI_PROC_NULL}));
      MPI_Comm_free(&second);
    }
    MPI_Comm_free(&half);
    pass_around(ring);
    MPI_Comm_free(&ring);
  });
}

TEST(Topologies, AreRefusedOnAllRanksWhereOneGivesBadArguments) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int size = size_of(comm);
    const bool first = rank_in(comm) == 0;
    const std::array zeros{0, 0};
    MPI_Comm made = MPI_COMM_SELF;
    const auto wrong = [&](int code, int error_class) {
      EXPECT_EQ(class_of(code), error_class);
      EXPECT_EQ(made, MPI_COMM_NULL);
      made = MPI_COMM_SELF;
    };
    const auto cart = [&](int count, int length) {
      const std::array lengths{length, 1};
      return MPI_Cart_create(comm, count, lengths.data(), zeros.data(), 0, &made);
    };
    wrong(cart(1, size + 1), MPI_ERR_ARG);
    wrong(cart(2, first ? 0 : 1), MPI_ERR_DIMS);
    wrong(cart(-1, 1), MPI_ERR_DIMS);
    wrong(cart(1, first ? 1 : 2), MPI_ERR_ARG);  // each by itself is good
    wrong(MPI_Cart_sub(comm, zeros.data(), &made), MPI_ERR_TOPOLOGY);
    const std::array ends{1, 2};
    const auto graph = [&](int nodes, int edge) {
      const std::array edges{edge, 0};
      return MPI_Graph_create(comm, nodes, ends.data(), edges.data(), 0, &made);
    };
    wrong(graph(-1, 0), MPI_ERR_ARG);
    wrong(graph(2, first ? 2 : 1), MPI_ERR_ARG);
    std::vector<int> no_edges(static_cast<std::size_t>(size) + 1);
    wrong(MPI_Graph_create(comm, size + 1, no_edges.data(), nullptr, 0, &made), MPI_ERR_ARG);
    const auto adjacent = [&](int rank, const int* in_weights, const int* out_weights) {
      return MPI_Dist_graph_create_adjacent(comm, 1, &rank, in_weights, 1, &rank, out_weights, MPI_INFO_NULL, 0, &made);
    };
    const int weight = 3;
    const int negative = -3;
    wrong(adjacent(first ? size : 0, MPI_UNWEIGHTED, MPI_UNWEIGHTED), MPI_ERR_RANK);
    wrong(adjacent(0, &weight, MPI_UNWEIGHTED), MPI_ERR_ARG);
    wrong(adjacent(0, &weight, first ? &negative : &weight), MPI_ERR_ARG);
    wrong(adjacent(0, MPI_WEIGHTS_EMPTY, MPI_WEIGHTS_EMPTY), MPI_ERR_ARG);
    wrong(first ? adjacent(0, &weight, &weight) : adjacent(0, MPI_UNWEIGHTED, MPI_UNWEIGHTED), MPI_ERR_ARG);
    const auto declare = [&](int source, int degree, int destination) {
      return MPI_Dist_graph_create(comm, 1, &source, &degree, &destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    };
    wrong(declare(-1, 1, 0), MPI_ERR_RANK);
    wrong(declare(0, 1, first ? MPI_PROC_NULL : 0), MPI_ERR_RANK);
    wrong(declare(0, -1, 0), MPI_ERR_ARG);
    MPI_Comm again = line(comm, size, true);  // all are in step
    pass_around(again);
    MPI_Comm_free(&again);
  });
}

TEST(Topologies, AreAskedWhatTheyKnow) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm ring = line(comm, size_of(comm), true);
    MPI_Comm open = line(comm, size_of(comm), false);
    for (const MPI_Comm one : {comm, ring, open}) MPI_Comm_set_errhandler(one, MPI_ERRORS_RETURN);
    std::array<int, 4> numbers{};
    int number = 0;
    EXPECT_EQ(class_of(MPI_Cartdim_get(comm, &number)), MPI_ERR_TOPOLOGY);
    EXPECT_EQ(class_of(MPI_Cart_shift(comm, 0, 1, &number, &number)), MPI_ERR_TOPOLOGY);
    EXPECT_EQ(class_of(MPI_Graphdims_get(ring, &number, &number)), MPI_ERR_TOPOLOGY);
    EXPECT_EQ(class_of(MPI_Graph_neighbors_count(ring, 0, &number)), MPI_ERR_TOPOLOGY);
    EXPECT_EQ(class_of(MPI_Dist_graph_neighbors_count(ring, &number, &number, &number)), MPI_ERR_TOPOLOGY);
    EXPECT_EQ(class_of(MPI_Neighbor_allgather(&number, 1, MPI_INT, numbers.data(), 1, MPI_INT, comm)),
              MPI_ERR_TOPOLOGY);
    EXPECT_EQ(class_of(MPI_Cart_shift(ring, 1, 1, &number, &number)), MPI_ERR_DIMS);
    EXPECT_EQ(class_of(MPI_Cart_shift(ring, -1, 1, &number, &number)), MPI_ERR_DIMS);
    EXPECT_EQ(class_of(MPI_Cart_coords(ring, size_of(ring), 1, numbers.data())), MPI_ERR_RANK);
    EXPECT_EQ(class_of(MPI_Cart_coords(ring, 0, 0, numbers.data())), MPI_ERR_ARG);
    const int beyond = size_of(comm);
    EXPECT_EQ(MPI_Cart_rank(ring, &beyond, &number), MPI_SUCCESS);
    EXPECT_EQ(number, 0);
    EXPECT_EQ(class_of(MPI_Cart_rank(open, &beyond, &number)), MPI_ERR_ARG);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&open);
  });
}

}  // namespace
