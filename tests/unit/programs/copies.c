/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a variable of a library's, as executables may: getopt would not find it. */
#include <unistd.h>

int main(void) { return optind; }
