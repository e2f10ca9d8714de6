// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/sessions/session.hpp"

#include <strings.h>

#include <cstddef>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/endpoint.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

bool alike(std::string_view one, std::string_view other) {
  return one.size() == other.size() && strncasecmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace

int Session::raise(int code) const {
  platform::regardless(raise_(code));
  return code;
}

std::optional<Members> Session::members(std::string_view set) const {
  const auto& [world, self_set] = process_sets;
  if (alike(set, world)) return rank_.everyone->communicator().members();
  if (alike(set, self_set)) return Members{self()};
  return std::nullopt;
}

const Member& Session::self() const {
  const Endpoint& everyone = *rank_.everyone;
  return everyone.communicator().members()[static_cast<std::size_t>(everyone.rank())];
}

}  // namespace raddle::endpoints
