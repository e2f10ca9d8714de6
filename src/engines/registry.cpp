// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
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

void make_in_turn(Engine& engine, std::unique_ptr<endpoints::Communicator> communicator,
                  const std::vector<MPI_Comm>& handles) {
  const endpoints::CommonTurn turn(*communicator);
  engine.make(std::move(communicator), handles);
}

Engine* with_memory() {
  const auto found = std::ranges::find_if(engines(), [](Engine* one) { return one->has_memory(); });
  return found == engines().end() ? nullptr : *found;
}

}  // namespace raddle::engines
