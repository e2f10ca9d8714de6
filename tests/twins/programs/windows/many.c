// SPDX-License-Identifier: BSD-3-Clause
// As many windows at a time as a process has, each with a name, an attribute and an error handler of its own.
// ranks: 4
// except: intel/2xN: an assertion of its own fails where so many communicators are made (ch4_shm_coll.c)
// except: */nodes: between nodes each takes several communicators of the MPI, of which MPICH has some 2000
#include "../twin.h"

enum { many = 600 };

static MPI_Win windows[many];
static int deleted, heard, told_right;

static int on_delete(MPI_Win window, int key, void* value, void* extra) {
  deleted += (int)(long)value;
  return MPI_SUCCESS;
}

static void on_error(MPI_Win* window, int* code, ...) { ++heard; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), next = (rank + 1) % size;
  int key, flag, length, sum = 0, *memory[many];
  MPI_Errhandler handler;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &key, NULL);
  MPI_Win_create_errhandler(on_error, &handler);
  for (int i = 0; i < many; ++i) {
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory[i], &windows[i]);
    *memory[i] = -1;
  }
  for (int i = 0; i < many; ++i) {
    const int value = 1000 * rank + i;
    MPI_Win_fence(0, windows[i]);
    MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, windows[i]);
    MPI_Win_fence(0, windows[i]);
    sum += *memory[i] - 1000 * ((rank + size - 1) % size) - i;
  }
  for (int i = 0; i < many; i += 7) {
    char name[MPI_MAX_OBJECT_NAME];
    snprintf(name, sizeof name, "window %d", i);
    MPI_Win_set_name(windows[i], name);
    MPI_Win_set_attr(windows[i], key, (void*)1L);
    MPI_Win_set_errhandler(windows[i], i % 2 ? handler : MPI_ERRORS_RETURN);
  }
  for (int i = 0; i < many; i += 7) {
    char name[MPI_MAX_OBJECT_NAME], right[MPI_MAX_OBJECT_NAME];
    void* value = NULL;
    snprintf(right, sizeof right, "window %d", i);
    MPI_Win_get_name(windows[i], name, &length);
    MPI_Win_get_attr(windows[i], key, &value, &flag);
    told_right += strcmp(name, right) == 0 && flag && value == (void*)1L;
    MPI_Put(&sum, 1, MPI_INT, 99, 0, 1, MPI_INT, windows[i]);
  }
  for (int i = 0; i < many; ++i) MPI_Win_free(&windows[i]);
  say("wrong sum %d, kept by %d, errors heard %d, deleted %d", sum, told_right, heard, deleted);
  MPI_Errhandler_free(&handler);
  MPI_Win_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
