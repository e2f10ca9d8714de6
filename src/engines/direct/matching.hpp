// SPDX-License-Identifier: BSD-3-Clause
// Which receive gets which message (MPI-4.1 section 3.5): the receives that wait and the messages that came unexpected.
// Knows no MPI. One thread at a time.
//
// Both are kept by source, so that a long queue of one source is not in the way of another. What spans sources (a
// receive from any, a message that any receive may take) is put in order by numbers given on arrival.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace raddle::direct {

// A queue whose links are members of what is queued: nothing is allocated, and from anywhere in it can be taken.

/// @tparam next  the one behind
/// @tparam link  what points to it; nullptr while it is in no queue
template <typename Queued, Queued* Queued::* next, Queued** Queued::* link>
class LinkedQueue {
 public:
  LinkedQueue() = default;
  LinkedQueue(const LinkedQueue&) = delete;
  LinkedQueue& operator=(const LinkedQueue&) = delete;

  [[nodiscard]] Queued* first() const { return first_; }
  [[nodiscard]] bool empty() const { return first_ == nullptr; }

  void append(Queued& queued) {
    queued.*next = nullptr;
    queued.*link = end_;
    *end_ = &queued;
    end_ = &(queued.*next);
  }

  /// @param first  first()
  void remove_first(Queued& first) {
    Queued* const behind = first.*next;
    first.*link = nullptr;
    first_ = behind;
    if (behind != nullptr) {
      behind->*link = &first_;
    } else {
      end_ = &first_;
    }
  }

  void remove(Queued& queued) {
    *(queued.*link) = queued.*next;
    if (queued.*next != nullptr) {
      (queued.*next)->*link = queued.*link;
    } else {
      end_ = queued.*link;
    }
    queued.*link = nullptr;
  }

 private:
  Queued* first_ = nullptr;
  Queued** end_ = &first_;  ///< where the next one is hung on
};

/// Wildcard of source and tag. It finds no negative tags: those are of messages that the program does not see.
constexpr int any = -1;

/// What messages and receives are matched by.
struct Envelope {
  std::int32_t source = any;
  std::int32_t tag = any;

  /// Both at once.
  [[nodiscard]] std::uint64_t word() const { return std::bit_cast<std::uint64_t>(*this); }
};

/// A receive that waits. Base of what the engine keeps of it.
struct alignas(8) Posted : Envelope {
  std::uint64_t order = 0;  ///< the number of the next receive from any, or its own
  Posted* next = nullptr;
  Posted** link = nullptr;  ///< what points to this; nullptr: it does not wait
};

/// A message that came before its receive. Base of what the engine keeps of it.
struct Arrived {
  int source = 0;
  int tag = 0;
  Arrived* next_of_source = nullptr;
  Arrived* next = nullptr;
  Arrived** link_of_source = nullptr;
  Arrived** link = nullptr;
};

class Matching {
 public:
  /// @param sources how many there may be, numbered from 0
  explicit Matching(int sources);
  Matching(const Matching&) = delete;
  Matching& operator=(const Matching&) = delete;

  /// A receive that found nothing begins to wait.
  void post(Posted& receive) {
    if (receive.source == any) {
      receive.order = order_++;
      ++unusual_;
      posted_any_.append(receive);
    } else {
      receive.order = order_;
      post_to_one(receive);
    }
  }
  /// Whether no receive from any waits and no message is kept.
  [[nodiscard]] bool nothing_unusual() const { return unusual_ == 0; }
  /// As post() of one whose source is not any. @pre nothing_unusual(): then it needs no number, for that of a use
  /// before is not above those of receives from any that come after it
  [[gnu::always_inline]] void post_to_one(Posted& receive) { posted_[bucket(receive.source)].append(receive); }

  /// The receive that a message of `source` with `tag` belongs to, the earliest posted; it waits no longer. nullptr:
  /// none.
  Posted* match(int source, int tag);

  /// The same if it can be said at once which one, as of most, and if `accept` takes the message for it: otherwise it
  /// waits on, and nullptr says that there is more to be seen to.
  template <typename Accept>
  [[gnu::always_inline]] Posted* match_at_once(const Envelope& message, Accept&& accept) {
    PostedQueue& queue = posted_[bucket(message.source)];
    Posted* const first = queue.first();
    if (first == nullptr || first->word() != message.word() || !posted_any_.empty()) [[unlikely]]
      return nullptr;
    if (!accept(*first)) [[unlikely]]
      return nullptr;
    queue.remove_first(*first);
    return first;
  }

  /// A receive waits no longer. @pre waits(receive)
  void withdraw(Posted& receive) {
    if (receive.source == any) --unusual_;
    queue_of(receive).remove(receive);
  }
  [[nodiscard]] static bool waits(const Posted& receive) { return receive.link != nullptr; }

  /// A message that found no receive is kept.
  void keep(Arrived& message);

  /// The message that a receive would get, the earliest arrived; nullptr: none.
  [[nodiscard]] Arrived* find(int source, int tag) const {
    return arrived_.empty() ? nullptr : find_further(source, tag);
  }

  /// A message is kept no longer.
  void take(Arrived& message);

  void each_posted(const std::function<void(const Posted&)>& visit) const;
  void each_arrived(const std::function<void(Arrived&)>& visit) const;

 private:
  using PostedQueue = LinkedQueue<Posted, &Posted::next, &Posted::link>;
  using ArrivedQueue = LinkedQueue<Arrived, &Arrived::next, &Arrived::link>;
  using SourceQueue = LinkedQueue<Arrived, &Arrived::next_of_source, &Arrived::link_of_source>;

  /// Whether what a receive asks for, maybe any, is what a message has.
  static bool fits(int asked, int has) { return asked == has || (asked == any && has >= 0); }
  static bool fits(const Posted& receive, int source, int tag) {
    return fits(receive.source, source) && fits(receive.tag, tag);
  }
  static Posted* first_fitting(Posted* receive, int source, int tag);
  [[nodiscard]] Arrived* find_further(int source, int tag) const;

  [[nodiscard]] std::size_t bucket(int source) const { return static_cast<std::uint32_t>(source) & mask_; }
  [[nodiscard]] PostedQueue& queue_of(const Posted& receive) {
    return receive.source == any ? posted_any_ : posted_[bucket(receive.source)];
  }

  std::size_t mask_;
  std::size_t unusual_ = 0;  ///< receives from any, and messages that are kept
  std::uint64_t order_ = 0;
  std::vector<PostedQueue> posted_;
  PostedQueue posted_any_;
  std::vector<SourceQueue> arrived_of_source_;
  ArrivedQueue arrived_;
};

}  // namespace raddle::direct
