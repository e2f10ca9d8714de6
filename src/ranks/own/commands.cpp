// SPDX-License-Identifier: BSD-3-Clause
// Commands that a rank starts by a shell: they get its environment, its streams and its working directory.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace {

using raddle::ranks::current;

/// While one lives, signals of the keyboard are for the command and not for the process; several ranks may wait at
/// once.
class Unheard {
 public:
  Unheard() {
    const std::lock_guard lock(guard_);
    if (waiting_++ != 0) return;
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &interrupt_);
    sigaction(SIGQUIT, &ignore, &quit_);
  }
  Unheard(const Unheard&) = delete;
  Unheard& operator=(const Unheard&) = delete;
  ~Unheard() {
    const std::lock_guard lock(guard_);
    if (--waiting_ != 0) return;
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGQUIT, &quit_, nullptr);
  }

 private:
  static inline std::mutex guard_;
  static inline int waiting_ = 0;
  static inline struct sigaction interrupt_{};
  static inline struct sigaction quit_{};
};

/// Starts a shell with the rank's streams, one of which may be another descriptor.
/// @returns an error of errno's; 0: it runs
int start(const char* command, pid_t& child, int instead_of = -1, int descriptor = -1) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  current->streams.give(actions, instead_of, descriptor);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const char* const words[] = {"sh", "-c", command, nullptr};
  const int error = posix_spawn(&child, "/bin/sh", &actions, &attributes, const_cast<char* const*>(words),
                                current->environment.table());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

/// Commands at the other end of a stream.
class Ends {
 public:
  void add(FILE* stream, pid_t child) {
    const std::lock_guard lock(guard_);
    children_[stream] = child;
  }
  /// @returns 0: it is none of these
  pid_t take(FILE* stream) {
    const std::lock_guard lock(guard_);
    const auto found = children_.find(stream);
    if (found == children_.end()) return 0;
    const pid_t child = found->second;
    children_.erase(found);
    return child;
  }

 private:
  std::mutex guard_;
  std::map<FILE*, pid_t> children_;
};

Ends& ends() {
  static Ends& made = *new Ends;  // never destroyed: what ends after main may close one
  return made;
}

}  // namespace

RADDLE_OWN int system(const char* command) {
  if (current == nullptr) return RADDLE_LIBC(system, command);
  if (command == nullptr) return 1;
  const Unheard unheard;
  pid_t child = 0;
  if (start(command, child) != 0) return 127 << 8;
  return status_of(child);
}

RADDLE_OWN FILE* popen(const char* command, const char* mode) {
  if (current == nullptr) return RADDLE_LIBC(popen, command, mode);
  const bool reads = std::strchr(mode, 'r') != nullptr;
  if (reads == (std::strchr(mode, 'w') != nullptr)) {
    errno = EINVAL;
    return nullptr;
  }
  int both[2];
  if (pipe2(both, O_CLOEXEC) != 0) return nullptr;
  const int mine = both[reads ? 0 : 1];
  const int its = both[reads ? 1 : 0];
  FILE* const stream = fdopen(mine, reads ? "r" : "w");
  pid_t child = 0;
  const int error = stream == nullptr ? errno : start(command, child, reads ? 1 : 0, its);
  RADDLE_LIBC(close, its);
  if (error != 0) {
    if (stream != nullptr) std::fclose(stream);
    errno = error;
    return nullptr;
  }
  current->streams.opened(stream);
  // Whatever the mode says it is closed where another program begins: a child that had the end of another command's
  // pipe would keep that one waiting for its end.
  ends().add(stream, child);
  return stream;
}

RADDLE_OWN int pclose(FILE* stream) {
  const pid_t child = ends().take(stream);
  if (child == 0) return RADDLE_LIBC(pclose, stream);
  std::fclose(stream);
  return status_of(child);
}
