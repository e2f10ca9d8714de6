// SPDX-License-Identifier: BSD-3-Clause
// Whether an address is memory of a GPU, which a processor cannot copy. Asks the libraries of GPUs that the program has
// loaded: Raddle needs none, and loads none.
#pragma once

namespace raddle::platform::gpus {

/// Looks whether the program has loaded the library of a GPU since the last time. Any thread; takes microseconds.
/// @returns whether there is one, which then stays
bool look();

/// Whose memory it is ("CUDA", "HIP", "Level Zero"); nullptr: memory that processors reach, or of nobody.
const char* owner(const void* address);

}  // namespace raddle::platform::gpus
