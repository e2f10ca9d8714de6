// SPDX-License-Identifier: BSD-3-Clause
// Requests complete in each kind of call, each once (MPI-4.1 3.7.5).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  enum { N = 6 };
  for (int call = 0; call < 6; ++call) {
    int values[N], done = 0, sum = 0, indices[N];
    MPI_Request requests[N];
    MPI_Status statuses[N];
    for (int i = 0; i < N; ++i) {
      values[i] = call * 100 + i;
      if (rank == 0) MPI_Isend(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
      if (rank == 1) MPI_Irecv(&values[i], 1, MPI_INT, 0, N - 1 - i, MPI_COMM_WORLD, &requests[i]);
    }
    while (done < N) {
      int n = 0, index = MPI_UNDEFINED, flag = 0;
      if (call == 0) {
        MPI_Waitall(N, requests, statuses);
        n = N;
        for (int i = 0; i < N; ++i) indices[i] = i;
      } else if (call == 1) {
        MPI_Testall(N, requests, &flag, statuses);
        n = flag ? N : 0;
        for (int i = 0; i < N; ++i) indices[i] = i;
      } else if (call == 2) {
        MPI_Waitany(N, requests, &index, &statuses[0]);
        indices[0] = index;
        n = 1;
      } else if (call == 3) {
        MPI_Testany(N, requests, &index, &flag, &statuses[0]);
        indices[0] = index;
        n = flag;
      } else if (call == 4) {
        MPI_Waitsome(N, requests, &n, indices, statuses);
      } else {
        MPI_Testsome(N, requests, &n, indices, statuses);
      }
      done += n;
      for (int i = 0; i < n; ++i) sum += values[indices[i]] + (rank == 1 ? statuses[i].MPI_TAG * 1000 : 0);
    }
    int n = 0, index = 0, flag = 0;
    MPI_Waitsome(N, requests, &n, indices, statuses);
    MPI_Testany(N, requests, &index, &flag, &statuses[0]);
    say("call %d: %d done, %d; then %d %d %d", call, done, sum, n == MPI_UNDEFINED, index == MPI_UNDEFINED, flag);
  }
  (void)size;
  MPI_Finalize();
  return 0;
}
