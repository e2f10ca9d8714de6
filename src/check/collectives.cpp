// SPDX-License-Identifier: BSD-3-Clause
#include "check/collectives.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/call.hpp"
#include "check/findings.hpp"
#include "check/names.hpp"
#include "check/site.hpp"

namespace raddle::check {
namespace {

constexpr std::size_t most_kept = 64;         ///< calls of a communicator that are told one by one
constexpr std::size_t most_finished = 1'024;  ///< communicators that are told though they were freed

struct One {
  Site site;
  int root;
};

struct Communicator {
  std::uint64_t key = 0;  ///< the same in all its processes; 0: not known
  int size = 0;
  bool ordered = true;
  std::uint64_t calls = 0;
  std::uint64_t hash = 0;
  std::vector<One> first;
  Site made;  ///< thread -1: the MPI's own
};

auto& all = *new std::unordered_map<std::uint64_t, Communicator>;
auto& finished = *new std::vector<Communicator>;

std::uint64_t mix(std::uint64_t hash, std::uint64_t with) {
  hash = (hash ^ (with + 0x9E3779B97F4A7C15ULL)) * 0xBF58476D1CE4E5B9ULL;  // not 0 where both are 1
  return hash ^ (hash >> 31U);
}

/// Functions for large counts match the others.
std::string_view name_of(std::uint32_t function) {
  std::string_view name = profile::names[function];
  if (name.ends_with("_c")) name.remove_suffix(2);
  return name;
}

std::uint64_t of_name(std::uint32_t function) {
  std::uint64_t hash = 1;
  for (const char each : name_of(function)) hash = mix(hash, static_cast<unsigned char>(each));
  return hash;
}

/// The rank in MPI_COMM_WORLD of a communicator's first process; -1: nobody knows.
int first_of(MPI_Comm communicator) {
  int between = 1;
  if (profile::mpi.comm_test_inter(communicator, &between) != MPI_SUCCESS || between != 0) return -1;
  MPI_Group mine = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  int rank = 0;
  int in_world = -1;
  if (profile::mpi.comm_group(communicator, &mine) != MPI_SUCCESS) return -1;
  if (profile::mpi.comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
    if (profile::mpi.group_translate_ranks(mine, 1, &rank, world, &in_world) != MPI_SUCCESS) in_world = -1;
    profile::mpi.group_free(&world);
  }
  profile::mpi.group_free(&mine);
  return in_world;
}

}  // namespace

void first_communicator() {
  int size = 0;
  profile::mpi.comm_size(MPI_COMM_WORLD, &size);
  const std::lock_guard alone(lock());
  Communicator& world = all[bits(MPI_COMM_WORLD)];
  world.key = 1;
  world.size = size;
}

void Call::collective(int root) {
  if (thread_ == nullptr || communicator_ == bits(MPI_COMM_SELF)) return;
  const std::lock_guard alone(lock());
  thread_->collective = true;
  bool at_once = false;
  for (const Thread* const other : threads()) {
    if (!other->inside || !other->collective || other == thread_ || other->communicator != communicator_) continue;
    at_once = true;
    found({.rule = "collectives-at-once", .site = site_, .other = other->site});
  }
  const auto known = all.find(communicator_);
  if (known == all.end()) return;
  Communicator& of = known->second;
  if (at_once) of.ordered = false;
  if (of.key == 0 || !of.ordered) return;
  ordered_ = true;
  ++of.calls;
  of.hash = mix(mix(of.hash, of_name(site_.function)), static_cast<std::uint64_t>(root));
  if (of.first.size() < most_kept) of.first.push_back({site_, root});
  key_ = mix(of.key, of.calls);
}

void out_of_order(std::uint64_t communicator) {
  const std::lock_guard alone(lock());
  const auto known = all.find(communicator);
  if (known != all.end()) known->second.ordered = false;
}

void Call::made(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL) return;
  int size = 0;
  profile::mpi.comm_size(communicator, &size);
  const int first = key_ != 0 && process.main_thread >= 0 ? first_of(communicator) : -1;
  Communicator one;
  one.size = size;
  one.made = site_;
  if (first >= 0) one.key = mix(mix(key_, static_cast<std::uint64_t>(first) + 1), static_cast<std::uint64_t>(size));
  const std::lock_guard alone(lock());
  all[bits(communicator)] = std::move(one);
}

void forget_communicator(std::uint64_t handle) {
  if (!on.load(std::memory_order_relaxed)) return;
  const std::lock_guard alone(lock());
  const auto known = all.find(handle);
  if (known == all.end() || known->second.made.thread < 0) return;
  if (known->second.calls != 0 && finished.size() < most_finished) finished.push_back(std::move(known->second));
  all.erase(known);
}

namespace {

void tell(const Communicator& of) {
  if (of.key == 0 || of.size < 2 || !of.ordered) return;
  std::string line = R"({"record":"order","key":")" + std::to_string(of.key) + R"(","size":)" +
                     std::to_string(of.size) + R"(,"rank":)" + std::to_string(process.rank) + R"(,"calls":)" +
                     std::to_string(of.calls) + R"(,"hash":")" + std::to_string(of.hash) + R"(","first":[)";
  for (std::size_t i = 0; i < of.first.size(); ++i) {
    line += (i == 0 ? "{" : ",{") + told(of.first[i].site) + R"(,"root":)" + std::to_string(of.first[i].root) + "}";
  }
  write_line(line + "]}");
}

}  // namespace

void tell_order() {
  for (const Communicator& each : finished) tell(each);
  for (const auto& [handle, each] : all) tell(each);
}

void tell_left_communicators() {
  for (const auto& [handle, each] : all) {
    if (each.made.thread >= 0) found({.rule = "communicator-left", .site = each.made});
  }
}

}  // namespace raddle::check
