// SPDX-License-Identifier: BSD-3-Clause
// The state of the machine, asked for before and after each launch: how far apart the CPUs are just now. A hypervisor
// moves virtual CPUs between cores, and every figure follows.
#pragma once

#include <iosfwd>

namespace raddle::bench::probe {

/// Answers each line `CONTEXTS PIN` of `in` with one JSON object (docs/build/bench-protocol.md) and sleeps in between,
/// until `in` ends. @returns an Exit
int serve_state(std::istream& in, std::ostream& out);

}  // namespace raddle::bench::probe
