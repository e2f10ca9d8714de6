// SPDX-License-Identifier: BSD-3-Clause
// A buffered send for which there is no room is an error, also where its message is short (MPI-4.1 3.4 and 3.6).
// except: openmpi/*: needs no buffer for what it sends at once
#include "../twin.h"

static void send(const char* buffer, int count) {
  int v[100] = {0}, class = MPI_SUCCESS;
  const int code = MPI_Bsend(v, count, MPI_INT, 1 - rank_of(MPI_COMM_WORLD), count, MPI_COMM_WORLD);
  MPI_Error_class(code, &class);
  const char* const ended = class == MPI_SUCCESS ? "sent" : class == MPI_ERR_BUFFER ? "no room" : "otherwise";
  say("%s, %d elements: %s", buffer, count, ended);
}

static void receive(int count) {
  int v[100];
  MPI_Recv(v, count, MPI_INT, 1 - rank_of(MPI_COMM_WORLD), count, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  static char room[100 * sizeof(int) + MPI_BSEND_OVERHEAD];
  void* back;
  int length;
  send("no buffer", 1);
  send("no buffer", 100);
  MPI_Buffer_attach(room, (int)sizeof(int) + MPI_BSEND_OVERHEAD + 16);
  send("a small one", 100);
  send("a small one", 1);
  receive(1);
  MPI_Buffer_detach(&back, &length);
  send("none any more", 1);
  MPI_Buffer_attach(room, sizeof room);
  MPI_Bsend(&length, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  send("room enough", 100);
  receive(100);
  MPI_Buffer_detach(&back, &length);
  MPI_Finalize();
  return 0;
}
