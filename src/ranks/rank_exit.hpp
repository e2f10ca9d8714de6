// SPDX-License-Identifier: BSD-3-Clause
// exit(), which ends a process, in a thread that stands for one.
#pragma once

namespace raddle::ranks {

/// Where the exit status of the calling thread's rank belongs; nullptr: the thread is none, and exit() ends the
/// process.
inline thread_local int* status_of_rank = nullptr;

}  // namespace raddle::ranks
