// SPDX-License-Identifier: BSD-3-Clause
// Stacks for ranks, as large as a process of the same limit would have.
#pragma once

#include <pthread.h>

namespace raddle::ranks {

/// Gives threads that are started with `attributes` a stack of its own, which stays until the process ends. Each call
/// makes another one. Where there is no room for one the C library's default remains.
void give_stack(pthread_attr_t& attributes);

}  // namespace raddle::ranks
