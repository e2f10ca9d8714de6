// SPDX-License-Identifier: BSD-3-Clause
// Exit status of both programs (docs/build/bench-protocol.md).
#pragma once

namespace raddle::bench {

enum Exit : int { ok = 0, bad_plan = 2, points_failed = 3, hung = 4 };

}  // namespace raddle::bench
