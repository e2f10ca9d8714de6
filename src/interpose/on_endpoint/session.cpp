// SPDX-License-Identifier: BSD-3-Clause
// What sessions of ranks are asked: MPI-4.1 section 11.3, and section 3.6 for their buffers.
#include "endpoints/sessions/session.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/mover.hpp"
#include "interpose/on_endpoint.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Failure;
using endpoints::Members;
using endpoints::process_sets;

/// @throws Failure
Members members_of(const Session& session, const char* set) {
  if (set != nullptr) {
    if (std::optional<Members> found = session.members(set)) return *std::move(found);
  }
  throw Failure(endpoints::error_with(
      MPI_ERR_ARG,
      "Raddle: the ranks of this job are in no process set of this name, only in mpi://WORLD and mpi://SELF"));
}

/// What `act` throws is raised on the session. @returns an MPI error code
template <typename Act>
int raising(const Session& session, Act&& act) {
  try {
    act();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return failure.raised ? failure.code : session.raise(failure.code);
  }
}

}  // namespace

int Session_get_num_psets(const Session&, MPI_Info, int* sets) {
  *sets = static_cast<int>(process_sets.size());
  return MPI_SUCCESS;
}

int Session_get_nth_pset(const Session& session, MPI_Info, int which, int* length, char* name) {
  if (!below(which, static_cast<int>(process_sets.size())) || *length < 0) return session.raise(MPI_ERR_ARG);
  const std::string_view set = process_sets[static_cast<std::size_t>(which)];
  if (*length > 0) {
    if (name == nullptr) return session.raise(MPI_ERR_ARG);
    const std::size_t room = std::min(set.size(), static_cast<std::size_t>(*length) - 1);
    std::memcpy(name, set.data(), room);
    name[room] = '\0';
  }
  *length = static_cast<int>(set.size()) + 1;
  return MPI_SUCCESS;
}

int Session_get_pset_info(const Session& session, const char* set, MPI_Info* info) {
  return raising(session, [&] {
    const std::string size = std::to_string(members_of(session, set).size());
    endpoints::check(PMPI_Info_create(info));
    endpoints::check(PMPI_Info_set(*info, "mpi_size", size.c_str()));
  });
}

int Group_from_session_pset(const Session& session, const char* set, MPI_Group* group) {
  return raising(session, [&] {
    *group = Group::make(members_of(session, set), {.asker = session.self(),
                                                    .origin = session.rank().everyone->communicator().name(),
                                                    .buffer = session.buffer()});
  });
}

int Session_attach_buffer(const Session& session, void* buffer, MPI_Count size) {
  return session.buffer()->attach(buffer, size) ? MPI_SUCCESS : session.raise(MPI_ERR_BUFFER);
}

void detach_buffer(const Session& session, void* address, std::int64_t& size) {
  void*& where = *static_cast<void**>(address);
  progress_until(*session.rank().everyone, "MPI_Session_detach_buffer", [&] {
    endpoints::Everything::progress();  // its messages are of several endpoints
    return session.buffer()->detach(where, size);
  });
}

int Session_flush_buffer(const Session& session) {
  const std::uint64_t before = session.buffer()->entered();
  progress_until(*session.rank().everyone, "MPI_Session_flush_buffer", [&] {
    endpoints::Everything::progress();
    return session.buffer()->out(before);
  });
  return MPI_SUCCESS;
}

int Session_iflush_buffer(const Session& session, MPI_Request* request) {
  Endpoint* mover = nullptr;  // which has a message in it, if there is one
  const auto hold = [&](Endpoint& endpoint) {
    endpoint.communicator().hold();
    mover = &endpoint;
  };
  if (!session.buffer()->with_sender(hold)) hold(*session.rank().everyone);
  *request = std::make_unique<endpoints::FlushRequest>(*mover, *session.buffer()).release()->handle();
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
