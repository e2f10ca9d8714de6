// SPDX-License-Identifier: BSD-3-Clause
// Whether there is room on the disk, or in the memory of a file system, for what is written for the first time. Where
// there is none, a write would end the process.
#pragma once

#include <cstddef>

namespace raddle::profile {

/// Whether `bytes` from an address in the file may be written.
bool there(const void* address, std::size_t bytes);

/// The same, for tables.
inline constexpr struct There {
  template <typename Entry>
  bool operator()(const Entry* entry) const {
    return raddle::profile::there(entry, sizeof(Entry));
  }
} there_is_room{};

}  // namespace raddle::profile
