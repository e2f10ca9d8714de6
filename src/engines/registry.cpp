// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <iterator>

#include "engines/engine.hpp"

// In the folder of each: its only object.
#define RADDLE_ENGINE(name)  \
  namespace raddle::name {   \
  engines::Engine& engine(); \
  }
#include "platform/engine_list.def"
#undef RADDLE_ENGINE

namespace raddle::engines {

std::span<Engine* const> engines() {
#define RADDLE_ENGINE(name) &raddle::name::engine(),
  static const std::array all{
#include "platform/engine_list.def"
  };
#undef RADDLE_ENGINE
  return all;
}

Engine& engine(platform::EngineName which) { return *engines()[static_cast<std::size_t>(which)]; }

Engine* with_memory() {
  const auto found = std::ranges::find_if(engines(), [](Engine* one) { return one->has_memory(); });
  return found == engines().end() ? nullptr : *found;
}

}  // namespace raddle::engines
