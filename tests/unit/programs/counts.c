/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how often it has run, in variables of all kinds that are its own; and knows the words of its command. */
#include <stdio.h>

int starts = 0;
static int more = 100;
static _Thread_local int mine = 0;

int main(int argc, char** argv) {
  static int calls = 0;
  ++starts;
  ++more;
  ++mine;
  ++calls;
  fflush(stdout); /* a variable of the C library's */
  return argc > 0 && argv[argc] == NULL && more == 100 + starts && mine == starts ? calls : -1;
}
