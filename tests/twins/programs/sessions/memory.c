// SPDX-License-Identifier: BSD-3-Clause
// A program that has sessions only makes a window and a topology on a communicator of its own.
// ranks: 4
#include "sessions.h"

int main(void) {
  MPI_Session session = begin();
  MPI_Comm world = comm_of(session, "mpi://WORLD", "all"), ring;
  const int rank = rank_of(world), size = size_of(world), periodic = 1;
  int* memory = NULL;
  int before = -1, after = -1;
  MPI_Win window;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, world, &memory, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  say_on(world, "put by %d", *memory);
  MPI_Win_free(&window);
  MPI_Cart_create(world, 1, &size, &periodic, 0, &ring);
  MPI_Cart_shift(ring, 0, 1, &before, &after);
  say_on(world, "between %d and %d", before, after);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&world);
  MPI_Session_finalize(&session);
  return 0;
}
