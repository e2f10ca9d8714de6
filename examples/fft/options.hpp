// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "grid.hpp"

namespace fft {

enum class Version { process, master, thread, endpoint };

struct Options {
  Version version;
  Grid grid{64, 64, 64};
  int threads = 1;
  int repeats = 5;
  int fault = 0;  ///< number of the exchange to spoil, from 1; 0: none
};

const char* name_of(Version version);

/// None if the words are not understood; usage() tells how they are meant.
std::optional<Options> options_from(int argc, char** argv);
const char* usage();

}  // namespace fft
