// SPDX-License-Identifier: BSD-3-Clause
// Communicators of processes that are attached for partitioned communication by Raddle: those that the program attaches
// or gives the info key raddle_partitioned, and all of them where RADDLE_PARTITIONED is 1.
#pragma once

#include <mpi.h>

#include <atomic>
#include <utility>

#include "endpoints/errors.hpp"
#include "partitioned/attach.hpp"
#include "platform/own_copy.hpp"

namespace raddle::interpose::attached {

/// The MPI has begun, or is about to end. @returns MPI_SUCCESS, or the error, raised
int begin();
void end();

/// Whether partitioned communication on `comm`, which is no endpoint's, is Raddle's.
bool takes(MPI_Comm comm);

/// Whether all communicators are attached when they are made.
inline bool wanted() { return partitioned::wanted.load(std::memory_order_relaxed); }

/// Collective: attaches one that has been made. @returns MPI_SUCCESS, or the error, raised
[[gnu::cold]] int attach(MPI_Comm comm);
/// The same for one that only is there when a request is complete.
[[gnu::cold]] int attach_later(MPI_Comm old, MPI_Comm made);
/// The hints of a communicator that is to be made of `comm`, or of `comm` itself, are looked at. @returns MPI_SUCCESS,
/// or the error, raised
[[gnu::cold]] int read(MPI_Comm comm, MPI_Info info);
inline int refused(MPI_Comm comm, MPI_Info info) { return info == MPI_INFO_NULL ? MPI_SUCCESS : read(comm, info); }
/// Whether hints, or else the settings, ask for that. @pre they are not refused
[[gnu::cold]] bool asked_for(MPI_Info info);

/// Whether a communicator that has been made, or has been given these hints, is to be attached.
inline bool wanted(int code, MPI_Info info) {
  if (code != MPI_SUCCESS || platform::MakingOwn::now()) return false;
  return info == MPI_INFO_NULL ? wanted() : asked_for(info);
}

// A function of the MPI that makes a communicator, or takes hints for one, and what follows it. Some MPIs return
// MPI_SUCCESS where an error handler of the program has heard an error: whether there is one is seen by the
// communicator then. @returns the function's code, or that of an error of its own, raised

template <typename Call>
int made(Call&& call, MPI_Comm* comm, MPI_Info info = MPI_INFO_NULL) {
  if (comm != nullptr) *comm = MPI_COMM_NULL;
  const int code = call();
  return wanted(code, info) && *comm != MPI_COMM_NULL ? attach(*comm) : code;
}

template <typename Call>
int hinted(Call&& call, MPI_Comm comm, MPI_Info info) {
  const endpoints::Outcome outcome;
  const int code = call();
  return wanted(outcome.of(code), info) ? attach(comm) : code;
}

template <typename Call>
int idup(Call&& call, MPI_Comm old, MPI_Comm* made, MPI_Info info, const MPI_Request*) {
  if (made != nullptr) *made = MPI_COMM_NULL;
  const int code = call();
  return wanted(code, info) && *made != MPI_COMM_NULL ? attach_later(old, *made) : code;
}

template <typename Call>
int idup(Call&& call, MPI_Comm old, MPI_Comm* made, const MPI_Request* request) {
  return idup(std::forward<Call>(call), old, made, MPI_INFO_NULL, request);
}

/// Detaches one, if it is attached.
[[gnu::cold]] void detach(MPI_Comm comm, bool may_wait);
/// Before a communicator is freed. @param parts  its processes may not meet again (MPI_Comm_disconnect)
inline void leave(const MPI_Comm* comm, bool parts = false) {
  if (partitioned::any_attached.load(std::memory_order_relaxed) && comm != nullptr) [[unlikely]]
    detach(*comm, parts);
}

int Psend_init(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request);
int Precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request);

}  // namespace raddle::interpose::attached
