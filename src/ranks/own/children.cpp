// SPDX-License-Identifier: BSD-3-Clause
// Processes that a rank starts: it waits for its own, and they have its descriptors 0, 1 and 2.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace {

using raddle::ranks::current;

/// A thread that waits for any child gets one of those that it has started: others are another rank's.
int of_own(int options) { return current == nullptr ? options : options | __WNOTHREAD; }

bool is_of_rank(const void* caller) { return current != nullptr && raddle::ranks::is_in_a_copy(caller); }

template <typename Spawn>
int spawn(const posix_spawn_file_actions_t* given, bool is_rank, Spawn&& call) {
  if (given != nullptr || !is_rank) return call(given);
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error == 0) error = current->streams.give(actions);
  if (error == 0) error = call(&actions);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

RADDLE_OWN pid_t wait(int* status) { return RADDLE_LIBC(waitpid, -1, status, of_own(0)); }
RADDLE_OWN pid_t waitpid(pid_t child, int* status, int options) {
  return RADDLE_LIBC(waitpid, child, status, child > 0 ? options : of_own(options));
}
RADDLE_OWN pid_t wait3(int* status, int options, rusage* usage) noexcept {
  return RADDLE_LIBC(wait4, -1, status, of_own(options), usage);
}
RADDLE_OWN pid_t wait4(pid_t child, int* status, int options, rusage* usage) noexcept {
  return RADDLE_LIBC(wait4, child, status, child > 0 ? options : of_own(options), usage);
}
RADDLE_OWN int waitid(idtype_t kind, id_t which, siginfo_t* about, int options) {
  return RADDLE_LIBC(waitid, kind, which, about, kind == P_ALL || kind == P_PGID ? of_own(options) : options);
}

/// The child has to be given what it finds at 0, 1 and 2, which needs memory of its own.
RADDLE_OWN pid_t vfork() noexcept { return fork(); }

RADDLE_OWN int posix_spawn_file_actions_init(posix_spawn_file_actions_t* actions) noexcept {
  const int error = RADDLE_LIBC(posix_spawn_file_actions_init, actions);
  return error == 0 && is_of_rank(__builtin_return_address(0)) ? current->streams.give(*actions) : error;
}

RADDLE_OWN int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                           const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  return spawn(actions, is_of_rank(__builtin_return_address(0)), [&](const posix_spawn_file_actions_t* all) {
    return RADDLE_LIBC(posix_spawn, child, path, all, attributes, words, environment);
  });
}

RADDLE_OWN int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                            const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  const std::string path = current == nullptr ? file : raddle::ranks::found_command(file);
  return spawn(actions, is_of_rank(__builtin_return_address(0)), [&](const posix_spawn_file_actions_t* all) {
    return RADDLE_LIBC(posix_spawnp, child, path.c_str(), all, attributes, words, environment);
  });
}
