// SPDX-License-Identifier: BSD-3-Clause
// What recording a call costs, in this process on this machine.
#pragma once

namespace raddle::profile {

/// Records calls that do nothing, as those of MPI_Send are, and writes down what each has taken. They are counted
/// nowhere.
void measure_cost();

}  // namespace raddle::profile
