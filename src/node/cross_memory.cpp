// SPDX-License-Identifier: BSD-3-Clause
#include "node/cross_memory.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>

#include <cerrno>

namespace raddle::node {
namespace {

using Call = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);

/// The system may move less than it was asked for: at most 2 GiB at a time, and what lies before an unmapped page.
bool transfer(Call move, pid_t pid, std::byte* here, std::uintptr_t there, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const iovec local{here + done, bytes - done};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of another process, never followed here
    const iovec remote{reinterpret_cast<void*>(there + done), bytes - done};
    const ssize_t moved = move(pid, &local, 1, &remote, 1, 0);
    if (moved > 0) {
      done += static_cast<std::size_t>(moved);
    } else if (moved == 0) {
      errno = EFAULT;
      return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool read_memory(pid_t pid, std::uintptr_t from, std::span<std::byte> to) {
  return transfer(process_vm_readv, pid, to.data(), from, to.size());
}

bool write_memory(pid_t pid, std::uintptr_t to, std::span<const std::byte> from) {
  // iovec knows no const; the system only reads here.
  return transfer(process_vm_writev, pid, const_cast<std::byte*>(from.data()), to, from.size());
}

bool can_reach(pid_t pid, std::uintptr_t known_address, std::uint64_t expected) {
  std::uint64_t found = 0;
  return read_memory(pid, known_address, std::as_writable_bytes(std::span(&found, 1))) && found == expected;
}

void allow_tracers() {
  // Fails only where there is no Yama, and so nothing to allow.
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

}  // namespace raddle::node
