// SPDX-License-Identifier: BSD-3-Clause
// A handle may stand for several operations at once: MPIs give all that are complete at once the same one. Of such a
// handle nothing is said.
#include "check/requests.hpp"

#include <algorithm>
#include <unordered_map>

#include "check/call.hpp"
#include "check/findings.hpp"
#include "check/names.hpp"

namespace raddle::check {
namespace {

struct RequestRecord {
  std::uint64_t count = 0;  ///< of those that the handle stands for
  bool shared = false;      ///< it has stood for several since the last time that it stood for none
  Site site;
  MemoryAccess access;
};
auto& all = *new std::unordered_map<std::uint64_t, RequestRecord>;

/// What is known of a handle that stands for one operation; nullptr: it does not.
const RequestRecord* only_one(std::uint64_t handle) {
  const auto at = all.find(handle);
  return at != all.end() && at->second.count == 1 && !at->second.shared ? &at->second : nullptr;
}

bool clash(const MemoryAccess& one, const MemoryAccess& other) {
  return overlap(one, other) && (one.written || other.written);
}

void set_access(std::uint64_t handle, RequestRecord& of, const MemoryAccess& access) {
  of.access = access;
  in_use::set(handle, access);
}

/// Bytes of each element if they follow each other without gaps; 0: they do not.
std::uint64_t contiguous(MPI_Datatype datatype) {
  static const auto extent_of = RADDLE_MPI(MPI_Type_get_extent);
  static const auto true_extent_of = RADDLE_MPI(MPI_Type_get_true_extent);
  if (extent_of == nullptr || true_extent_of == nullptr || datatype == MPI_DATATYPE_NULL) return 0;
  int size = 0;
  MPI_Aint from = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_from = 0;
  MPI_Aint true_extent = 0;
  if (profile::mpi.type_size(datatype, &size) != MPI_SUCCESS || size <= 0) return 0;
  if (extent_of(datatype, &from, &extent) != MPI_SUCCESS) return 0;
  if (true_extent_of(datatype, &true_from, &true_extent) != MPI_SUCCESS) return 0;
  const bool is = from == 0 && true_from == 0 && extent == size && true_extent == size;
  return is ? static_cast<std::uint64_t>(size) : 0;
}

}  // namespace

template <typename Count>
void Call::buffer(const void* from, Count count, MPI_Datatype datatype, int peer, bool written) {
  if (thread_ == nullptr || from == MPI_BOTTOM || count <= 0 || peer == MPI_PROC_NULL) return;
  const std::uint64_t bytes = contiguous(datatype) * static_cast<std::uint64_t>(count);
  if (bytes == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  access_ = {begin, begin + bytes, written};
  const std::lock_guard alone(lock());
  for (const std::uint64_t handle : in_use::all(access_)) {
    const RequestRecord* const other = only_one(handle);
    if (other == nullptr || !clash(other->access, access_)) continue;
    found({.rule = "buffer-twice", .site = site_, .other = other->site});
    return;
  }
}

template void Call::buffer(const void*, int, MPI_Datatype, int, bool);
template void Call::buffer(const void*, MPI_Count, MPI_Datatype, int, bool);

void Call::starts(MPI_Request request) {
  if (request == MPI_REQUEST_NULL) return;
  const std::lock_guard alone(lock());
  RequestRecord& of = all[bits(request)];
  if (++of.count == 1) {
    of.site = site_;
    set_access(bits(request), of, access_);
    return;
  }
  of.shared = true;
  set_access(bits(request), of, {});
  if (of.site.caller != site_.caller) of.site.thread = -1;
}

Call::Requests Call::completes(int count, const MPI_Request* requests, bool waits) {
  Requests made;
  if (count <= 0 || requests == nullptr || !on.load(std::memory_order_relaxed)) return made;
  for (int i = 0; i < count; ++i) made.push_back(bits(requests[i]));
  if (thread_ == nullptr) return made;
  std::vector<std::uint64_t> those = made;
  std::erase(those, bits(MPI_REQUEST_NULL));
  std::sort(those.begin(), those.end());
  const std::lock_guard alone(lock());
  for (const Thread* const other : threads()) {
    if (!other->inside || other == thread_ || (!waits && !other->waits)) continue;
    for (const std::uint64_t each : other->requests) {
      if (!std::binary_search(those.begin(), those.end(), each) || only_one(each) == nullptr) continue;
      found({.rule = "request-twice", .site = site_, .other = other->site});
      break;
    }
  }
  thread_->requests = std::move(those);
  thread_->waits = waits;
  return made;
}

void Call::completed(const Requests& before, const MPI_Request* requests) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] != bits(MPI_REQUEST_NULL) && requests[i] == MPI_REQUEST_NULL) forget_request(before[i]);
  }
}

void Call::ended(int count, const MPI_Request* requests) {
  const std::lock_guard alone(lock());
  for (int i = 0; i < count; ++i) {
    const auto at = all.find(bits(requests[i]));
    if (at != all.end()) set_access(at->first, at->second, {});
  }
}

void forget_request(std::uint64_t handle) {
  const std::lock_guard alone(lock());
  const auto at = all.find(handle);
  if (at == all.end() || --at->second.count != 0) return;
  in_use::set(handle, {});
  all.erase(at);
}

void tell_freed(const MemoryAccess& memory, const Site& site) {
  const std::lock_guard alone(lock());
  if (process.phase != Phase::between) return;
  const auto handle = in_use::find(memory);
  const auto at = handle ? all.find(*handle) : all.end();
  if (at != all.end()) found({.rule = "buffer-freed", .site = site, .other = at->second.site});
}

void Call::frees(const void* memory) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  if (thread_ != nullptr && in_use::find({begin, begin + 1, true})) tell_freed({begin, begin + 1, true}, site_);
}

void tell_left_requests() {
  for (const auto& [handle, each] : all) {
    if (each.site.thread >= 0) found({.rule = "request-left", .site = each.site, .times = each.count});
  }
}

}  // namespace raddle::check
