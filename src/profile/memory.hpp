// SPDX-License-Identifier: BSD-3-Clause
// Whether there is room on the disk, or in the memory of a file system, for what is written for the first time. Where
// there is none, a write would end the process.
#pragma once

#include <cstddef>

namespace raddle::profile {

/// Whether `bytes` from an address in the file may be written, and read: reading, too, fills a hole in a file in
/// memory.
bool there(const void* address, std::size_t bytes);

}  // namespace raddle::profile
