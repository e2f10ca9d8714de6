// SPDX-License-Identifier: BSD-3-Clause
// Environment and locale as a process has them.
#include <locale.h>

#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  say("PATH is there: %d, NOWHERE is not: %d", getenv("PATH") != NULL, getenv("NOWHERE_AT_ALL") == NULL);
  say("locale %s", setlocale(LC_ALL, NULL));
  MPI_Finalize();
  return 0;
}
