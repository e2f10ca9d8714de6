// SPDX-License-Identifier: BSD-3-Clause
// The working directory and the mask of permissions. The kernel gives each rank's thread its own (unshare(2)) and its
// threads the same; where a system forbids that, what would move the other ranks fails.
#include "ranks/own/directory.hpp"

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

/// Whether the calling rank must not do what `call` does; it is told then.
bool would_move_others(const char* call) {
  if (current == nullptr || current->moves_alone) return false;
  std::fprintf(stderr,
               "raddle-ranks: rank %d calls %s, which would move all ranks of its process: this system lets no thread "
               "have a directory of its own (unshare). The call fails.\n",
               current->rank, call);
  errno = EPERM;
  return true;
}

}  // namespace
}  // namespace raddle::ranks

using raddle::ranks::would_move_others;

RADDLE_OWN int chdir(const char* path) noexcept { return would_move_others("chdir") ? -1 : RADDLE_LIBC(chdir, path); }

RADDLE_OWN int fchdir(int directory) noexcept {
  return would_move_others("fchdir") ? -1 : RADDLE_LIBC(fchdir, directory);
}
