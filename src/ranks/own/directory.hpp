// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace raddle::ranks {

/// Gives the calling thread, and those that it starts, a working directory and a mask of permissions of its own.
/// @returns whether the system lets it
[[nodiscard]] bool move_alone();

}  // namespace raddle::ranks
