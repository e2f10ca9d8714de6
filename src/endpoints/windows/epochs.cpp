// SPDX-License-Identifier: BSD-3-Clause
// Synchronisation of windows (MPI-4.1 section 12.5). Operations that this process does itself are done when they
// return, so to complete them is to wait for the answers of those that are asked for.
#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/windows/order.hpp"
#include "endpoints/windows/service.hpp"
#include "endpoints/windows/window.hpp"

namespace raddle::endpoints {
namespace {

int out_of_step(const char* why) { return error_with(MPI_ERR_RMA_SYNC, why); }

int epoch_is_open() { return out_of_step("Raddle: another epoch of the window has not been closed"); }

int flush_without_lock() { return out_of_step("Raddle: a flush outside of a passive target epoch"); }

constexpr int known_assertions =
    MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;

int check_assertion(int assertion) { return (assertion & ~known_assertions) != 0 ? MPI_ERR_ASSERT : MPI_SUCCESS; }

}  // namespace

bool Window::has_access(Access ways) const {
  return std::ranges::any_of(targets_, [ways](const Target& one) { return (one.access & ways) != 0; });
}

void Window::give_access(Access ways) {
  for (Target& one : targets_) one.access = ways;
}

void Window::wait_for(int rank, const char* call) {
  if (!service_->all_answered(rank)) progress_until(endpoint_, call, [&] { return service_->all_answered(rank); });
  order_accesses();
}

void Window::wait_for_all(const char* call) {
  for (int rank = 0; rank < size(); ++rank) {
    if (!service_->all_answered(rank)) wait_for(rank, call);
  }
  order_accesses();
}

int Window::fence(int assertion) {
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (has_access(passive) || started_.open || posted_.open) return epoch_is_open();
  wait_for_all("MPI_Win_fence");
  // Also if nothing precedes: what others put from now on may be what a rank still loads.
  check(PMPI_Barrier(endpoint_.comm));
  fenced_ = (assertion & MPI_MODE_NOSUCCEED) == 0;
  return service_->take_error();
}

int Window::name(Epoch& epoch, const Members& members) const {
  if (epoch.members == members) return MPI_SUCCESS;
  std::vector<int> ranks = ranks_among(endpoint_.communicator().members(), members);
  if (std::ranges::find(ranks, Ranks::none) != ranks.end())
    return error_with(MPI_ERR_GROUP, "Raddle: the group has members that the window has not");
  epoch.members = members;
  epoch.ranks = std::move(ranks);
  return MPI_SUCCESS;
}

int Window::post(const Members& members, int assertion) {
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (posted_.open) return epoch_is_open();
  if (const int code = name(posted_, members); code != MPI_SUCCESS) return code;
  posted_.open = true;
  completes_awaited_ = 0;
  for (const int rank : posted_.ranks) {
    if (Told* const post = target(rank).post_there) {
      ++completes_awaited_;
      post->tell();
    } else {
      service_->tell(rank, Service::Ask::post);
    }
  }
  return MPI_SUCCESS;
}

bool Window::has_posted(const Target& there, int rank) const {
  return there.post_here != nullptr ? there.post_here->is() : service_->told(rank, Service::Ask::post);
}

int Window::start(const Members& members, int assertion) {
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (started_.open || has_access(passive)) return epoch_is_open();
  if (const int code = name(started_, members); code != MPI_SUCCESS) return code;
  // With MPI_MODE_NOCHECK, too, the post is taken: it has come already.
  for (const int rank : started_.ranks) {
    Target& there = target(rank);
    if (!has_posted(there, rank)) progress_until(endpoint_, "MPI_Win_start", [&] { return has_posted(there, rank); });
    if (there.post_here != nullptr)
      there.post_here->take();
    else
      service_->take(rank, Service::Ask::post);
    there.access |= started;
  }
  started_.open = true;
  fenced_ = false;
  return MPI_SUCCESS;
}

int Window::complete() {
  if (!started_.open) return out_of_step("Raddle: MPI_Win_complete without MPI_Win_start");
  for (const int rank : started_.ranks) {
    wait_for(rank, "MPI_Win_complete");
    Target& there = target(rank);
    there.access &= static_cast<Access>(~started);
    if (there.control != nullptr)
      there.control->completes.fetch_add(1, std::memory_order_release);
    else
      service_->tell(rank, Service::Ask::complete);
  }
  started_.open = false;
  return service_->take_error();
}

bool Window::all_have_completed() const {
  if (control_->completes.load(std::memory_order_acquire) != completes_awaited_) return false;
  return completes_awaited_ == posted_.ranks.size() || std::ranges::all_of(posted_.ranks, [&](int rank) {
           return target(rank).post_there != nullptr || service_->told(rank, Service::Ask::complete);
         });
}

int Window::test(bool& flag) {
  flag = false;
  if (!posted_.open) return out_of_step("Raddle: MPI_Win_wait or MPI_Win_test without MPI_Win_post");
  flag = all_have_completed();
  if (!flag) {
    endpoint_.progress();
    flag = all_have_completed();
    if (!flag) return MPI_SUCCESS;
  }
  control_->completes.store(0, std::memory_order_relaxed);
  for (const int rank : posted_.ranks) {
    if (target(rank).post_there == nullptr) service_->take(rank, Service::Ask::complete);
  }
  posted_.open = false;
  return MPI_SUCCESS;
}

int Window::wait() {
  bool flag = false;
  int code = MPI_SUCCESS;
  until(endpoint_, "MPI_Win_wait", [&] {
    code = test(flag);
    return flag || code != MPI_SUCCESS;
  });
  return code;
}

void Window::take_lock(int rank, bool exclusive, const char* call) {
  Target& there = target(rank);
  if (there.control != nullptr) {
    if (!there.control->lock.try_lock(exclusive))
      progress_until(endpoint_, call, [&] { return there.control->lock.try_lock(exclusive); });
  } else {
    service_->ask(rank, {.ask = Service::Ask::lock, .exclusive = exclusive ? 1 : 0}, {}, {});
    wait_for(rank, call);
  }
  there.held = exclusive ? Held::exclusive : Held::shared;
}

void Window::give_lock_back(int rank) {
  Target& there = target(rank);
  if (there.held == Held::no) return;
  const bool exclusive = there.held == Held::exclusive;
  there.held = Held::no;
  if (there.control != nullptr)
    there.control->lock.release(exclusive);
  else
    service_->ask(rank, {.ask = Service::Ask::unlock, .exclusive = exclusive ? 1 : 0}, {}, {});
}

int Window::lock(int type, int rank, int assertion) {
  if (type != MPI_LOCK_SHARED && type != MPI_LOCK_EXCLUSIVE) return MPI_ERR_LOCKTYPE;
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (rank < 0 || rank >= size()) return MPI_ERR_RANK;
  if (target(rank).access != none || started_.open) return epoch_is_open();
  const bool exclusive = type == MPI_LOCK_EXCLUSIVE;
  if ((assertion & MPI_MODE_NOCHECK) == 0) take_lock(rank, exclusive, "MPI_Win_lock");
  target(rank).access = locked;
  fenced_ = false;
  return MPI_SUCCESS;
}

int Window::unlock(int rank) {
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (rank < 0 || rank >= size()) return MPI_ERR_RANK;
  Access& access = target(rank).access;
  if ((access & locked) == 0) return out_of_step("Raddle: MPI_Win_unlock of a rank that is not locked");
  endpoint_.progress();
  wait_for(rank, "MPI_Win_unlock");
  give_lock_back(rank);
  access = none;
  return service_->take_error();
}

void Window::take_lock_of_all(int rank) {
  const Target& there = target(rank);
  if (there.held == Held::no && (there.access & (locked_all | unchecked)) == locked_all)
    take_lock(rank, false, "MPI_Win_lock_all");
}

bool Window::try_all_shared() {
  // All or none: ranks that take locks one after the other could wait for each other.
  for (int rank = 0; rank < size(); ++rank) {
    WindowControl* const control = target(rank).control;
    if (control == nullptr) continue;  // taken with the first operation
    if (!control->lock.try_shared()) {
      for (int before = 0; before < rank; ++before) give_lock_back(before);
      return false;
    }
    target(rank).held = Held::shared;
  }
  return true;
}

int Window::lock_all(int assertion) {
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (started_.open || has_access(any)) return epoch_is_open();
  const bool checked = (assertion & MPI_MODE_NOCHECK) == 0;
  if (checked) progress_until(endpoint_, "MPI_Win_lock_all", [&] { return try_all_shared(); });
  give_access(static_cast<Access>(checked ? locked_all : locked_all | unchecked));
  fenced_ = false;
  return MPI_SUCCESS;
}

int Window::unlock_all() {
  if (!has_access(locked_all)) return out_of_step("Raddle: MPI_Win_unlock_all without MPI_Win_lock_all");
  wait_for_all("MPI_Win_unlock_all");
  for (int rank = 0; rank < size(); ++rank) give_lock_back(rank);
  give_access(none);
  return service_->take_error();
}

int Window::flush(int rank) {
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (rank < 0 || rank >= size()) return MPI_ERR_RANK;
  if ((target(rank).access & passive) == 0) return flush_without_lock();
  endpoint_.progress();
  wait_for(rank, "MPI_Win_flush");
  return service_->take_error();
}

int Window::flush_all() {
  if (!has_access(passive)) return flush_without_lock();
  if (progress_is_due()) endpoint_.progress();
  wait_for_all("MPI_Win_flush_all");
  return service_->take_error();
}

int Window::sync() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  endpoint_.progress();
  return MPI_SUCCESS;
}

}  // namespace raddle::endpoints
