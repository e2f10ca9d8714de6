// SPDX-License-Identifier: BSD-3-Clause
#include "profile/call.hpp"

#include <algorithm>
#include <bit>

#include "profile/communicators.hpp"
#include "profile/next.hpp"
#include "profile/threads.hpp"
#include "profile/trace.hpp"

namespace raddle::profile {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

/// On average one of so many calls is looked at closely. Which one, chance says: a loop of the program has a period,
/// too.
constexpr std::uint32_t sampled_each = 64;

std::uint32_t chance(Local& local) {
  // It looks at all threads, so with more of them it has to come more rarely.
  const std::uint32_t each = sampled_each * (1 + process->threads.load(relaxed) / 16);
  local.random ^= local.random << 13U;
  local.random ^= local.random >> 7U;
  local.random ^= local.random << 17U;
  return 1 + static_cast<std::uint32_t>(local.random % (2 * each - 1));
}

/// By powers of four.
int duration_class(std::uint64_t ticks) { return (static_cast<int>(std::bit_width(ticks)) + 1) / 2; }

}  // namespace

void Call::begin(std::uint64_t communicator) {
  Local& local = *local_;
  local.depth = 1;
  local.lock_ticks = 0;
  local.lock_waits = 0;
  if (local.epoch != epoch.load(relaxed)) [[unlikely]] {
    for (Local::CachedRow& one : local.near) one.row = nullptr;
    local.epoch = epoch.load(relaxed);
  }
  const std::uint64_t hash = spread(communicator + function_ * 0x10001U);
  Local::CachedRow& near = local.near[hash >> 56U];
  if (near.row == nullptr || near.communicator != communicator || near.function != function_) [[unlikely]]
    find_row(local, near, communicator, function_);
  row_ = near.row;
  place_ = near.place;
  ThreadArea& area = *local.area;
  began_ = now();
  if (--local.countdown == 0 || began_ - local.sampled > between_samples) [[unlikely]] {
    local.countdown = chance(local);
    sampled_ = true;
    sample_ = begin_sample(local, began_);
    began_ = now();
  }
  area.since.store(began_, relaxed);
  area.inside.store(static_cast<std::uint64_t>(place_) << 16U | (function_ + 1), std::memory_order_release);
}

void Call::end() {
  ended_ = now();
  Local& local = *local_;
  ThreadArea& area = *local.area;
  area.inside.store(0, relaxed);
  const std::uint64_t took = ended_ - began_;
  ++row_->calls;
  row_->ticks += took;
  row_->longest = std::max(row_->longest, took);
  if (local.lock_waits != 0) [[unlikely]] {
    row_->lock_ticks += local.lock_ticks;
    row_->lock_waits += local.lock_waits;
  }
  area.ended = ended_;
  area.all_ticks[duration_class(took)] += took;
  area.timeline.add(0, began_, ended_);
}

void Call::leave() {
  if (ended_ == 0) [[unlikely]]
    end();
  if (sampled_) [[unlikely]]
    keep_sample();
  if (trace_is_on) [[unlikely]]
    trace(*local_, {began_, ended_ - began_, function_, place_, bytes_, local_->lock_ticks, peer_, 0});
  local_->depth = 0;
}

void Call::keep_sample() {
  ThreadArea& area = *local_->area;
  const std::uint64_t took = ended_ - began_;
  if (sample_.cpu != 0) {
    const std::uint64_t cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - sample_.cpu;
    const int duration = duration_class(took);
    area.sampled_ticks[duration] += took;
    area.sampled_cpu[duration] += cpu > reading_costs ? cpu - reading_costs : 0;
  }
  const auto size = static_cast<std::uint64_t>(size_class(bytes_));
  const std::uint64_t inside = std::min<std::uint32_t>(sample_.inside, 0xffff);
  Beside* const beside = area.beside.find((inside + 1) << 32U | size << 16U | function_);
  if (beside == nullptr) return;
  if (beside->calls == 0) {
    beside->function = static_cast<std::uint16_t>(function_);
    beside->size = static_cast<std::uint16_t>(size);
    beside->inside = static_cast<std::uint32_t>(inside);
    beside->least = took;
  }
  ++beside->calls;
  beside->ticks += took;
  beside->squares += static_cast<double>(took) * static_cast<double>(took);
  beside->least = std::min(beside->least, took);
}

void Call::data(std::uint64_t bytes) {
  bytes_ = bytes;
  row_->bytes += bytes;
  ++row_->sizes[size_class(bytes)];
}

std::int64_t Call::size_of(MPI_Datatype datatype) {
  if (datatype == MPI_DATATYPE_NULL) return 0;
  Local& local = *local_;
  if (local.types_epoch != types_epoch.load(relaxed)) [[unlikely]] {
    for (Local::Size& one : local.type) one.bytes = -1;
    local.types_epoch = types_epoch.load(relaxed);
  }
  const std::uint64_t key = bits(datatype);
  Local::Size& near = local.type[spread(key) >> 59U];
  if (near.bytes < 0 || near.datatype != key) [[unlikely]] {
    int size = 0;
    if (mpi.type_size(datatype, &size) != MPI_SUCCESS || size < 0) return 0;
    near = {key, size};
  }
  return near.bytes;
}

template <typename Count>
std::uint64_t Call::bytes(Count count, MPI_Datatype datatype) {
  return count <= 0 ? 0 : static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size_of(datatype));
}

template <typename Count>
std::uint64_t Call::bytes(const Count* counts, MPI_Datatype datatype) {
  if (counts == nullptr) return 0;
  std::uint64_t sum = 0;
  for (int i = 0; i < comm_size(); ++i) sum += counts[i] < 0 ? 0 : static_cast<std::uint64_t>(counts[i]);
  return sum * static_cast<std::uint64_t>(size_of(datatype));
}

template <typename Count>
std::uint64_t Call::bytes(const Count* counts, const MPI_Datatype* datatypes) {
  if (counts == nullptr || datatypes == nullptr) return 0;
  std::uint64_t sum = 0;
  for (int i = 0; i < comm_size(); ++i) sum += counts[i] <= 0 ? 0 : bytes(counts[i], datatypes[i]);
  return sum;
}

template std::uint64_t Call::bytes(int, MPI_Datatype);
template std::uint64_t Call::bytes(MPI_Count, MPI_Datatype);
template std::uint64_t Call::bytes(const int*, MPI_Datatype);
template std::uint64_t Call::bytes(const MPI_Count*, MPI_Datatype);
template std::uint64_t Call::bytes(const int*, const MPI_Datatype*);
template std::uint64_t Call::bytes(const MPI_Count*, const MPI_Datatype*);

bool Call::one_group() const { return place_ != 0 && communicator_of(*process, place_ - 1).inter == 0; }
int Call::comm_size() const { return place_ == 0 ? 0 : communicator_of(*process, place_ - 1).size; }
int Call::comm_rank() const { return place_ == 0 ? -1 : communicator_of(*process, place_ - 1).rank; }

}  // namespace raddle::profile
