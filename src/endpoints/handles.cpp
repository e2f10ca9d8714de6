// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/handles.hpp"

#include <cstdint>

namespace raddle::endpoints {
namespace {

/// Never destroyed: MPI may be called after the destructors of a program have run.
template <Kind kind>
union Lasting {
  constexpr Lasting() : table(gate, static_cast<std::uint32_t>(kind)) {}
  Lasting(const Lasting&) = delete;
  Lasting& operator=(const Lasting&) = delete;
  ~Lasting() {}  // NOLINT(modernize-use-equals-default): that would be none at all

  HandleTable table;
};

constinit Lasting<Kind::communicator> communicators;
constinit Lasting<Kind::request> requests;
constinit Lasting<Kind::message> messages;
constinit Lasting<Kind::window> windows;
constinit Lasting<Kind::file> files;

}  // namespace

HandleTable& table(Kind kind) {
  switch (kind) {
    case Kind::request:
      return requests.table;
    case Kind::message:
      return messages.table;
    case Kind::window:
      return windows.table;
    case Kind::file:
      return files.table;
    default:
      return communicators.table;
  }
}

}  // namespace raddle::endpoints
