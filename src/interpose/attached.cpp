// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/attached.hpp"

#include "endpoints/communicators/derive.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "interpose/wrapper.hpp"

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
  return attempt(comm, [&] { static_cast<void>(endpoints::settings_with(platform::Hints::communicators, info)); });
}

bool asked_for(MPI_Info info) { return endpoints::settings_with(platform::Hints::communicators, info).partitioned; }

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
