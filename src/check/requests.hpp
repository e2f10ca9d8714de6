// SPDX-License-Identifier: BSD-3-Clause
// Requests of nonblocking operations, until they have completed, and the memory that they use.
#pragma once

#include "check/memory_in_use.hpp"
#include "check/thread.hpp"

namespace raddle::check {

/// The program gives memory back at this place: is an operation under way there?
void tell_freed(const MemoryAccess& memory, const Site& site);

/// At the end.
void tell_left_requests();
void tell_left_datatypes();

}  // namespace raddle::check
