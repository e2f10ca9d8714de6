// SPDX-License-Identifier: BSD-3-Clause
// Rules about any call: from which thread, beside which others, and when.
#include "check/call.hpp"

#include "check/collectives.hpp"
#include "check/findings.hpp"
#include "check/names.hpp"
#include "check/process.hpp"
#include "check/site.hpp"

namespace raddle::check {
namespace {

constexpr int serialized = 2;

const char* level_name() { return process.level == 0 ? R"(,"level":"SINGLE")" : R"(,"level":"FUNNELED")"; }

bool is_finalize(std::uint32_t function) {
  static const std::uint32_t number = number_of("MPI_Finalize");
  return function == number;
}

/// Under the lock.
void look(const Thread& thread, const Site& site) {
  if (is_for_any_thread(site.function)) return;
  if (!process.sessions && process.level < serialized && process.main_thread >= 0 &&
      process.main_thread != thread.index) {
    found({.rule = "thread-level", .site = site, .detail = level_name()});
  }
  for (const Thread* const other : threads()) {
    if (!other->inside || other == &thread || is_for_any_thread(other->site.function)) continue;
    if (process.level == serialized && !process.sessions) {
      found({.rule = "serialized", .site = site, .other = other->site});
    }
    if (is_finalize(site.function)) found({.rule = "in-finalize", .site = other->site, .other = site});
    if (is_finalize(other->site.function)) found({.rule = "in-finalize", .site = site, .other = other->site});
  }
}

}  // namespace

void Call::begin(std::uint32_t function, std::uint64_t communicator, const void* caller) {
  const void* const place = caller_in_program(caller);
  if (place == nullptr) return;
  Thread& thread = me();
  if (thread.inside) return;
  Phase phase{};
  bool sessions = false;
  {
    const std::lock_guard alone(lock());
    phase = process.phase;
    sessions = process.sessions;
  }
  const bool is_outside =
      phase != Phase::between && !sessions && !is_for_any_time(function) && (phase == Phase::after || !has_begun());
  thread_ = &thread;
  site_ = {function, place, thread.index};
  communicator_ = communicator;
  const std::lock_guard alone(lock());
  thread.inside = true;
  thread.site = site_;
  thread.communicator = communicator;
  if (is_outside) {
    found({.rule = phase == Phase::after ? "after-finalize" : "before-init", .site = site_});
  } else {
    look(thread, site_);
  }
}

bool Call::ends() {
  if (thread_ == nullptr) return false;
  ended_ = true;
  const std::lock_guard alone(lock());
  thread_->inside = false;
  thread_->collective = false;
  thread_->requests.clear();
  return true;
}

void Call::leave() {
  if (!ended_) ends();
  if (ordered_ && !matched_) out_of_order(communicator_);
}

Call::~Call() {
  if (thread_ != nullptr) leave();
}

}  // namespace raddle::check
