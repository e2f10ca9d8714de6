// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicators/own_comm.hpp"

#include <mutex>

#include "endpoints/rank.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

/// All are made of one, for which threads queue up: in MPI_COMM_SELF they could meet those of the program, and errors
/// would be raised there.
struct Seed {
  std::mutex guard;
  MPI_Comm comm = MPI_COMM_NULL;
};

Seed& seed() {
  static auto& lasting = *new Seed;
  return lasting;
}

MPI_Comm create(MPI_Comm from) {
  MPI_Group self = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  if (PMPI_Comm_group(from, &self) != MPI_SUCCESS) return MPI_COMM_NULL;
  const int code = PMPI_Comm_create(from, self, &made);
  platform::regardless(PMPI_Group_free(&self));
  if (code != MPI_SUCCESS || made == MPI_COMM_NULL) return MPI_COMM_NULL;
  platform::must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
  return made;
}

}  // namespace

void make_own_comms() {
  Seed& from = seed();
  const std::lock_guard lock(from.guard);
  from.comm = create(MPI_COMM_SELF);
}

MPI_Comm own_comm() {
  Seed& from = seed();
  const std::lock_guard lock(from.guard);
  const AsProcess process;
  return from.comm == MPI_COMM_NULL ? MPI_COMM_NULL : create(from.comm);
}

MPI_Comm comm_to_ask() {
  Seed& all = seed();
  const std::lock_guard lock(all.guard);
  return all.comm;
}

MPI_Comm own_comm(MPI_Comm handler) {
  const MPI_Comm made = own_comm();
  if (made == MPI_COMM_NULL) return made;
  MPI_Errhandler errors = MPI_ERRHANDLER_NULL;
  platform::must("MPI_Comm_get_errhandler", PMPI_Comm_get_errhandler(handler, &errors));
  platform::must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(made, errors));
  platform::regardless(PMPI_Errhandler_free(&errors));
  return made;
}

void forget_own_comms() {
  Seed& from = seed();
  const std::lock_guard lock(from.guard);
  if (from.comm != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&from.comm));
}

}  // namespace raddle::endpoints
