// SPDX-License-Identifier: BSD-3-Clause
// Copies between this process's memory and another's, where the system allows it: one copy, and the other process has
// nothing to do (process_vm_readv).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace raddle::node {

/// Copies `to.size()` bytes from address `from` of process `pid`.
/// @returns false: errno says why (EPERM: not allowed; ESRCH: no such process; EFAULT: not all of it is mapped there);
///          part of `to` may have been written
[[nodiscard]] bool read_memory(pid_t pid, std::uintptr_t from, std::span<std::byte> to);

/// Copies `from` to address `to` of process `pid`. @returns as read_memory
[[nodiscard]] bool write_memory(pid_t pid, std::uintptr_t to, std::span<const std::byte> from);

/// Whether read_memory works with process `pid` and `pid` means the process that has `expected` at `known_address`: in
/// containers it may mean another one.
[[nodiscard]] bool can_reach(pid_t pid, std::uintptr_t known_address, std::uint64_t expected);

/// Lets every process of the same user read and write this one's memory, also where the system (Yama, ptrace_scope 1,
/// as in Ubuntu) lets only ancestors do so: processes of a job are siblings. That weakens the process against others of
/// its user, so it is called only where can_reach() failed without it. Lasts until the process ends or executes another
/// program. No effect where nothing restricts tracing, or an administrator forbids it (ptrace_scope 2 and 3).
void allow_tracers();

}  // namespace raddle::node
