// SPDX-License-Identifier: BSD-3-Clause
// Synchronisation of windows (MPI-4.1 section 12.5). Operations that this process does itself are done when they
// return, so to complete them is to wait for the answers of those that are asked for.
#include <algorithm>
#include <atomic>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
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
  return std::ranges::any_of(access_, [ways](Access one) { return (one & ways) != 0; });
}

void Window::wait_for(int rank, const char* call) {
  if (!service_->all_answered(rank)) progress_until(endpoint_, call, [&] { return service_->all_answered(rank); });
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

int Window::fence(int assertion) {
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (has_access(passive) || started_ || posted_) return epoch_is_open();
  for (int rank = 0; rank < size(); ++rank) wait_for(rank, "MPI_Win_fence");
  // Also if nothing precedes: what others put from now on may be what a rank still loads.
  check(PMPI_Barrier(endpoint_.comm));
  fenced_ = (assertion & MPI_MODE_NOSUCCEED) == 0;
  return service_->take_error();
}

int Window::post(const std::vector<int>& ranks, int assertion) {
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (posted_) return epoch_is_open();
  posted_ = ranks;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (const int rank : ranks) service_->tell(rank, Service::Ask::post);
  return MPI_SUCCESS;
}

int Window::start(const std::vector<int>& ranks, int assertion) {
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (started_ || has_access(passive)) return epoch_is_open();
  // With MPI_MODE_NOCHECK, too, the post is taken: it has come already.
  for (const int rank : ranks) {
    progress_until(endpoint_, "MPI_Win_start", [&] { return service_->told(rank, Service::Ask::post); });
    service_->take(rank, Service::Ask::post);
    access_[static_cast<std::size_t>(rank)] |= started;
  }
  started_ = ranks;
  fenced_ = false;
  return MPI_SUCCESS;
}

int Window::complete() {
  if (!started_) return out_of_step("Raddle: MPI_Win_complete without MPI_Win_start");
  for (const int rank : *started_) {
    wait_for(rank, "MPI_Win_complete");
    access_[static_cast<std::size_t>(rank)] &= static_cast<Access>(~started);
    service_->tell(rank, Service::Ask::complete);
  }
  started_.reset();
  return service_->take_error();
}

int Window::test(bool& flag) {
  flag = false;
  if (!posted_) return out_of_step("Raddle: MPI_Win_wait or MPI_Win_test without MPI_Win_post");
  endpoint_.progress();
  flag = std::ranges::all_of(*posted_, [&](int rank) { return service_->told(rank, Service::Ask::complete); });
  if (!flag) return MPI_SUCCESS;
  for (const int rank : *posted_) service_->take(rank, Service::Ask::complete);
  posted_.reset();
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
  const Target& there = target(rank);
  if (there.control != nullptr) {
    if (!there.control->lock.try_lock(exclusive))
      progress_until(endpoint_, call, [&] { return there.control->lock.try_lock(exclusive); });
  } else {
    service_->ask(rank, {.ask = Service::Ask::lock, .exclusive = exclusive ? 1 : 0}, {}, {});
    wait_for(rank, call);
  }
  held_[static_cast<std::size_t>(rank)] = exclusive ? Held::exclusive : Held::shared;
}

void Window::give_lock_back(int rank) {
  Held& held = held_[static_cast<std::size_t>(rank)];
  if (held == Held::no) return;
  const bool exclusive = held == Held::exclusive;
  held = Held::no;
  if (WindowControl* const control = target(rank).control)
    control->lock.release(exclusive);
  else
    service_->ask(rank, {.ask = Service::Ask::unlock, .exclusive = exclusive ? 1 : 0}, {}, {});
}

int Window::lock(int type, int rank, int assertion) {
  if (type != MPI_LOCK_SHARED && type != MPI_LOCK_EXCLUSIVE) return MPI_ERR_LOCKTYPE;
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (rank < 0 || rank >= size()) return MPI_ERR_RANK;
  if (access_[static_cast<std::size_t>(rank)] != none || started_) return epoch_is_open();
  const bool exclusive = type == MPI_LOCK_EXCLUSIVE;
  if ((assertion & MPI_MODE_NOCHECK) == 0) take_lock(rank, exclusive, "MPI_Win_lock");
  access_[static_cast<std::size_t>(rank)] = locked;
  return MPI_SUCCESS;
}

int Window::unlock(int rank) {
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (rank < 0 || rank >= size()) return MPI_ERR_RANK;
  Access& access = access_[static_cast<std::size_t>(rank)];
  if ((access & locked) == 0) return out_of_step("Raddle: MPI_Win_unlock of a rank that is not locked");
  wait_for(rank, "MPI_Win_unlock");
  give_lock_back(rank);
  access = none;
  return service_->take_error();
}

void Window::take_lock_of_all(int rank) {
  const auto at = static_cast<std::size_t>(rank);
  if (held_[at] == Held::no && (access_[at] & (locked_all | unchecked)) == locked_all)
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
    held_[static_cast<std::size_t>(rank)] = Held::shared;
  }
  return true;
}

int Window::lock_all(int assertion) {
  if (const int code = check_assertion(assertion); code != MPI_SUCCESS) return code;
  if (started_ || has_access(any)) return epoch_is_open();
  const bool checked = (assertion & MPI_MODE_NOCHECK) == 0;
  if (checked) progress_until(endpoint_, "MPI_Win_lock_all", [&] { return try_all_shared(); });
  std::ranges::fill(access_, static_cast<Access>(checked ? locked_all : locked_all | unchecked));
  return MPI_SUCCESS;
}

int Window::unlock_all() {
  if (!has_access(locked_all)) return out_of_step("Raddle: MPI_Win_unlock_all without MPI_Win_lock_all");
  for (int rank = 0; rank < size(); ++rank) {
    wait_for(rank, "MPI_Win_unlock_all");
    give_lock_back(rank);
  }
  std::ranges::fill(access_, none);
  return service_->take_error();
}

int Window::flush(int rank) {
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (rank < 0 || rank >= size()) return MPI_ERR_RANK;
  if ((access_[static_cast<std::size_t>(rank)] & passive) == 0) return flush_without_lock();
  wait_for(rank, "MPI_Win_flush");
  return service_->take_error();
}

int Window::flush_all() {
  if (!has_access(passive)) return flush_without_lock();
  for (int rank = 0; rank < size(); ++rank) wait_for(rank, "MPI_Win_flush_all");
  return service_->take_error();
}

int Window::sync() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  endpoint_.progress();
  return MPI_SUCCESS;
}

}  // namespace raddle::endpoints
