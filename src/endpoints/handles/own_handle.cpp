// SPDX-License-Identifier: BSD-3-Clause

#include "endpoints/handles/own_handle.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "endpoints/handles/late_numbers.hpp"
#include "endpoints/rank.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints::late {

namespace {

/// Where handles are no numbers there are none of these.
template <typename Handle>
unsigned bits_of(Handle handle) {
  if constexpr (possible)
    return static_cast<unsigned>(handle);
  else
    return 0;
}
template <typename Handle = MPI_Comm>
Handle handle_with(unsigned bits) {
  if constexpr (possible)
    return static_cast<Handle>(bits);
  else
    return MPI_COMM_NULL;
}

/// Handles that have been made of each other share it.
class Handler {
 public:
  /// Of a communicator that the MPI knows.
  explicit Handler(MPI_Comm comm) {
    platform::must("MPI_Comm_get_errhandler", PMPI_Comm_get_errhandler(comm, &handler_));
  }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  ~Handler() { platform::regardless(PMPI_Errhandler_free(&handler_)); }
  void set(MPI_Comm comm) const { platform::must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(comm, handler_)); }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

struct LateHandle {
  MPI_Comm real = MPI_COMM_NULL;
  std::shared_ptr<const Handler> handler;  ///< until there is a communicator, which has it then
  bool keeps = false;
};

struct LateHandles {
  std::mutex guard;
  std::deque<LateHandle> all;  ///< by number, from 1 on
  Numbers numbers;
  std::map<MPI_Comm, MPI_Comm> handles;  ///< by what is behind them
  MPI_Comm reserve = MPI_COMM_NULL;      ///< for errors when the MPI has no communicators left
};

LateHandles& late_handles() {
  static auto& lasting = *new LateHandles;  // calls may come after the destructors of a program
  return lasting;
}

/// @pre the guard is held. nullptr: no handle that has been given out
LateHandle* entry_of(LateHandles& of, MPI_Comm handle) {
  const auto number = static_cast<std::size_t>(bits_of(handle) & number_bits);
  return is(handle) && number <= of.all.size() ? &of.all[number - 1] : nullptr;
}

MPI_Comm give_out(LateHandles& of, LateHandle&& entry) {
  const unsigned number = of.numbers.take();
  if (number > of.all.size()) of.all.resize(number);
  of.all[number - 1] = std::move(entry);
  return handle_with(kind_bits | number);
}

std::shared_ptr<const Handler> handler_of(LateHandles& of, MPI_Comm comm) {
  const LateHandle* const entry = entry_of(of, comm);
  if (entry == nullptr) return std::make_shared<const Handler>(comm);
  return entry->real == MPI_COMM_NULL ? entry->handler : std::make_shared<const Handler>(entry->real);
}

}  // namespace

MPI_Comm make(MPI_Comm like) {
  LateHandles& all = late_handles();
  const std::lock_guard lock(all.guard);
  if (all.reserve == MPI_COMM_NULL) all.reserve = own_comm();
  return give_out(all, {MPI_COMM_NULL, handler_of(all, like), false});
}

MPI_Comm put_before(MPI_Comm real) {
  LateHandles& all = late_handles();
  const std::lock_guard lock(all.guard);
  return all.handles[real] = give_out(all, {real, nullptr, true});
}

MPI_Comm real(MPI_Comm handle, bool keeps) {
  if (!is(handle)) return handle;
  LateHandles& all = late_handles();
  const std::lock_guard lock(all.guard);
  LateHandle* const entry = entry_of(all, handle);
  if (entry == nullptr || (entry->real == MPI_COMM_NULL && entry->handler == nullptr)) return handle;
  if (entry->real == MPI_COMM_NULL) {
    const MPI_Comm made = own_comm();
    if (made == MPI_COMM_NULL) return made;
    std::exchange(entry->handler, nullptr)->set(made);
    all.handles[entry->real = made] = handle;
  }
  entry->keeps = entry->keeps || keeps;
  return entry->real;
}

MPI_Comm to_raise_on(MPI_Comm handle) {
  if (const MPI_Comm made = real(handle); made != MPI_COMM_NULL) return made;
  LateHandles& all = late_handles();
  const std::lock_guard lock(all.guard);
  if (all.reserve == MPI_COMM_NULL) return MPI_COMM_SELF;
  handler_of(all, handle)->set(all.reserve);
  all.handles[all.reserve] = handle;
  return all.reserve;
}

bool keeps(MPI_Comm handle) {
  LateHandles& all = late_handles();
  const std::lock_guard lock(all.guard);
  const LateHandle* const entry = entry_of(all, handle);
  return entry == nullptr || entry->keeps;
}

MPI_Comm handle_of(MPI_Comm real) {
  LateHandles& all = late_handles();
  const std::lock_guard lock(all.guard);
  const auto found = all.handles.find(real);
  return found == all.handles.end() ? real : found->second;
}

MPI_Comm behind(MPI_Comm handle) {
  if (!is(handle)) return handle;
  LateHandles& all = late_handles();
  const std::lock_guard lock(all.guard);
  const LateHandle* const entry = entry_of(all, handle);
  return entry == nullptr ? MPI_COMM_NULL : entry->real;
}

void give_back(MPI_Comm handle) {
  LateHandles& all = late_handles();
  const std::lock_guard lock(all.guard);
  LateHandle* const entry = entry_of(all, handle);
  if (entry == nullptr) return;
  all.handles.erase(entry->real);
  *entry = {};
  all.numbers.give_back(bits_of(handle) & number_bits);
}

void forget_reserve() {
  LateHandles& all = late_handles();
  const std::lock_guard lock(all.guard);
  if (all.reserve == MPI_COMM_NULL) return;
  all.handles.erase(all.reserve);
  platform::regardless(PMPI_Comm_free(&all.reserve));
}

}  // namespace raddle::endpoints::late

namespace raddle::endpoints {

MPI_Comm own_handle(MPI_Comm like) {
  return late::possible && platform::quirks().scarce_communicators ? late::make(like) : own_comm(like);
}

OwnHandles::OwnHandles(MPI_Comm like, int count) : handles_(static_cast<std::size_t>(count), MPI_COMM_NULL) {
  try {
    for (MPI_Comm& handle : handles_) {
      handle = own_handle(like);
      if (handle != MPI_COMM_NULL) continue;
      give_back();
      return;
    }
  } catch (...) {
    give_back();
    throw;
  }
}

void OwnHandles::give_back() {
  for (MPI_Comm& handle : handles_) {
    if (handle != MPI_COMM_NULL) free_own_handle(handle);
  }
  handles_.clear();
}

void free_own_handle(MPI_Comm& handle) {
  MPI_Comm real = late::behind(handle);
  if (real != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&real));
  late::give_back(std::exchange(handle, MPI_COMM_NULL));
}

}  // namespace raddle::endpoints

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
