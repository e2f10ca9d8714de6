// SPDX-License-Identifier: BSD-3-Clause
// Streams, an exception inside the program and vectors as buffers.
// ranks: 4
#include <iostream>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  std::vector<int> mine(static_cast<size_t>(rank + 1), rank), counts(static_cast<size_t>(size)), at(counts.size());
  std::iota(counts.begin(), counts.end(), 1);
  std::partial_sum(counts.begin(), counts.end() - 1, at.begin() + 1);
  std::vector<int> all(static_cast<size_t>(at.back() + counts.back()));
  MPI_Allgatherv(mine.data(), rank + 1, MPI_INT, all.data(), counts.data(), at.data(), MPI_INT, MPI_COMM_WORLD);
  std::ostringstream line;
  line << rank << ": " << std::accumulate(all.begin(), all.end(), 0) << " of " << all.size();
  try {
    all.at(1000) = 1;
  } catch (const std::out_of_range&) {
    line << ", caught";
  }
  line << "\n";
  std::cout << line.str() << std::flush;
  MPI_Finalize();
  return 0;
}
