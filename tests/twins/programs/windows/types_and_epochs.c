// SPDX-License-Identifier: BSD-3-Clause
// Which datatypes MPI_Compare_and_swap and MPI_Fetch_and_op take (MPI-4.1 12.3.4), what epochs end others (12.5), where a
// rank without memory has its part, and whose error handler hears of the window's own functions.
// except: openmpi/*: it takes any type in these functions, and some parts of no bytes are somewhere
#include "../twin.h"

static int rank;

static void types(MPI_Win window) {
  char operand[64] = {0}, compared[64] = {0}, result[64];
  MPI_Datatype bytes;
  MPI_Type_contiguous(4, MPI_BYTE, &bytes);
  MPI_Type_commit(&bytes);
  const struct {
    const char* name;
    MPI_Datatype type;
  } all[] = {{"MPI_INT", MPI_INT},
             {"MPI_LONG", MPI_LONG},
             {"MPI_BYTE", MPI_BYTE},
             {"MPI_AINT", MPI_AINT},
             {"MPI_CHAR", MPI_CHAR},
             {"MPI_C_BOOL", MPI_C_BOOL},
             {"MPI_FLOAT", MPI_FLOAT},
             {"MPI_DOUBLE", MPI_DOUBLE},
             {"MPI_LONG_DOUBLE", MPI_LONG_DOUBLE},
             {"MPI_2INT", MPI_2INT},
             {"MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX},
             {"a datatype of its own", bytes}};
  MPI_Win_fence(0, window);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    int swapped = 0, fetched = 0;
    for (int times = 0; times < 2; ++times) {
      swapped = class_of(MPI_Compare_and_swap(operand, compared, result, all[i].type, 0, 0, window));
      fetched = class_of(MPI_Fetch_and_op(operand, result, all[i].type, 0, 0, MPI_REPLACE, window));
    }
    say("%s: compare and swap %d, fetch and replace %d", all[i].name, swapped, fetched);
  }
  MPI_Win_fence(0, window);
  MPI_Type_free(&bytes);
}

static void epochs(MPI_Win window) {
  int value = 0;
  MPI_Win_fence(0, window);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, window);
  MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_unlock(0, window);
  say("after MPI_Win_lock in a fence epoch: %d", class_of(MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window)));
  MPI_Win_fence(0, window);
  MPI_Win_lock_all(0, window);
  MPI_Win_unlock_all(window);
  say("after MPI_Win_lock_all: %d", class_of(MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window)));
  MPI_Win_fence(0, window);
  say("after MPI_Win_fence: %d", class_of(MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window)));
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

static void without_memory(void) {
  for (int apart = 0; apart < 2; ++apart) {
    MPI_Info info;
    MPI_Win window;
    char* base;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", apart ? "true" : "false");
    MPI_Win_allocate_shared(rank == 1 ? 0 : 64, 1, info, MPI_COMM_WORLD, &base, &window);
    say("its own part is %s", base != NULL ? "there" : "null");
    for (int of = 0; of < 2; ++of) {
      MPI_Aint size;
      int unit;
      MPI_Win_shared_query(window, of, &size, &unit, &base);
      say("of %d: %ld bytes, %s", of, (long)size, base != NULL ? "there" : "null");
    }
    MPI_Win_free(&window);
    MPI_Info_free(&info);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of(MPI_COMM_WORLD);
  static char memory[64];
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  types(window);
  epochs(window);
  say("no name: %s", outcome(MPI_Win_set_name(window, NULL)));
  MPI_Win_free(&window);
  without_memory();
  MPI_Finalize();
  return 0;
}
