// SPDX-License-Identifier: BSD-3-Clause
// Duplicates, splits and parts of an intercommunicator, and how they compare (MPI-4.1 7.4); an attribute goes along with a
// duplicate.
// ranks: 4
// args: 0 | 1
#include "groups.h"

static const char* likeness(MPI_Comm one, MPI_Comm other) {
  int result = -1;
  MPI_Comm_compare(one, other, &result);
  return result == MPI_IDENT       ? "identical"
         : result == MPI_CONGRUENT ? "congruent"
         : result == MPI_SIMILAR   ? "similar"
                                   : "unequal";
}

// Who is on the other side, by messages: on what MPICH 5.0 splits with keys its collectives hang.
static void tell(const char* what, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) {
    say("%s: nothing", what);
    return;
  }
  const int me = rank_of(MPI_COMM_WORLD), remote = remote_size_of(comm);
  char text[100] = "";
  for (int i = 0; i < remote; ++i) {
    int got = -1;
    MPI_Sendrecv(&me, 1, MPI_INT, i, 0, &got, 1, MPI_INT, i, 0, comm, MPI_STATUS_IGNORE);
    sprintf(text + strlen(text), " %d", got);
  }
  say("%s: rank %d of %d, remote%s", what, rank_of(comm), size_of(comm), text);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int how = atoi(argv[1]);
  MPI_Comm inter = between(how), made;
  MPI_Group group, part;
  MPI_Request request;
  int key, found = 0, first = 0;
  static int kept = 7;
  void* value = NULL;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(inter, key, &kept);
  MPI_Comm_set_name(inter, "between");
  MPI_Comm_dup(inter, &made);
  tell("duplicate", made);
  MPI_Comm_get_attr(made, key, &value, &found);
  say("attribute %d, %s, to itself %s, to the world %s", found ? *(int*)value : -1, likeness(inter, made),
      likeness(inter, inter), likeness(inter, MPI_COMM_WORLD));
  MPI_Comm_free(&made);
  MPI_Comm_idup(inter, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  tell("later duplicate", made);
  MPI_Comm_free(&made);
  MPI_Comm_split(inter, 0, -rank_of(inter), &made);
  tell("turned around", made);
  say("likeness %s", likeness(inter, made));
  MPI_Comm_free(&made);
  MPI_Comm_split(inter, rank_of(inter), 0, &made);
  tell("split by rank", made);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  MPI_Comm_group(inter, &group);
  MPI_Group_incl(group, 1, &first, &part);
  MPI_Comm_create(inter, part, &made);
  tell("of the first ranks", made);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  MPI_Group_free(&part);
  MPI_Comm_create(inter, in_first(how) ? MPI_GROUP_EMPTY : group, &made);
  tell("with an empty group", made);
  MPI_Group_free(&group);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&inter);
  MPI_Finalize();
  return 0;
}
