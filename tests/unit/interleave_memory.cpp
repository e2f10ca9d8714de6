// SPDX-License-Identifier: BSD-3-Clause
#include "interleave_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace raddle::test::interleave {
namespace {

// Kinds of places; below them, reads of ordinary memory by that thread.
constexpr std::size_t atomic_kind = ~std::size_t{0};
constexpr std::size_t write_kind = atomic_kind - 1;

bool acquires(Memory::Order order) { return order != std::memory_order_relaxed && order != std::memory_order_release; }

bool releases(Memory::Order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

void join(std::vector<std::size_t>& into, const std::vector<std::size_t>& from) {
  into.resize(std::max(into.size(), from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

std::size_t Choices::choose(std::size_t count) {
  if (count == 1) return 0;
  if (at_ == choices_.size()) choices_.push_back({0, count});
  const Choice& choice = choices_[at_++];
  if (choice.count != count) {
    std::fputs("the code under test does not do the same when it is given the same\n", stderr);
    std::abort();  // it may not throw
  }
  return choice.made;
}

bool Choices::next() {
  at_ = 0;
  while (!choices_.empty() && choices_.back().made + 1 == choices_.back().count) choices_.pop_back();
  if (choices_.empty()) return false;
  ++choices_.back().made;
  return true;
}

Memory::Memory(Choices& choices, std::size_t threads, bool stale) : choices_(choices), stale_(stale), views_(threads) {}

std::size_t Memory::place(const void* address, std::size_t kind) {
  const auto [at, made] = places_.try_emplace({address, kind}, places_.size());
  if (made) history_.emplace_back();
  return at->second;
}

std::size_t Memory::atomic_place(const void* atomic, Value now) {
  const std::size_t at = place(atomic, atomic_kind);
  if (history_[at].empty() || history_[at].back().value != now) history_[at].push_back({now, {}});
  return at;
}

std::size_t& Memory::seen(std::size_t thread, std::size_t place) {
  View& view = views_[thread];
  if (view.size() <= place) view.resize(place + 1);
  return view[place];
}

Memory::Value Memory::take(std::size_t thread, std::size_t place, std::size_t index, Order order, const char* did) {
  const Written& written = history_[place][index];
  seen(thread, place) = index;
  if (acquires(order)) join(views_[thread], written.released);
  events_.push_back({thread, did, place, written.value});
  return written.value;
}

/// Which value a read gets, if it may not be one equal to `replaced` unless it is the last.
std::size_t Memory::choose(std::size_t thread, std::size_t place, Order order, std::optional<Value> replaced) {
  const std::vector<Written>& history = history_[place];
  const std::size_t last = history.size() - 1;
  std::size_t oldest = stale_ ? seen(thread, place) : last;
  if (order == std::memory_order_seq_cst && place < sequential_.size()) oldest = std::max(oldest, sequential_[place]);
  std::vector<std::size_t> allowed{last};
  for (std::size_t i = last; i-- > oldest;) {
    if (history[i].value != replaced) allowed.push_back(i);
  }
  return allowed[choices_.choose(allowed.size())];
}

void Memory::put(std::size_t thread, std::size_t place, Value value, Order order, View released, const char* did) {
  const std::size_t index = history_[place].size();
  seen(thread, place) = index;
  if (releases(order)) join(released, views_[thread]);
  if (order == std::memory_order_seq_cst) {
    sequential_.resize(std::max(sequential_.size(), place + 1));
    sequential_[place] = index;
  }
  history_[place].push_back({value, std::move(released)});
  events_.push_back({thread, did, place, value});
}

Memory::Value Memory::load(std::size_t thread, const void* atomic, Value now, Order order) {
  const std::size_t at = atomic_place(atomic, now);
  return take(thread, at, choose(thread, at, order, std::nullopt), order, "loads");
}

void Memory::store(std::size_t thread, const void* atomic, Value now, Value value, Order order) {
  put(thread, atomic_place(atomic, now), value, order, {}, "stores");
}

Memory::Value Memory::modify(std::size_t thread, const void* atomic, Value now, Order order,
                             const std::function<Value(Value)>& change) {
  const std::size_t at = atomic_place(atomic, now);
  const std::size_t last = history_[at].size() - 1;
  const Value before = take(thread, at, last, order, "takes");
  put(thread, at, change(before), order, history_[at][last].released, "puts");  // goes on with the release sequence
  return before;
}

Memory::Value Memory::compare_exchange(std::size_t thread, const void* atomic, Value now, Value expected, Value desired,
                                       Order success, Order failure) {
  const std::size_t at = atomic_place(atomic, now);
  const std::size_t index = choose(thread, at, failure, expected);
  if (history_[at][index].value != expected) return take(thread, at, index, failure, "finds");
  return modify(thread, atomic, now, success, [desired](Value) { return desired; });
}

void Memory::expect_seen(std::size_t thread, std::size_t place, const char* did) {
  if (seen(thread, place) == history_[place].size() || !race_.empty()) return;
  race_ = "thread " + std::to_string(thread) + " " + did + " what another thread may still be at";
}

void Memory::read_plain(std::size_t thread, const void* address) {
  expect_seen(thread, place(address, write_kind), "reads");
  const std::size_t mine = place(address, thread);
  history_[mine].emplace_back();
  seen(thread, mine) = history_[mine].size();
  events_.push_back({thread, "reads", mine, 0});
}

void Memory::write_plain(std::size_t thread, const void* address) {
  const std::size_t mine = place(address, write_kind);
  expect_seen(thread, mine, "writes");
  for (std::size_t reader = 0; reader < views_.size(); ++reader) {
    expect_seen(thread, place(address, reader), "writes");
  }
  history_[mine].emplace_back();
  seen(thread, mine) = history_[mine].size();
  events_.push_back({thread, "writes", mine, 0});
}

std::string Memory::story() const {
  std::ostringstream lines;
  for (const Event& event : events_) {
    lines << "thread " << event.thread << " " << event.did << " place " << event.place << ": " << event.value << "\n";
  }
  return lines.str();
}

}  // namespace raddle::test::interleave
