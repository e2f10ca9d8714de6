// SPDX-License-Identifier: BSD-3-Clause
// What one context is to receive in a round, what it has posted for it, and what came. No calls of MPI but for types.
//
// A receive may only be posted if it will be matched whatever happens, or the test would hang by itself: wildcards take
// messages that later receives wait for. A receive is safe if for one envelope that it accepts, more messages are still
// to come than receives that accept it are open already: were it never matched, all those messages would have gone to
// receives posted before it, and they are too few. Receives posted later cannot harm it.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "matching.hpp"
#include "parcel.hpp"
#include "script.hpp"

namespace raddle::traffic {

struct Envelope {
  int source;
  int tag;
};

/// A receive, in the place where it was posted, or where the probe was that found its message.
struct Receive {
  Pattern pattern{};
  const char* way = "";         ///< the call that posted it, or that probed
  const char* completed = way;  ///< the call that completed it
  std::shared_ptr<Parcel> parcel{};
  std::optional<Envelope> got{};
  bool truncated = false;
  int count = 0;  ///< as MPI_Get_count and MPI_Get_elements tell
  int elements = 0;
};

/// Which messages a context may wait for: those of stages up to this one.
constexpr int every_stage = 1 << 30;

class Inbox {
 public:
  Inbox(const Round& round, int rank);

  /// An envelope for which a receive posted now is safe, counting only messages that surely get sent while this context
  /// waits; nothing if there is none.
  [[nodiscard]] std::optional<Envelope> choose(Random& random, int stage) const;
  /// As above without waiting: a message that is sent some time will do.
  [[nodiscard]] std::optional<Envelope> choose(Random& random) const;
  /// Whether a receive that is open will be matched while this context waits.
  [[nodiscard]] bool sure(const Receive& receive, int stage) const;

  /// The most units that a receive with this pattern can get now.
  [[nodiscard]] std::size_t most_units(const Pattern& pattern) const;
  Receive& post(const Pattern& pattern, const char* way);
  /// Notes what a receive got. @returns what is wrong with it at first sight
  std::string note(Receive& receive, const Envelope& got);

  /// Messages that nobody has posted a receive for, or that have not come.
  [[nodiscard]] int to_post() const { return missing() - open(); }
  [[nodiscard]] int missing() const;
  [[nodiscard]] const std::vector<Message>& from(int source) const;

  /// When everything has come: whether content, size and order are what MPI promises.
  /// @returns what is wrong
  [[nodiscard]] std::string verdict() const;

 private:
  struct Class {
    Envelope envelope{};
    int sent = 0;      ///< in this round
    int received = 0;  ///< by receives that told so
  };
  [[nodiscard]] int ahead(const Envelope& envelope, const Receive* before) const;
  [[nodiscard]] int surely_sent(const Envelope& envelope, int stage) const;
  [[nodiscard]] int open() const;
  [[nodiscard]] const Class* find(const Envelope& envelope) const;
  [[nodiscard]] std::string check(const Receive& receive, int& number) const;

  const Round& round_;
  std::vector<std::vector<Message>> expected_;  // by source
  std::vector<Class> classes_;
  std::deque<Receive> receives_;  // in the order of posting; never moved
};

}  // namespace raddle::traffic
