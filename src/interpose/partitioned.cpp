// SPDX-License-Identifier: BSD-3-Clause
// Communicators of processes that are attached for partitioned communication (attached.hpp), and the C entry points of
// partitioned communication, for MPIs that lack the standard's, and of what the standard lacks.
#include "endpoints/communicators/derive.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "interpose/attached.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/wrapper.hpp"
#include "raddle/raddle.h"

namespace raddle::interpose::attached {
namespace {

/// Does it. @returns MPI_SUCCESS, or the error, raised on `comm`
template <typename Attempt>
int attempt(MPI_Comm comm, Attempt&& it) {
  try {
    it();
    return MPI_SUCCESS;
  } catch (...) {
    return caught(comm);
  }
}

}  // namespace

int begin() {
  return attempt(MPI_COMM_WORLD, [] { partitioned::begin(); });
}

void end() { partitioned::end(); }

bool takes(MPI_Comm comm) { return comm != MPI_COMM_NULL && partitioned::attached(comm); }

int attach(MPI_Comm comm) {
  // Not every process is in what is made; and of hints an endpoint's communicator has its own.
  if (comm == MPI_COMM_NULL || endpoints::find<endpoints::Kind::communicator>(comm) != nullptr) return MPI_SUCCESS;
  return attempt(comm, [&] { partitioned::attach(comm); });
}

int attach_later(MPI_Comm old, MPI_Comm made) {
  return attempt(old, [&] { partitioned::attach_later(old, made); });
}

void detach(MPI_Comm comm, bool may_wait) {
  if (comm != MPI_COMM_NULL) static_cast<void>(attempt(comm, [&] { partitioned::detach(comm, may_wait); }));
}

int read(MPI_Comm comm, MPI_Info info) {
  if (comm == MPI_COMM_NULL || endpoints::find<endpoints::Kind::communicator>(comm) != nullptr) return MPI_SUCCESS;
  return attempt(comm, [&] { static_cast<void>(endpoints::settings_with(platform::HintScope::communicators, info)); });
}

bool asked_for(MPI_Info info) { return endpoints::settings_with(platform::HintScope::communicators, info).partitioned; }

int Psend_init(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request) {
  return attempt(
      comm, [&] { *request = partitioned::make_send(buffer, partitions, count, type, to, tag, comm, info).handle(); });
}

int Precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request) {
  return attempt(comm, [&] {
    *request = partitioned::make_receive(buffer, partitions, count, type, source, tag, comm, info).handle();
  });
}

}  // namespace raddle::interpose::attached

namespace {

namespace attached = raddle::interpose::attached;
namespace endpoints = raddle::endpoints;
namespace on_endpoint = raddle::interpose::on_endpoint;

using raddle::interpose::Answering;
using raddle::interpose::barrier;
using raddle::interpose::find;
using raddle::interpose::Kind;

/// The communicator of the program, for a request that only libraddle can complete. @returns MPI_SUCCESS, or what was
/// raised
int prepare(MPI_Comm& comm) {
  Answering::past();
  comm = raddle::interpose::programs(comm);
  if (comm == MPI_COMM_NULL) return endpoints::raise(endpoints::without_communicator(), MPI_ERR_COMM);
  if (raddle::interpose::calls_pass) return MPI_SUCCESS;
  return endpoints::raise(comm, endpoints::error_with(MPI_ERR_OTHER, raddle::interpose::calls_do_not_pass));
}

/// Does it with what stands behind the handle of one of Raddle's requests.
template <typename Action>
int with(MPI_Request request, Action&& action) {
  if (auto* const found = find<Kind::request>(request)) return barrier(found->comm(), [&] { return action(*found); });
  return endpoints::raise(endpoints::without_communicator(), MPI_ERR_REQUEST);
}

}  // namespace

RADDLE_ENTRY int Raddle_Psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype type, int dest,
                                   int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (auto* const endpoint = find<Kind::communicator>(comm)) {
    const Answering answering(true);
    return barrier(comm, [&]() -> int {
      return on_endpoint::Psend_init(buf, partitions, count, type, dest, tag, *endpoint, info, request);
    });
  }
  return barrier(comm, [&]() -> int {
    const int code = prepare(comm);
    return code != MPI_SUCCESS ? code
                               : attached::Psend_init(buf, partitions, count, type, dest, tag, comm, info, request);
  });
}

RADDLE_ENTRY int Raddle_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
                                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (auto* const endpoint = find<Kind::communicator>(comm)) {
    const Answering answering(true);
    return barrier(comm, [&]() -> int {
      return on_endpoint::Precv_init(buf, partitions, count, type, source, tag, *endpoint, info, request);
    });
  }
  return barrier(comm, [&]() -> int {
    const int code = prepare(comm);
    return code != MPI_SUCCESS ? code
                               : attached::Precv_init(buf, partitions, count, type, source, tag, comm, info, request);
  });
}

RADDLE_ENTRY int Raddle_Pready(int partition, MPI_Request request) {
  return with(request, [&](endpoints::Request& found) { return on_endpoint::Pready(partition, found); });
}

RADDLE_ENTRY int Raddle_Pready_range(int low, int high, MPI_Request request) {
  return with(request, [&](endpoints::Request& found) { return on_endpoint::Pready_range(low, high, found); });
}

RADDLE_ENTRY int Raddle_Pready_list(int length, const int partitions[], MPI_Request request) {
  return with(request, [&](endpoints::Request& found) { return on_endpoint::Pready_list(length, partitions, found); });
}

RADDLE_ENTRY int Raddle_Parrived(MPI_Request request, int partition, int* flag) {
  if (request == MPI_REQUEST_NULL) return on_endpoint::arrived_of_nothing(flag);
  return with(request, [&](endpoints::Request& found) { return on_endpoint::Parrived(found, partition, flag); });
}

RADDLE_ENTRY int Raddle_Partitioned_attach(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return endpoints::raise(endpoints::without_communicator(), MPI_ERR_COMM);
  if (find<Kind::communicator>(comm) != nullptr) return MPI_SUCCESS;
  return barrier(comm, [&] { return attached::attach(raddle::interpose::programs(comm)); });
}

RADDLE_ENTRY int Raddle_Partitioned_messages(MPI_Request request, int* messages) {
  return with(request, [&](endpoints::Request& found) -> int {
    if (found.partitions() == nullptr) return endpoints::raise(found.comm(), MPI_ERR_REQUEST);
    *messages = found.partitions()->messages();
    return MPI_SUCCESS;
  });
}
