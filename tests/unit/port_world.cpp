// SPDX-License-Identifier: BSD-3-Clause
#include "port_world.hpp"

#include <cstdio>
#include <cstdlib>

namespace raddle::test {
namespace {

constexpr auto patience = std::chrono::seconds(40);  // less than the limit of a test

}  // namespace

PortWorld::PortWorld(const WorldOptions& options)
    : wire_(options.seed), node_(options), made_(std::chrono::steady_clock::now()) {
  for (int rank = 0; rank < options.ports; ++rank) {
    if (options.networked) networks_.push_back(std::make_unique<FakeNetwork>(wire_, rank));
    direct::Network* const network = options.networked ? networks_.back().get() : nullptr;
    direct::Surroundings& surroundings = *this;
    ports_.push_back(std::make_unique<direct::Port>(
        rank, (*node_.peers_of(rank))[rank], node_.peers_of(rank),
        direct::PortOptions{.eager = options.eager, .least_in_pipeline = options.least_in_pipeline, .crowded = true},
        network, surroundings));
  }
}

PortWorld::~PortWorld() = default;

bool PortWorld::step() {
  bool any = false;
  for (int rank = 0; rank < size(); ++rank) {
    direct::Port& port = (*this)[rank];
    if (!port.has_news() || node_.has_left(rank)) continue;
    any = true;
    port.progress();
  }
  return any;
}

void PortWorld::leave(int rank) { node_.leave(rank); }

std::string PortWorld::left() {
  std::string text = wire_.describe();
  for (int rank = 0; rank < size(); ++rank) {
    const std::string of_port = (*this)[rank].describe();
    if (of_port != "rank " + std::to_string(rank)) text += "\n" + of_port;
    if ((*this)[rank].unfinished()) text += "\nrank " + std::to_string(rank) + " is unfinished";
  }
  return text;
}

std::string PortWorld::describe() {
  std::string text = wire_.describe();
  for (const auto& port : ports_) text += "\n" + port->describe();
  return text;
}

void PortWorld::blocked(const char* call) {
  if (std::chrono::steady_clock::now() - made_ < patience) return;
  std::fprintf(stderr, "%s does not end%s\n", call, describe().c_str());
  std::abort();
}

}  // namespace raddle::test
