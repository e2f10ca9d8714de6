// SPDX-License-Identifier: BSD-3-Clause
// What a program registers for its end (atexit, destructors of static objects, at_quick_exit). A process keeps that in
// one list and calls it when it ends; here each copy of a program has its own, which is called when its rank ends. So
// no copy's objects are destroyed while another rank still runs.
#pragma once

namespace raddle::ranks {

/// Where the copy of a program is loaded that has something at `address`; nullptr: it is in no copy.
[[nodiscard]] const void* copy_with(const void* address);

/// Calls what the copy at `base` registered, the last first, and also what that registers.
void call_at_exit(const void* base);
void call_at_quick_exit(const void* base);

}  // namespace raddle::ranks
