// SPDX-License-Identifier: BSD-3-Clause
#include "lanes/pool.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "lanes/errors.hpp"
#include "lanes/hints.hpp"
#include "platform/making_own.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/settings.hpp"

namespace raddle::lanes {
namespace {

/// Guards keyvals, the pools' lists and the `idle` marks; never held while MPI waits for another process.
std::mutex guard;
int pool_key = MPI_KEYVAL_INVALID;
int lane_key = MPI_KEYVAL_INVALID;
int finalize_key = MPI_KEYVAL_INVALID;

void check(int code) {
  if (code != MPI_SUCCESS) throw Failure{code};
}

}  // namespace

Pool::Pool(MPI_Comm parent, std::vector<Pool*>& alive) : parent_(parent), alive_(&alive), agree_(MPI_COMM_NULL) {
  const platform::MakingOwn own;
  check(MPI_Comm_dup(parent, &agree_));
  MPI_Comm_set_errhandler(agree_, MPI_ERRORS_RETURN);
}

Pool::~Pool() {
  {
    const std::lock_guard lock(guard);  // a lane may be given back at this moment
    for (auto& lane : lanes_) {
      if (!lane->idle) lane.release()->pool = nullptr;  // still in use: its own Raddle_Lanes_free will end it
    }
  }
  for (auto& lane : lanes_) {
    if (lane) MPI_Comm_free(&lane->comm);
  }
  if (agree_ != MPI_COMM_NULL) MPI_Comm_free(&agree_);
}

int Pool::on_parent_free(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<Pool> pool(static_cast<Pool*>(attribute));
  const std::lock_guard lock(guard);
  std::erase(*pool->alive_, pool.get());
  return MPI_SUCCESS;
}

int Pool::on_finalize(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<std::vector<Pool*>> alive(static_cast<std::vector<Pool*>*>(attribute));
  // Order of creation is the same in all processes, so these collective frees match.
  const std::vector<Pool*> left = [&] {
    const std::lock_guard lock(guard);
    return *alive;
  }();
  for (const Pool* pool : left) MPI_Comm_delete_attr(pool->parent_, pool_key);
  return MPI_SUCCESS;
}

std::vector<Pool*>& Pool::ended_with_self() {
  const std::lock_guard lock(guard);
  void* found = nullptr;
  int flag = 0;
  check(MPI_Comm_get_attr(MPI_COMM_SELF, finalize_key, &found, &flag));
  if (flag != 0) return *static_cast<std::vector<Pool*>*>(found);
  auto made = std::make_unique<std::vector<Pool*>>();
  check(MPI_Comm_set_attr(MPI_COMM_SELF, finalize_key, made.get()));
  return *made.release();
}

Pool& Pool::of(MPI_Comm comm) {
  {
    const std::lock_guard lock(guard);
    if (pool_key == MPI_KEYVAL_INVALID) {
      check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_parent_free, &pool_key, nullptr));
      check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &lane_key, nullptr));
      check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &finalize_key, nullptr));
    }
  }
  void* found = nullptr;
  int flag = 0;
  check(MPI_Comm_get_attr(comm, pool_key, &found, &flag));
  if (flag != 0) return *static_cast<Pool*>(found);
  std::vector<Pool*>& alive = ended_with_self();
  std::unique_ptr<Pool> made(new Pool(comm, alive));
  check(MPI_Comm_set_attr(comm, pool_key, made.get()));
  const std::lock_guard lock(guard);
  alive.push_back(made.get());
  return *made.release();
}

std::vector<bool> Pool::idle_everywhere() {
  std::vector<unsigned char> idle(lanes_.size());
  {
    const std::lock_guard lock(guard);
    std::ranges::transform(lanes_, idle.begin(), [](const auto& lane) { return lane->idle ? 1 : 0; });
  }
  // Threads may have given lanes back in another order elsewhere: a lane is idle when it is so in every process.
  if (!idle.empty()) {
    check(MPI_Allreduce(MPI_IN_PLACE, idle.data(), static_cast<int>(idle.size()), MPI_UNSIGNED_CHAR, MPI_BAND, agree_));
  }
  return {idle.begin(), idle.end()};
}

Pool::Lane& Pool::make(MPI_Info info, int index, std::uint64_t hints) {
  MPI_Info mine = MPI_INFO_NULL;  // without Raddle's own keys, which are not those of a duplicate
  const auto& key = platform::quirks().lane_thread_key;
  if (key || info != MPI_INFO_NULL) check(MPI_Info_create(&mine));
  if (key) MPI_Info_set(mine, std::string(*key).c_str(), std::to_string(index).c_str());
  if (info != MPI_INFO_NULL) copy_info(info, mine);
  auto lane = std::make_unique<Lane>();
  const int code = MPI_Comm_dup_with_info(agree_, mine, &lane->comm);
  if (code == MPI_SUCCESS && key) MPI_Comm_set_info(lane->comm, mine);  // Intel MPI reads thread_id here
  if (mine != MPI_INFO_NULL) MPI_Info_free(&mine);
  check(code);
  lane->hints = hints;
  lane->pool = this;
  lanes_.push_back(std::move(lane));
  Lane& made = *lanes_.back();
  check(MPI_Comm_set_attr(made.comm, lane_key, &made));
  return made;
}

void Pool::discard(std::size_t first) {
  for (std::size_t i = first; i < lanes_.size(); ++i) MPI_Comm_free(&lanes_[i]->comm);
  lanes_.resize(first);
}

void Pool::take(int nlanes, MPI_Info info, bool reuse, MPI_Errhandler handler, MPI_Comm lanes[]) {
  // One reduction tells whether everybody asks for the same (minimum of n, -n, h, ~h), and settles what may differ:
  // whoever allows fewest lanes, or wants new ones, decides for all, since lanes are only made together.
  const std::uint64_t own = hash_info(info);
  std::array<std::int64_t, 6> seen{nlanes,
                                   -static_cast<std::int64_t>(nlanes),
                                   static_cast<std::int64_t>(own),
                                   ~static_cast<std::int64_t>(own),
                                   platform::settings().lanes_max,
                                   reuse ? 1 : 0};
  check(MPI_Allreduce(MPI_IN_PLACE, seen.data(), static_cast<int>(seen.size()), MPI_INT64_T, MPI_MIN, agree_));
  if (seen[0] != -seen[1]) throw Failure{error_code(Error::unequal_counts)};
  if (seen[0] < 0) throw Failure{error_code(Error::negative_count)};
  const bool by_position = platform::quirks().lane_thread_key.has_value();
  const std::uint64_t common = mix(static_cast<std::uint64_t>(seen[2]), static_cast<std::uint64_t>(seen[3]));

  const std::int64_t limit = seen[4];
  std::vector<bool> idle = seen[5] != 0 ? idle_everywhere() : std::vector<bool>(lanes_.size(), false);
  std::vector<Lane*> chosen;
  const std::size_t before = lanes_.size();
  int failed = MPI_SUCCESS;
  for (int i = 0; i < nlanes && failed == MPI_SUCCESS; ++i) {
    const std::uint64_t hints = by_position ? mix(common, static_cast<std::uint64_t>(i)) : common;
    Lane* lane = nullptr;
    for (std::size_t k = 0; k < before && lane == nullptr; ++k) {
      if (!idle[k] || lanes_[k]->hints != hints) continue;
      lane = lanes_[k].get();
      idle[k] = false;
    }
    if (lane == nullptr) {
      int code = MPI_SUCCESS;
      if (static_cast<std::int64_t>(lanes_.size()) >= limit) {
        code = error_code(Error::pool_limit);
      } else {
        try {
          lane = &make(info, i, hints);
        } catch (const Failure&) {
          code = error_code(Error::no_communicators);
        }
      }
      // The MPI may run out in one process before another: go on only together.
      int worst = code == MPI_SUCCESS ? 0 : 1;
      check(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, agree_));
      if (worst != 0) failed = code != MPI_SUCCESS ? code : error_code(Error::no_communicators);
    }
    chosen.push_back(lane);
  }
  if (failed != MPI_SUCCESS) {
    discard(before);
    throw Failure{failed};
  }
  for (int i = 0; i < nlanes; ++i) {
    Lane& lane = *chosen[static_cast<std::size_t>(i)];
    MPI_Comm_set_errhandler(lane.comm, handler);
    lanes[i] = lane.comm;
  }
  const std::lock_guard lock(guard);
  for (Lane* lane : chosen) lane->idle = false;
}

bool Pool::give_back(MPI_Comm comm) {
  void* found = nullptr;
  int flag = 0;
  if (lane_key == MPI_KEYVAL_INVALID || MPI_Comm_get_attr(comm, lane_key, &found, &flag) != MPI_SUCCESS || flag == 0)
    return false;
  auto* lane = static_cast<Lane*>(found);
  {
    const std::lock_guard lock(guard);
    if (lane->idle) return false;
    lane->idle = lane->pool != nullptr;
    if (lane->idle) return true;
  }
  const std::unique_ptr<Lane> orphan(lane);
  MPI_Comm_free(&orphan->comm);
  return true;
}

}  // namespace raddle::lanes
