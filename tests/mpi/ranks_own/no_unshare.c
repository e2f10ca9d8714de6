/* SPDX-License-Identifier: BSD-3-Clause */
/* A system that refuses it. */
#include <errno.h>

int unshare(int flags) {
  (void)flags;
  errno = EPERM;
  return -1;
}
