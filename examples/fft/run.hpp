// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "options.hpp"

namespace fft {

/// Transforms, checks and tells. @returns whether all was right, the same on all processes
bool run(const Options& options);

}  // namespace fft
