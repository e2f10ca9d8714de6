// SPDX-License-Identifier: BSD-3-Clause
// Probes and matched probes of messages whose length is not known (MPI-4.1 3.8).
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  int v[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, got[10] = {0}, n = 0, flag = 0;
  MPI_Status s;
  MPI_Message message;
  if (rank == 1) {
    for (int i = 0; i < 5; ++i) MPI_Send(v, 2 * i, MPI_INT, 0, i, MPI_COMM_WORLD);
  } else if (rank == 0) {
    for (int i = 0; i < 5; ++i) {
      if (i == 0) MPI_Probe(1, 0, MPI_COMM_WORLD, &s);
      if (i == 1)
        while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &s);
      if (i == 2) MPI_Mprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &s);
      if (i == 3)
        for (flag = 0; !flag;) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &s);
      if (i == 4) MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
      MPI_Get_count(&s, MPI_INT, &n);
      if (i == 2) MPI_Mrecv(got, n, MPI_INT, &message, &s);
      if (i == 3) {
        MPI_Request r;
        MPI_Imrecv(got, n, MPI_INT, &message, &r);
        MPI_Wait(&r, &s);
      }
      if (i == 0 || i == 1 || i == 4) MPI_Recv(got, n, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, &s);
      int again = 0;
      MPI_Get_count(&s, MPI_INT, &again);
      say("%d: %d %d from %d tag %d, last %d", i, n, again, s.MPI_SOURCE, s.MPI_TAG, n > 0 ? got[n - 1] : 0);
    }
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &s);
    say("nothing is left: %d of %d", flag, size);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &s);
    say("no process: %d", message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(got, 1, MPI_INT, &message, &s);
    MPI_Get_count(&s, MPI_INT, &n);
    say("null %d, source %d, count %d", message == MPI_MESSAGE_NULL, s.MPI_SOURCE == MPI_PROC_NULL, n);
  }
  MPI_Finalize();
  return 0;
}
