// SPDX-License-Identifier: BSD-3-Clause
// A thread that looks, about a thousand times a second, which threads are inside the MPI.
#pragma once

namespace raddle::profile {

void begin_sampler();

/// Looks once more, for all that the system counts too: the process, or the MPI, is about to end.
void look_last();

}  // namespace raddle::profile
