// SPDX-License-Identifier: BSD-3-Clause
// What threads may read from memory that they share, as C++ says: what was written last, or something older that
// nothing they know of has replaced for them. A tester's choices decide which.
//
// Each atomic keeps all values it was given, and with those of release stores what their writer knew then: its view,
// how far it had seen each place. A load may take any value not older than the reader's view says; with acquire it also
// takes over the view that comes with the value. Left out: loads that read what is stored later in the same execution,
// and fences.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace raddle::test::interleave {

/// A sequence of choices, and after it the next one until all have been made: depth first.
class Choices {
 public:
  /// @returns a number below `count`: the one being tried, or 0 at a place not reached before
  std::size_t choose(std::size_t count);

  /// Goes on to the next sequence, from its beginning. @returns false if there is none
  bool next();

 private:
  struct Choice {
    std::size_t made;
    std::size_t count;
  };
  std::vector<Choice> choices_;
  std::size_t at_ = 0;
};

/// The memory of one execution. A value is an atomic's bytes, filled up with 0.
class Memory {
 public:
  using Value = std::uint64_t;
  using Order = std::memory_order;

  /// @param stale whether loads may read older values; else all is as if seq_cst
  Memory(Choices& choices, std::size_t threads, bool stale);

  // `now` is what the atomic's bytes hold: its first value, or one that was written over them as bytes.
  Value load(std::size_t thread, const void* atomic, Value now, Order order);
  void store(std::size_t thread, const void* atomic, Value now, Value value, Order order);

  /// Replaces the last value by what `change` makes of it. @returns the value before
  Value modify(std::size_t thread, const void* atomic, Value now, Order order,
               const std::function<Value(Value)>& change);

  /// As compare_exchange_strong. @returns the value read: `expected` if it was replaced
  Value compare_exchange(std::size_t thread, const void* atomic, Value now, Value expected, Value desired,
                         Order success, Order failure);

  // An access of ordinary memory, known by an address: a race if another thread's is not known to be over.
  void read_plain(std::size_t thread, const void* address);
  void write_plain(std::size_t thread, const void* address);

  /// The first race; empty if there was none.
  [[nodiscard]] const std::string& race() const { return race_; }

  /// All that was done, a line each; places are numbered as they are met.
  [[nodiscard]] std::string story() const;

 private:
  using View = std::vector<std::size_t>;
  struct Written {
    Value value = 0;
    View released{};
  };
  struct Event {
    std::size_t thread;
    const char* did;
    std::size_t place;
    Value value;
  };

  std::size_t place(const void* address, std::size_t kind);
  std::size_t atomic_place(const void* atomic, Value now);
  std::size_t& seen(std::size_t thread, std::size_t place);
  std::size_t choose(std::size_t thread, std::size_t place, Order order, std::optional<Value> replaced);
  Value take(std::size_t thread, std::size_t place, std::size_t index, Order order, const char* did);
  void put(std::size_t thread, std::size_t place, Value value, Order order, View released, const char* did);
  void expect_seen(std::size_t thread, std::size_t place, const char* did);

  Choices& choices_;
  bool stale_;
  std::map<std::pair<const void*, std::size_t>, std::size_t> places_;
  std::vector<std::vector<Written>> history_;  ///< by place; of places of ordinary memory only the length counts
  std::vector<View> views_;                    ///< by thread
  View sequential_;                            ///< what seq_cst stores have put where
  std::vector<Event> events_;
  std::string race_;
};

}  // namespace raddle::test::interleave
