// SPDX-License-Identifier: BSD-3-Clause
// What is kept with a window: attributes with their delete function, name, hints, group (MPI-4.1 12.2.7, 7.7.3).
#include "../twin.h"

static int deleted(MPI_Win window, int keyval, void* value, void* extra) {
  (void)window, (void)keyval, (void)extra;
  say("deleted %d", *(int*)value);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int memory[4] = {0}, kept = 7, keyval, flag, length, in_window, *found;
  void* base;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Group group;
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, deleted, &keyval, NULL);
  MPI_Win_set_attr(window, keyval, &kept);
  MPI_Win_get_attr(window, keyval, &found, &flag);
  say("attribute %d %d", flag, flag ? *found : -1);
  MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &flag);
  say("base %d %s", flag, base == memory ? "is mine" : "is another");
  MPI_Win_get_attr(window, MPI_WIN_SIZE, &found, &flag);
  say("size %ld", (long)*(MPI_Aint*)found);
  MPI_Win_set_name(window, "a window");
  MPI_Win_get_name(window, name, &length);
  say("name %s", name);
  MPI_Win_get_group(window, &group);
  MPI_Group_rank(group, &in_window);
  say("rank %d in it", in_window);
  MPI_Group_free(&group);
  MPI_Win_free(&window);
  MPI_Win_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
