// SPDX-License-Identifier: BSD-3-Clause
// The handles of endpoints: real MPI handles, known by tables, one for each kind.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/handles/handle_table.hpp"
#include "endpoints/rank.hpp"
#include "endpoints/requests/request.hpp"

namespace raddle::endpoints {

// An endpoint whose handle is being freed. What deletes its attributes is given the communicator that is freed (MPI-4.1
// section 7.7.2), so in this thread the handle is still the endpoint's. To other threads the MPI may give it at once.

class Endpoint;
class File;
class Session;
class Window;

/// Bit of the gate: the handle of an endpoint is being freed.
constexpr std::uint32_t someone_leaves = 1U << 28U;
/// Bit of the gate: the program has loaded the library of a GPU, so buffers may be in its memory.
constexpr std::uint32_t with_gpus = 1U << 27U;

/// Has the gate say whether there are GPUs. Where endpoints are made: a program that loads such a library later is seen
/// when it makes the next communicator of endpoints.
void look_for_gpus();

/// While it lives the calling thread frees `endpoint`, whose handle no table has any more.
class Leaving {
 public:
  explicit Leaving(Endpoint& endpoint);
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving();

  /// The endpoint of this handle, if the calling thread is freeing it; otherwise nullptr.
  [[nodiscard]] static Endpoint* with(MPI_Comm comm);

 private:
  Endpoint& endpoint_;
  Leaving* outer_;  ///< of a function that deletes an attribute and frees another endpoint
};

/// What the calling thread means by MPI_COMM_WORLD or MPI_COMM_SELF; nullptr: what the MPI does, or another handle.
[[nodiscard]] Endpoint* meant_by(MPI_Comm comm);

/// Each is a bit of the gate.
enum class Kind : std::uint32_t {
  communicator = 1,
  request = 2,
  message = 4,
  window = 8,
  file = 16,
  group = 32,
  session = 64  ///< of a rank that a thread has adopted
};

/// What stands behind a handle of an endpoint.
template <Kind kind>
using Behind = std::conditional_t<
    kind == Kind::communicator, Endpoint,
    std::conditional_t<
        kind == Kind::request, Request,
        std::conditional_t<
            kind == Kind::message, Probed,
            std::conditional_t<kind == Kind::group, Group,
                               std::conditional_t<kind == Kind::window, Window,
                                                  std::conditional_t<kind == Kind::session, Session, File>>>>>>;

/// The bits of all kinds of which there is a handle of an endpoint. Upper bits are the interception's own.
inline constinit std::atomic<std::uint32_t> gate{0};

/// Never destroyed: MPI may be called after the destructors of a program have run.
template <Kind kind>
union Lasting {
  constexpr Lasting() : table(gate, static_cast<std::uint32_t>(kind)) {}
  Lasting(const Lasting&) = delete;
  Lasting& operator=(const Lasting&) = delete;
  ~Lasting() {}  // NOLINT(modernize-use-equals-default): that would be none at all

  HandleTable table;
};

template <Kind kind>
inline constinit Lasting<kind> handles;

/// Handles are integers in some MPIs and pointers in others, and several kinds may be one type.
template <typename Handle>
[[nodiscard]] std::uint64_t bits(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::make_unsigned_t<Handle>>(handle);
  }
}

template <Kind kind, typename Handle>
[[nodiscard]] Behind<kind>* find(Handle handle) {
  auto* const found = static_cast<Behind<kind>*>(handles<kind>.table.find(bits(handle)));
  if constexpr (kind == Kind::communicator) {
    if (found == nullptr && (gate.load(std::memory_order_relaxed) & (adopting | someone_leaves)) != 0) [[unlikely]] {
      Endpoint* const leaving = Leaving::with(handle);
      return leaving != nullptr ? leaving : meant_by(handle);
    }
  }
  return found;
}

template <Kind kind, typename Handle>
void insert(Handle handle, Behind<kind>& behind) {
  if constexpr (kind == Kind::communicator) look_for_gpus();
  handles<kind>.table.insert(bits(handle), &behind);
}

template <Kind kind, typename Handle>
Behind<kind>* erase(Handle handle) {
  return static_cast<Behind<kind>*>(handles<kind>.table.erase(bits(handle)));
}

// Handles for requests and probed messages of endpoints: the MPI's own, which mean nothing to it, so that what Raddle
// does not see of them does no harm. Made seldom, and used again.

/// A persistent request that is never started.
MPI_Request make_request_handle();
void free_request_handle(MPI_Request handle);

/// A message without contents, from this process to itself, that was probed and is not received before
/// free_message_handles().
MPI_Message take_message_handle();
void give_back_message_handle(MPI_Message handle);
/// Before the MPI ends; all have been given back.
void free_message_handles();

}  // namespace raddle::endpoints
