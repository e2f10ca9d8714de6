/* SPDX-License-Identifier: BSD-3-Clause */
#include "handles.h"

#include <stdlib.h>
#include <string.h>

enum { few = 64 };

/* Handles of C on their way to Fortran. */
typedef struct comms {
  MPI_Comm here[few];
  MPI_Comm* all;
} comms;

/* Whether there is room for so many; a bad number needs none, and is judged by what gets it. */
static int make_room(comms* room, int count) {
  room->all = count <= few ? room->here : malloc((size_t)count * sizeof(MPI_Comm));
  return room->all != NULL;
}

static void give(comms* room, int count, MPI_Fint out[]) {
  for (int i = 0; i < count; ++i) out[i] = MPI_Comm_c2f(room->all[i]);
  if (room->all != room->here) free(room->all);
}

int raddle_f_lanes_create(MPI_Fint comm, int nlanes, MPI_Fint info, MPI_Fint lanes[]) {
  comms room;
  if (!make_room(&room, nlanes)) return MPI_ERR_NO_MEM;
  for (int i = 0; i < nlanes; ++i) room.all[i] = MPI_COMM_NULL;
  const int code = Raddle_Lanes_create(MPI_Comm_f2c(comm), nlanes, MPI_Info_f2c(info), room.all);
  give(&room, nlanes, lanes);
  return code;
}

int raddle_f_lanes_free(int nlanes, MPI_Fint lanes[]) {
  comms room;
  if (!make_room(&room, nlanes)) return MPI_ERR_NO_MEM;
  for (int i = 0; i < nlanes; ++i) room.all[i] = MPI_Comm_f2c(lanes[i]);
  const int code = Raddle_Lanes_free(nlanes, room.all);
  give(&room, nlanes, lanes);
  return code;
}

int raddle_f_create_endpoints(MPI_Fint parent, int my_num_ep, MPI_Fint info, MPI_Fint newcomm[]) {
  comms room;
  if (!make_room(&room, my_num_ep)) return MPI_ERR_NO_MEM;
  for (int i = 0; i < my_num_ep; ++i) room.all[i] = MPI_COMM_NULL;
  const int code = MPIX_Comm_create_endpoints(MPI_Comm_f2c(parent), my_num_ep, MPI_Info_f2c(info), room.all);
  give(&room, my_num_ep, newcomm);
  return code;
}

int raddle_f_sparse_exchange(const void* data, int count, const int dests[], const MPI_Count offsets[],
                             MPI_Fint sendtype, MPI_Fint recvtype, MPI_Fint info, MPI_Fint comm,
                             Raddle_Sparse_messages* received) {
  return Raddle_Sparse_exchange(data, count, dests, offsets, MPI_Type_f2c(sendtype), MPI_Type_f2c(recvtype),
                                MPI_Info_f2c(info), MPI_Comm_f2c(comm), received);
}

int raddle_f_sparse_attach(MPI_Fint comm) { return Raddle_Sparse_attach(MPI_Comm_f2c(comm)); }

int raddle_f_sparse_algorithm(MPI_Fint comm, char* name, int length) {
  const char* found = NULL;
  const int code = Raddle_Sparse_algorithm(MPI_Comm_f2c(comm), &found);
  const size_t whole = code == MPI_SUCCESS && found != NULL ? strlen(found) : 0;
  const size_t room = (size_t)length, copied = whole < room ? whole : room;
  memset(name, ' ', room);
  if (copied > 0) memcpy(name, found, copied);
  return code;
}

int raddle_f_not_seen(MPI_Fint comm) {
  int class = MPI_ERR_OTHER, code = MPI_ERR_OTHER;
  Raddle_Err_endpoints(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(
      code,
      "Raddle: the MPI calls of this Fortran program do not pass libraddle: it has to be linked before "
      "the MPI (docs/use/fortran.md)");
  MPI_Comm_call_errhandler(MPI_Comm_f2c(comm), code);
  return code;
}
