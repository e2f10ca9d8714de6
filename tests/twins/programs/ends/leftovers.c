// SPDX-License-Identifier: BSD-3-Clause
// A program that frees nothing: communicators, groups, datatypes, keyvals, infos, persistent requests, attached buffer.
// ranks: 4
#include "../twin.h"

int main(int argc, char** argv) {
  static char buffer[10000];
  static int values[2];
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  MPI_Comm comms[3];
  MPI_Group group;
  MPI_Datatype type;
  MPI_Info info;
  MPI_Request request;
  int key;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(comms[0], rank % 2, 0, &comms[1]);
  MPI_Comm_dup(MPI_COMM_SELF, &comms[2]);
  MPI_Comm_group(comms[1], &group);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Info_create(&info);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(comms[0], key, values);
  MPI_Buffer_attach(buffer, sizeof buffer);
  MPI_Send_init(values, 1, MPI_INT, 0, 0, comms[0], &request);
  say("leaves all of it");
  MPI_Finalize();
  return 0;
}
