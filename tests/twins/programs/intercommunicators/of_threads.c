// SPDX-License-Identifier: BSD-3-Clause
// Threads make intercommunicators at the same time, of the same groups and with the same tag: their peer communicators
// tell them apart (MPI-4.1 7.6.2).
// ranks: 4
// except: intel/*: natively it hangs
#include <pthread.h>

#include "../twin.h"

enum { threads = 4, times = 20 };

static MPI_Comm peers[threads];
static int sums[threads];

static void* make(void* which) {
  const int me = (int)(long)which;
  for (int i = 0; i < times; ++i) {
    MPI_Comm half, between, whole;
    const int rank = rank_of(peers[me]), size = size_of(peers[me]), low = rank < size / 2;
    int value = rank + 10 * me, sum = 0;
    MPI_Comm_split(peers[me], low, rank, &half);
    MPI_Intercomm_create(half, 0, peers[me], low ? size / 2 : 0, 99, &between);
    MPI_Intercomm_merge(between, low, &whole);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, whole);
    sums[me] += sum;
    MPI_Comm_free(&half);
    MPI_Comm_free(&between);
    MPI_Comm_free(&whole);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t all[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &peers[i]);
  for (long i = 0; i < threads; ++i) pthread_create(&all[i], NULL, make, (void*)i);
  for (int i = 0; i < threads; ++i) pthread_join(all[i], NULL);
  say("sums %d %d %d %d", sums[0], sums[1], sums[2], sums[3]);
  for (int i = 0; i < threads; ++i) MPI_Comm_free(&peers[i]);
  MPI_Finalize();
  return 0;
}
