// SPDX-License-Identifier: BSD-3-Clause
#include "profile/communicators.hpp"

#include <pthread.h>

#include <cstdio>
#include <cstring>

#include "profile/call.hpp"
#include "profile/locks.hpp"
#include "profile/memory.hpp"
#include "profile/next.hpp"
#include "profile/table.hpp"

namespace raddle::profile {

std::atomic<std::uint32_t> epoch{0};
std::atomic<std::uint32_t> types_epoch{0};

namespace {

/// Whether MPI_COMM_WORLD may be asked. A process may have sessions only, or keep them after MPI_Finalize.
bool has_world() { return process->state.load(std::memory_order_relaxed) == State::running && process->size > 0; }

/// Which handle stands for the communicator of that number now. Where threads are ranks MPI_COMM_WORLD is another one
/// for each of them: then `rank` is the rank, plus 1.
struct Known {
  std::uint64_t handle;
  std::int32_t rank;
  std::uint32_t alive;
  std::uint64_t made;   ///< the key before it was told from others that were made alike
  std::uint64_t owner;  ///< differs for ranks that are threads: each of them counts what it has made
};
Known known[most_communicators];

std::uint64_t mixed(std::uint64_t key, std::uint64_t with) { return spread(spread(key) + with) ^ (with << 7U); }

/// What it says about itself. One that is not ready yet (MPI_Comm_idup) or none at all says nothing.
void ask(CommunicatorArea& about, MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL || process->state.load(std::memory_order_relaxed) == State::finalized) return;
  int inter = 0;
  if (mpi.comm_rank(communicator, &about.rank) != MPI_SUCCESS) about.rank = -1;
  if (mpi.comm_size(communicator, &about.size) != MPI_SUCCESS) about.size = 0;
  if (mpi.comm_test_inter(communicator, &inter) == MPI_SUCCESS && inter != 0) {
    about.inter = 1;
    about.matches = 0;
  }
  char name[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  if (mpi.comm_get_name(communicator, name, &length) == MPI_SUCCESS) {
    std::snprintf(about.name, sizeof about.name, "%.*s", static_cast<int>(sizeof about.name) - 1, name);
  }
}

/// @returns its number, plus 1; 0: there is no more room
std::uint32_t add(std::uint64_t handle, std::int32_t rank, std::uint64_t key, std::uint64_t owner,
                  MPI_Comm communicator, bool endpoint, bool matches) {
  const std::uint32_t at = process->communicators.load(std::memory_order_relaxed);
  if (at >= most_communicators) return 0;
  CommunicatorArea& area = communicator_of(*process, at);
  if (!there(&area, sizeof area - sizeof area.log.entry)) return 0;
  std::uint64_t alike = 0;
  for (std::uint32_t i = 0; i < at; ++i) alike += known[i].made == key && known[i].owner == owner ? 1 : 0;
  known[at] = {handle, rank, 1, key, owner};
  area.matches = matches ? 1 : 0;
  area.endpoint = endpoint ? 1 : 0;
  ask(area, communicator);
  area.key = mixed(key, alike) | 1U;
  process->communicators.store(at + 1, std::memory_order_release);
  return at + 1;
}

std::uint32_t find(std::uint64_t handle, std::int32_t rank) {
  for (std::uint32_t i = process->communicators.load(std::memory_order_relaxed); i-- > 0;) {
    if (known[i].alive != 0 && known[i].handle == handle && known[i].rank == rank) return i + 1;
  }
  return 0;
}

/// Which rank the calling thread is, plus 1, where it is one of its own; 0: it is the process.
std::int32_t adopted() {
  if (!has_world()) return 0;
  int rank = 0;
  int size = 0;
  if (mpi.comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || mpi.comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS) {
    return 0;
  }
  return rank == process->rank && size == process->size ? 0 : rank + 1;
}

/// A number that is the same for all members of a communicator and differs between those that one call makes. 0: no
/// group of it can be asked.
std::uint64_t first_member(MPI_Comm communicator) {
  MPI_Group members = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  int first = 0;
  int in_world = MPI_UNDEFINED;
  if (!has_world()) return 0;
  if (mpi.comm_group(communicator, &members) != MPI_SUCCESS) return 0;
  if (mpi.comm_group(MPI_COMM_WORLD, &all) == MPI_SUCCESS) {
    if (mpi.group_translate_ranks(members, 1, &first, all, &in_world) != MPI_SUCCESS) in_world = MPI_UNDEFINED;
    mpi.group_free(&all);
  }
  mpi.group_free(&members);
  return in_world < 0 ? 0 : static_cast<std::uint64_t>(in_world) + 1;
}

constexpr std::uint64_t world_key = 0x776f726c64;
constexpr std::uint64_t self_key = 0x73656c66;

/// Of the world that a thread sees, or of itself alone.
std::uint32_t add_world(bool self, std::int32_t rank) {
  const auto own = static_cast<std::uint64_t>(rank > 0 ? rank - 1 : process->rank);
  const std::uint64_t key = self ? mixed(self_key + (rank > 0 ? 1 : 0), own) : world_key + (rank > 0 ? 1 : 0);
  const MPI_Comm communicator = self ? MPI_COMM_SELF : MPI_COMM_WORLD;
  const auto owner = static_cast<std::uint64_t>(rank);
  const std::uint32_t made = add(bits(communicator), rank, key, owner, communicator, rank > 0, true);
  return made;
}

}  // namespace

void first_communicators(bool world) {
  std::memset(known, 0, sizeof known);
  epoch.fetch_add(1, std::memory_order_relaxed);
  if (!world) return;
  add_world(false, 0);
  add_world(true, 0);
}

std::uint32_t number_of(Local& local, std::uint64_t handle) {
  const bool world = handle == bits(MPI_COMM_WORLD);
  const bool self = handle == bits(MPI_COMM_SELF);
  if (handle == no_communicator || handle == bits(MPI_COMM_NULL)) return 0;
  std::int32_t rank = 0;
  if (world || self) {
    rank = adopted();
    if (rank > 0) local.area->rank = rank;
  }
  const Alone alone;
  std::uint32_t number = find(handle, rank);
  if (number == 0 && (world || self)) number = add_world(self, rank);
  if (number == 0) {
    MPI_Comm communicator = MPI_COMM_NULL;
    std::memcpy(&communicator, &handle, sizeof communicator);  // NOLINT(bugprone-sizeof-expression): of some MPIs
    // Of a call that is not known to make some: nobody can say which it is elsewhere.
    number = add(handle, 0, mixed(static_cast<std::uint64_t>(process->pid), now()), 0, communicator, false, false);
  }
  if (number != 0) {
    const CommunicatorArea& area = communicator_of(*process, number - 1);
    if (area.endpoint != 0 && local.area->rank == 0) local.area->rank = area.rank + 1;
  }
  return number;
}

void forget_communicator(std::uint64_t handle) {
  if (process == nullptr) return;
  epoch.fetch_add(1, std::memory_order_relaxed);
  const Alone alone;
  for (std::uint32_t i = process->communicators.load(std::memory_order_relaxed); i-- > 0;) {
    if (known[i].handle == handle) known[i].alive = 0;
  }
}

void forget_types() { types_epoch.fetch_add(1, std::memory_order_relaxed); }

void rename_communicator(Local& local, std::uint64_t handle, const char* name) {
  const std::uint32_t number = number_of(local, handle);
  if (number == 0 || name == nullptr) return;
  CommunicatorArea& area = communicator_of(*process, number - 1);
  std::snprintf(area.name, sizeof area.name, "%.*s", static_cast<int>(sizeof area.name) - 1, name);
}

void made_communicator(std::uint32_t parent, std::uint32_t function, std::int64_t colour, MPI_Comm communicator,
                       Made how) {
  if (communicator == MPI_COMM_NULL) return;
  const CommunicatorArea& of = communicator_of(*process, parent);
  std::uint64_t key = mixed(mixed(mixed(of.key, 11), function), static_cast<std::uint64_t>(colour));
  if (how == Made::whole) key = mixed(key, first_member(communicator));
  const bool matches = how != Made::unknown && of.matches != 0;
  if (!matches) key = mixed(key, static_cast<std::uint64_t>(process->pid));
  const Alone alone;
  const MPI_Comm now = how == Made::later ? MPI_COMM_NULL : communicator;
  std::uint64_t owner = known[parent].owner;
  if (how == Made::endpoint) owner = mixed(owner, bits(communicator));  // each handle is a rank of its own
  const std::uint32_t made = add(bits(communicator), 0, key, owner, now, how == Made::endpoint, matches);
  if (made != 0 && how == Made::later) {
    CommunicatorArea& area = communicator_of(*process, made - 1);
    area.rank = of.rank;
    area.size = of.size;
  }
}

void find_row(Local& local, Local::CachedRow& near, std::uint64_t communicator, std::uint32_t function) {
  ThreadArea& area = *local.area;
  const std::uint32_t place = number_of(local, communicator);
  const bool lost = place == 0 && communicator != no_communicator && communicator != bits(MPI_COMM_NULL);
  const std::uint64_t key = static_cast<std::uint64_t>(place) << 32U | (function + 1);
  Row* row = nullptr;
  for (std::uint32_t i = 0; i < area.rows_used && !lost; ++i) {
    if (area.row[i].key == key) row = &area.row[i];
  }
  if (row == nullptr && !lost && area.rows_used < most_rows && there(&area.row[area.rows_used], sizeof(Row))) {
    row = &area.row[area.rows_used];
    row->key = key;
    ++area.rows_used;
  }
  // What is counted in the spare one is lost: its number of calls is that of calls lost.
  near = {communicator, row != nullptr ? row : &area.spare, function, place};
}

void Call::made(MPI_Comm communicator, std::int64_t colour, Made how) {
  if (place_ != 0) made_communicator(place_ - 1, function_, colour, communicator, how);
}

void Call::renamed(std::uint64_t handle, const char* name) { rename_communicator(*local_, handle, name); }

std::uint64_t Call::collectives() const { return place_ == 0 ? 0 : communicator_of(*process, place_ - 1).collectives; }

void Call::collective(int root) {
  if (place_ == 0) return;
  CommunicatorArea& area = communicator_of(*process, place_ - 1);
  const std::uint64_t number = area.collectives++;  // one after the other: MPI allows no two at once
  if (!area.log.takes(number) || area.matches == 0 || area.size < 2) return;
  if (area.log.used == 0 && !there(&area.log, sizeof area.log)) area.log.closed = 1;
  area.log.add({number, began_, ended_, root, static_cast<std::uint16_t>(function_), local_->number});
}

void Call::collective_later() {
  if (place_ != 0) ++communicator_of(*process, place_ - 1).collectives;
}

}  // namespace raddle::profile
