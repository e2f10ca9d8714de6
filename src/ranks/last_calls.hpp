// SPDX-License-Identifier: BSD-3-Clause
// What a program registers for its end (atexit, on_exit, destructors of static objects, at_quick_exit). A process keeps
// that in one list and calls it when it ends; here each rank has its own, which is called when the rank ends. So no
// copy's objects are destroyed while another rank still runs.
#pragma once

namespace raddle::ranks {

struct Process;

/// Whether what is at this address is in the copy of a program or of a library.
[[nodiscard]] bool is_in_a_copy(const void* address);

/// Calls what the rank registered, the last first, and also what that registers.
void call_at_exit(Process& process);
void call_at_quick_exit(Process& process);

}  // namespace raddle::ranks
