// SPDX-License-Identifier: BSD-3-Clause
#include "lanes/lane_pool.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/errors.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"
#include "platform/own_copy.hpp"
#include "platform/settings.hpp"

namespace raddle::lanes {
namespace {

using platform::check;
using platform::Failure;
using platform::must;
using platform::regardless;

struct ErrorText {
  Error error;
  int mpi_class;  ///< MPI_ERR_LASTCODE stands for lanes_class(), which exists only at run time
  const char* text;
};

const std::array error_texts{
    ErrorText{
        Error::no_communicators, MPI_ERR_LASTCODE,
        "Raddle: the MPI has no communicators left for more lanes; free lanes or communicators, or ask for fewer"},
    ErrorText{Error::pool_limit, MPI_ERR_LASTCODE,
              "Raddle: more lanes asked for than RADDLE_LANES_MAX allows on one communicator"},
    ErrorText{Error::unequal_counts, MPI_ERR_ARG,
              "Raddle: nlanes differs between processes; it must be the same on all of them"},
    ErrorText{Error::negative_count, MPI_ERR_ARG, "Raddle: nlanes is negative"},
};

}  // namespace

int lanes_class() {
  static const int made = platform::add_error_class("Raddle: lanes could not be provided");
  return made;
}

int error_code(Error error) {
  const ErrorText& found = *std::ranges::find(error_texts, error, &ErrorText::error);
  return platform::error_with(found.mpi_class == MPI_ERR_LASTCODE ? lanes_class() : found.mpi_class, found.text);
}

namespace {

// The hints that lanes are made with, as values to compare.

template <typename Visit>
void each_key(MPI_Info info, Visit&& visit) {
  if (info == MPI_INFO_NULL) return;
  int count = 0;
  check(MPI_Info_get_nkeys(info, &count));
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    check(MPI_Info_get_nthkey(info, i, key.data()));
    if (std::string(key.data()).starts_with("raddle_")) continue;
    int length = 0;
    int found = 0;
    check(MPI_Info_get_valuelen(info, key.data(), &length, &found));
    if (found == 0) continue;
    std::vector<char> value(static_cast<std::size_t>(length) + 1);
    check(MPI_Info_get(info, key.data(), length, value.data(), &found));
    visit(std::string(key.data()), std::string(value.data()));
  }
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a ^ (b + 0x9e3779b97f4a7c15U + (a << 6U) + (a >> 2U));
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Equal for infos with the same keys and values, raddle_ keys left out. @throws platform::Failure
std::uint64_t hash_info(MPI_Info info) {
  std::map<std::string, std::string> sorted;  // MPI does not promise an order of keys
  each_key(info, [&](std::string key, std::string value) { sorted.emplace(std::move(key), std::move(value)); });
  std::uint64_t hash = 0;
  for (const auto& [key, value] : sorted)
    hash = mix(mix(hash, std::hash<std::string>{}(key)), std::hash<std::string>{}(value));
  return hash;
}

/// Copies all keys but raddle_ ones; keys already in `to` are replaced. @throws platform::Failure
void copy_info(MPI_Info from, MPI_Info to) {
  each_key(from, [&](const std::string& key, const std::string& value) {
    check(MPI_Info_set(to, key.c_str(), value.c_str()));
  });
}

/// Guards keyvals, the pools' lists and the `idle` marks; never held while MPI waits for another process.
std::mutex guard;
int pool_key = MPI_KEYVAL_INVALID;
int lane_key = MPI_KEYVAL_INVALID;
int finalize_key = MPI_KEYVAL_INVALID;

}  // namespace

/// The hints of lanes: what the program has asked for, without Raddle's own keys, and what tells each from the others.
class LaneHints {
 public:
  explicit LaneHints(MPI_Info asked) : key_(platform::quirks().lane_thread_key.value_or("")) {
    if (key_.empty() && asked == MPI_INFO_NULL) return;
    check(MPI_Info_create(&info_));
    if (asked != MPI_INFO_NULL) copy_info(asked, info_);
  }
  LaneHints(const LaneHints&) = delete;
  LaneHints& operator=(const LaneHints&) = delete;
  ~LaneHints() {
    if (info_ != MPI_INFO_NULL) regardless(MPI_Info_free(&info_));
  }
  /// Those of the lane at this place.
  [[nodiscard]] MPI_Info of(int index) {
    if (!key_.empty()) must("MPI_Info_set", MPI_Info_set(info_, key_.c_str(), std::to_string(index).c_str()));
    return info_;
  }

 private:
  std::string key_;
  MPI_Info info_ = MPI_INFO_NULL;
};

LanePool::LanePool(MPI_Comm parent, std::vector<LanePool*>& alive)
    : parent_(parent), alive_(&alive), agree_(MPI_COMM_NULL) {
  const platform::MakingOwn own;
  check(MPI_Comm_dup(parent, &agree_));
  must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(agree_, MPI_ERRORS_RETURN));
}

LanePool::~LanePool() {
  {
    const std::lock_guard lock(guard);  // a lane may be given back at this moment
    for (auto& lane : lanes_) {
      if (!lane->idle) lane.release()->pool = nullptr;  // still in use: its own Raddle_Lanes_free will end it
    }
  }
  for (auto& lane : lanes_) {
    if (lane) regardless(MPI_Comm_free(&lane->comm));
  }
  if (agree_ != MPI_COMM_NULL) regardless(MPI_Comm_free(&agree_));
}

int LanePool::on_parent_free(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<LanePool> pool(static_cast<LanePool*>(attribute));
  const std::lock_guard lock(guard);
  std::erase(*pool->alive_, pool.get());
  return MPI_SUCCESS;
}

int LanePool::on_finalize(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<std::vector<LanePool*>> alive(static_cast<std::vector<LanePool*>*>(attribute));
  // Order of creation is the same in all processes, so these collective frees match. Each may end others: an MPI makes
  // progress meanwhile, and with it frees communicators that had waited for their messages.
  while (true) {
    MPI_Comm next = MPI_COMM_NULL;
    {
      const std::lock_guard lock(guard);
      if (alive->empty()) return MPI_SUCCESS;
      next = alive->front()->parent_;
    }
    must("MPI_Comm_delete_attr", MPI_Comm_delete_attr(next, pool_key));  // ends it
  }
}

std::vector<LanePool*>& LanePool::ended_with_self() {
  const std::lock_guard lock(guard);
  void* found = nullptr;
  int flag = 0;
  check(MPI_Comm_get_attr(MPI_COMM_SELF, finalize_key, &found, &flag));
  if (flag != 0) return *static_cast<std::vector<LanePool*>*>(found);
  auto made = std::make_unique<std::vector<LanePool*>>();
  check(MPI_Comm_set_attr(MPI_COMM_SELF, finalize_key, made.get()));
  return *made.release();
}

LanePool& LanePool::of(MPI_Comm comm) {
  {
    const std::lock_guard lock(guard);
    // Each by itself: one may have failed before.
    const auto make = [](int& key, MPI_Comm_delete_attr_function* forget) {
      if (key == MPI_KEYVAL_INVALID) check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, nullptr));
    };
    make(pool_key, on_parent_free);
    make(lane_key, MPI_COMM_NULL_DELETE_FN);
    make(finalize_key, on_finalize);
  }
  void* found = nullptr;
  int flag = 0;
  check(MPI_Comm_get_attr(comm, pool_key, &found, &flag));
  if (flag != 0) return *static_cast<LanePool*>(found);
  std::vector<LanePool*>& alive = ended_with_self();
  std::unique_ptr<LanePool> made(new LanePool(comm, alive));
  {
    const std::lock_guard lock(guard);
    platform::relied_on("Raddle_Lanes_create", [&] { alive.push_back(made.get()); });
  }
  must("MPI_Comm_set_attr", MPI_Comm_set_attr(comm, pool_key, made.get()));
  return *made.release();
}

LanePool::Reservation LanePool::reserve_for(int nlanes) {
  const auto most = static_cast<std::size_t>(std::clamp(nlanes, 0, std::max(platform::settings().lanes_max, 0)));
  Reservation reserved;
  reserved.idle.resize(lanes_.size());
  reserved.fresh.reserve(most);
  while (reserved.fresh.size() < most) reserved.fresh.push_back(std::make_unique<Lane>());
  reserved.chosen.reserve(lanes_.size() + most);
  lanes_.reserve(lanes_.size() + most);
  return reserved;
}

void LanePool::find_idle_everywhere(std::vector<unsigned char>& idle) {
  {
    const std::lock_guard lock(guard);
    std::ranges::transform(lanes_, idle.begin(), [](const auto& lane) { return lane->idle ? 1 : 0; });
  }
  // Threads may have given lanes back in another order elsewhere: a lane is idle when it is so in every process.
  if (idle.empty()) return;
  check(MPI_Allreduce(MPI_IN_PLACE, idle.data(), static_cast<int>(idle.size()), MPI_UNSIGNED_CHAR, MPI_BAND, agree_));
}

int LanePool::make(Lane& lane, MPI_Info info) const {
  int code = MPI_Comm_dup_with_info(agree_, info, &lane.comm);
  if (platform::class_of(code) == MPI_ERR_NO_MEM) throw Failure(code);  // of this process alone
  if (code != MPI_SUCCESS) return code;
  // Intel MPI reads thread_id here.
  if (platform::quirks().lane_thread_key) code = MPI_Comm_set_info(lane.comm, info);
  if (code == MPI_SUCCESS) code = MPI_Comm_set_attr(lane.comm, lane_key, &lane);
  if (code != MPI_SUCCESS) regardless(MPI_Comm_free(&lane.comm));
  return code;
}

void LanePool::discard(std::size_t first) {
  for (std::size_t i = first; i < lanes_.size(); ++i) {
    if (lanes_[i]->comm != MPI_COMM_NULL) regardless(MPI_Comm_free(&lanes_[i]->comm));
  }
  lanes_.resize(first);
}

void LanePool::choose(const Agreed& agreed, LaneHints& hints, Reservation& reserved) {
  const bool by_position = platform::quirks().lane_thread_key.has_value();
  if (agreed.reuse) find_idle_everywhere(reserved.idle);
  const std::size_t before = lanes_.size();
  std::optional<Error> failed;
  for (int i = 0; i < agreed.count && !failed; ++i) {
    const std::uint64_t hash = by_position ? mix(agreed.hints, static_cast<std::uint64_t>(i)) : agreed.hints;
    Lane* lane = nullptr;
    for (std::size_t k = 0; k < before && lane == nullptr; ++k) {
      if (reserved.idle[k] == 0 || lanes_[k]->hints != hash) continue;
      lane = lanes_[k].get();
      reserved.idle[k] = 0;
    }
    if (lane == nullptr) {
      if (static_cast<std::int64_t>(lanes_.size()) >= agreed.limit) {
        failed = Error::pool_limit;
      } else {
        lane = lanes_.emplace_back(std::move(reserved.fresh[lanes_.size() - before])).get();
        lane->hints = hash;
        lane->pool = this;
        if (make(*lane, hints.of(i)) != MPI_SUCCESS) failed = Error::no_communicators;
      }
      // The MPI may run out in one process before another: go on only together.
      int worst = failed ? 1 : 0;
      check(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, agree_));
      if (worst != 0 && !failed) failed = Error::no_communicators;
    }
    reserved.chosen.push_back(lane);
  }
  if (failed) {
    discard(before);
    throw Failure(error_code(*failed));
  }
}

void LanePool::take(int nlanes, MPI_Info info, bool reuse, MPI_Errhandler handler, MPI_Comm lanes[]) {
  const std::uint64_t own = hash_info(info);
  LaneHints asked(info);
  Reservation reserved = reserve_for(nlanes);
  // One reduction tells whether everybody asks for the same (minimum of n, -n, h, ~h), and settles what may differ:
  // whoever allows fewest lanes, or wants new ones, decides for all, since lanes are only made together.
  std::array<std::int64_t, 6> seen{nlanes,
                                   -static_cast<std::int64_t>(nlanes),
                                   static_cast<std::int64_t>(own),
                                   ~static_cast<std::int64_t>(own),
                                   platform::settings().lanes_max,
                                   reuse ? 1 : 0};
  check(MPI_Allreduce(MPI_IN_PLACE, seen.data(), static_cast<int>(seen.size()), MPI_INT64_T, MPI_MIN, agree_));
  if (seen[0] != -seen[1]) throw Failure(error_code(Error::unequal_counts));
  if (seen[0] < 0) throw Failure(error_code(Error::negative_count));
  const Agreed agreed{.count = nlanes,
                      .hints = mix(static_cast<std::uint64_t>(seen[2]), static_cast<std::uint64_t>(seen[3])),
                      .limit = seen[4],
                      .reuse = seen[5] != 0};
  // From here on the others count on this process.
  platform::relied_on("Raddle_Lanes_create", [&] { choose(agreed, asked, reserved); });
  for (int i = 0; i < nlanes; ++i) {
    const Lane& lane = *reserved.chosen[static_cast<std::size_t>(i)];
    must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(lane.comm, handler));
    lanes[i] = lane.comm;
  }
  const std::lock_guard lock(guard);
  for (Lane* lane : reserved.chosen) lane->idle = false;
}

int LanePool::give_back(MPI_Comm comm) {
  void* found = nullptr;
  int flag = 0;
  if (lane_key == MPI_KEYVAL_INVALID) return MPI_ERR_COMM;
  check(MPI_Comm_get_attr(comm, lane_key, &found, &flag));
  if (flag == 0) return MPI_ERR_COMM;
  auto* lane = static_cast<Lane*>(found);
  {
    const std::lock_guard lock(guard);
    if (lane->idle) return MPI_ERR_COMM;
    lane->idle = lane->pool != nullptr;
    if (lane->idle) return MPI_SUCCESS;
  }
  const std::unique_ptr<Lane> orphan(lane);
  return MPI_Comm_free(&orphan->comm);
}

}  // namespace raddle::lanes
