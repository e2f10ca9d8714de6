/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how often it has run, in variables of all kinds that are its own; and knows the words of its command. */
#include <stdio.h>

int starts = 0;
static int more = 100;
static _Thread_local int mine = 0;

/* Many pages. */
static const unsigned char numbers[1 << 16] = {[1 << 15] = 1};

#ifdef CHOSEN
static int plain(void) { return 1; }
static int (*choose(void))(void) {
  const volatile unsigned char* const one = numbers + (1 << 15);
  return *one == 1 ? plain : 0;
}
int one_more(void) __attribute__((ifunc("choose")));
#else
static int one_more(void) { return 1; }
#endif

int main(int argc, char** argv) {
  static int calls = 0;
  ++starts;
  ++more;
  ++mine;
  const volatile unsigned char* const one = numbers + (1 << 15);
  calls += one_more() * *one;
  fflush(stdout); /* a variable of the C library's */
  return argc > 0 && argv[argc] == NULL && more == 100 + starts && mine == starts ? calls : -1;
}
