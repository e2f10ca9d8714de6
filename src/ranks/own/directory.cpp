// SPDX-License-Identifier: BSD-3-Clause
// The working directory and the mask of permissions. The kernel gives each rank's thread its own (unshare(2)) and its
// threads the same; where a system forbids that, what would move the other ranks fails.
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace raddle::ranks {

bool move_alone() { return unshare(CLONE_FS) == 0; }

namespace {

/// Whether what `call` does would be done to other ranks; it is told then.
bool is_for_others_too(const char* call) {
  if (current == nullptr || current->moves_alone) return false;
  std::fprintf(
      stderr,
      "raddle-ranks: rank %d calls %s, which would be for all ranks of its process: this system lets no thread "
      "have a directory and a mask of its own (unshare). Nothing is changed.\n",
      current->rank, call);
  errno = EPERM;
  return true;
}

}  // namespace
}  // namespace raddle::ranks

using raddle::ranks::is_for_others_too;

RADDLE_OWN int chdir(const char* path) noexcept { return is_for_others_too("chdir") ? -1 : RADDLE_LIBC(chdir, path); }

/// It cannot fail. @returns what is asked for, as if it had been in force
RADDLE_OWN mode_t umask(mode_t mask) noexcept { return is_for_others_too("umask") ? mask : RADDLE_LIBC(umask, mask); }

RADDLE_OWN int fchdir(int directory) noexcept {
  return is_for_others_too("fchdir") ? -1 : RADDLE_LIBC(fchdir, directory);
}
