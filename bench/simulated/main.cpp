// SPDX-License-Identifier: BSD-3-Clause
// The seed's loop on simulated ranks: raddle-simulated ALGORITHM NEIGHBOURS BYTES ITERATIONS EVEN RADIX. Rank 0 prints
// the simulated microseconds of each exchange, from a barrier to the last rank's end.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sparse/exchange.hpp"

namespace {

using raddle::platform::sparse_algorithm_named;
namespace sparse = raddle::sparse;

std::vector<int> partners(int rank, int size, int neighbours, bool even, std::mt19937_64& random) {
  std::set<int> drawn;
  std::uniform_int_distribution<int> any(0, size - 1);
  while (static_cast<int>(drawn.size()) < neighbours) {
    // The same distances for all, or every rank's own ranks.
    const int one = any(random);
    if (even ? one != 0 : one != rank) drawn.insert(even ? (rank + one) % size : one);
  }
  return {drawn.begin(), drawn.end()};
}

/// What a rank sends to another one in a round.
std::vector<std::byte> content(int source, int destination, int round, int bytes) {
  std::vector<std::byte> made(static_cast<std::size_t>(bytes));
  const int start = source * 31 + destination * 17 + round * 7;
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<std::byte>(start + static_cast<int>(i) * 3);
  return made;
}

void fail(const std::string& why) {
  std::fprintf(stderr, "raddle-simulated: %s\n", why.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

/// That no message has come twice, and each as it was sent; their number is counted by all.
void check(const sparse::Rows& rows, int rank, int round, int bytes) {
  std::set<int> seen;
  for (std::size_t i = 0; i < rows.ranks.size(); ++i) {
    const int source = rows.ranks[i];
    if (!seen.insert(source).second) fail("a message came twice");
    const std::vector<std::byte> wanted = content(source, rank, round, bytes);
    if (rows.offsets[i + 1] - rows.offsets[i] != wanted.size() ||
        std::memcmp(rows.data.get() + rows.offsets[i], wanted.data(), wanted.size()) != 0) {
      fail("a message arrived changed");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 7) fail("usage: ALGORITHM NEIGHBOURS BYTES ITERATIONS EVEN RADIX");
  const auto algorithm = sparse_algorithm_named(argv[1]);
  if (!algorithm) fail("no such algorithm");
  const int neighbours = std::atoi(argv[2]);
  const int bytes = std::atoi(argv[3]);
  const int iterations = std::atoi(argv[4]);
  const bool even = std::atoi(argv[5]) != 0;
  const sparse::Options options{*algorithm, std::atoi(argv[6]), false};
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (neighbours >= size) fail("more neighbours than ranks");
  // What Raddle keeps ends with the communicator: MPI_COMM_WORLD of SimGrid ends too late for its windows.
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);

  for (int round = 0; round <= iterations; ++round) {  // the first one makes what is kept
    std::mt19937_64 random(static_cast<unsigned>(even ? round : round * size + rank) + 1);
    std::vector<std::vector<std::byte>> contents;
    std::vector<sparse::Message> messages;
    for (const int to : partners(rank, size, neighbours, even, random)) {
      contents.push_back(content(rank, to, round, bytes));
      messages.push_back({to, contents.back()});
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    const sparse::Rows rows = sparse::exchange(comm, messages, options);
    const double took = MPI_Wtime() - began;
    check(rows, rank, round, bytes);
    double longest = 0;
    long sums[2] = {static_cast<long>(messages.size()) - static_cast<long>(rows.ranks.size()), 0};
    MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sums[0], &sums[1], 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && sums[1] != 0) fail("not as many messages have come as were sent");
    if (rank == 0 && round > 0) std::printf("exchange %.6f us\n", longest * 1e6);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
}
