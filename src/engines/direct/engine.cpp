// SPDX-License-Identifier: BSD-3-Clause
// The direct engine: endpoints meet in memory, and on lanes between nodes.
#include "engines/engine.hpp"

#include <utility>

#include "engines/direct/creation.hpp"

namespace raddle::direct {
namespace {

class DirectEngine final : public engines::Engine {
 public:
  void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) override {
    Creation::make(std::move(communicator), handles);
  }
};

}  // namespace

engines::Engine& engine() {
  static auto& lasting = *new DirectEngine;  // calls may come after the destructors of a program
  return lasting;
}

}  // namespace raddle::direct
