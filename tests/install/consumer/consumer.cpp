// SPDX-License-Identifier: BSD-3-Clause
// The same in C++.
#include <cstdio>
#include <map>
#include <raddle/raddle.hpp>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int before = (rank + size - 1) % size;
  {
    const std::map<int, std::vector<int>> parcels{{(rank + 1) % size, {rank}}};
    for (auto [source, values] : raddle::sparse_exchange(MPI_COMM_WORLD, parcels)) {
      if (source == before && values.size() == 1 && values[0] == before) std::printf("rank %d: all good\n", rank);
    }
  }
  MPI_Finalize();
}
