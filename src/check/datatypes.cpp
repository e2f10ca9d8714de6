// SPDX-License-Identifier: BSD-3-Clause
#include <unordered_map>

#include "check/call.hpp"
#include "check/findings.hpp"
#include "check/requests.hpp"

namespace raddle::check {
namespace {

struct Datatype {
  std::uint64_t count = 0;
  Site site;
};
auto& all = *new std::unordered_map<std::uint64_t, Datatype>;

}  // namespace

void Call::made_datatype(MPI_Datatype datatype) {
  if (datatype == MPI_DATATYPE_NULL) return;
  const std::lock_guard alone(lock());
  Datatype& one = all[bits(datatype)];
  if (++one.count == 1) one.site = site_;
}

void forget_datatype(std::uint64_t handle) {
  if (!on.load(std::memory_order_relaxed)) return;
  const std::lock_guard alone(lock());
  const auto at = all.find(handle);
  if (at != all.end() && --at->second.count == 0) all.erase(at);
}

void tell_left_datatypes() {
  for (const auto& [handle, each] : all) found({.rule = "datatype-left", .site = each.site, .times = each.count});
}

}  // namespace raddle::check
