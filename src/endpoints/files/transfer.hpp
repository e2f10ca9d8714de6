// SPDX-License-Identifier: BSD-3-Clause
// Moves bytes between memory and what a rank sees of a file. Knows no MPI: functions return 0 or an errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "endpoints/files/disk.hpp"
#include "endpoints/files/view.hpp"

namespace raddle::endpoints {

/// Shorter pieces are moved many at a time where that is possible: a call of the system takes as long as to copy some
/// thousands of bytes.
constexpr std::int64_t short_piece = 16 << 10;
/// So many bytes of a file are moved at a time then.
constexpr std::int64_t block_bytes = 1 << 20;

/// @param done  how many bytes there were: fewer than asked for only at the end of the file
int read_seen(const Disk& disk, const FileView& view, std::int64_t position, std::span<std::byte> room,
              std::size_t& done);
/// Writes no byte that is not seen: others may write it at the same time.
int write_seen(const Disk& disk, const FileView& view, std::int64_t position, std::span<const std::byte> bytes);

}  // namespace raddle::endpoints
