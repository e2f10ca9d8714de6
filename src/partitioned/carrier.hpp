// SPDX-License-Identifier: BSD-3-Clause
// What carries the data and notices of one rank's partitioned requests: an MPI, or an endpoint.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace raddle::partitioned {

// What the two sides of partitioned requests tell each other beside the data.

/// Names one of the requests between two ranks, as either sees it. Requests match in the order in which they were made
/// (MPI-4.1 section 4.2.1), so both sides count those of one peer and tag, and need not meet for that.
struct Name {
  std::int32_t peer;
  std::int32_t tag;  ///< the program's
  std::uint64_t number;

  auto operator<=>(const Name&) const = default;
};

struct Notice {
  enum class Kind : std::int32_t {
    setup,  ///< from the sender, once: a request has been made
    plan,   ///< from the sender: how the next rounds will be divided
    freed,  ///< from the receiver: its request is gone, and the tags with it
  };

  Kind kind = Kind::setup;
  std::int32_t tag = 0;        ///< the program's
  std::int32_t first_tag = 0;  ///< of the request's messages, which are numbered from here on
  std::int32_t groups = 0;
  std::uint64_t number = 0;       ///< of the request; of a plan the first round
  std::uint64_t bytes = 0;        ///< in all
  std::uint64_t group_bytes = 0;  ///< of each group but the last
  std::int32_t adapts = 0;        ///< whether plans will follow
  std::int32_t memory_bytes = 0;  ///< not 0: the data go straight into the receiver's buffer, arranged in this memory
  std::array<char, 64> memory{};  ///< its address
};

/// A buffer in groups, each of which is one message.
struct Division {
  std::byte* data = nullptr;
  std::size_t bytes = 0;        ///< in all
  std::size_t group_bytes = 0;  ///< of each group but the last
  int groups = 0;
  int peer = 0;
  int first_tag = 0;  ///< that of group 0; the next group has the next one

  /// Where a group begins.
  [[nodiscard]] std::size_t offset(int group) const { return static_cast<std::size_t>(group) * group_bytes; }
  [[nodiscard]] std::size_t length(int group) const {
    const std::size_t begin = offset(group);
    if (begin >= bytes) return 0;
    return group + 1 == groups ? bytes - begin : group_bytes;
  }
};

/// The messages of a request's groups, which are sent or received again and again.
class GroupMessages {
 public:
  GroupMessages() = default;
  GroupMessages(const GroupMessages&) = delete;
  GroupMessages& operator=(const GroupMessages&) = delete;
  virtual ~GroupMessages() = default;

  /// Starts the one of a group; the calling thread may (Carrier::may_start()). Different ones by any threads at once.
  /// @returns an MPI error code, not raised
  virtual int start(int group) = 0;
  /// Looks at those under way, one thread at a time. @param ended  the groups whose messages have ended are added
  /// @returns an MPI error code, not raised: of one that ended
  virtual int look(std::vector<int>& ended) = 0;
};

class Carrier {
 public:
  Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;
  virtual ~Carrier() = default;

  /// The own rank.
  [[nodiscard]] virtual int rank() const = 0;
  /// Tags of messages are from 0 to this.
  [[nodiscard]] virtual int greatest_tag() const = 0;
  /// Whether tags are so few that those of freed requests have to be used again. Then notices may be left that nobody
  /// waits for.
  [[nodiscard]] virtual bool reuses_tags() const = 0;
  /// Whether any thread may start and look at messages at any time. Otherwise one does, the owner, while it has the
  /// office's guard.
  [[nodiscard]] virtual bool any_thread() const = 0;
  /// Whether the calling thread may do it.
  [[nodiscard]] virtual bool may_start() const = 0;
  /// The calling thread starts requests: it is the owner from now on. With the office's guard.
  virtual void own() = 0;
  /// The calling thread completes requests: it is the owner where threads take turns at the MPI. Likewise.
  virtual void take_turn() = 0;
  /// Of a peer in this process: the same object for the carriers of both; nullptr: it is in another process.
  [[nodiscard]] virtual const void* shared_with(int peer) const = 0;
  /// Whether a peer is in another process, and either can copy from and to the memory of the other.
  [[nodiscard]] virtual bool reaches(int peer) const = 0;

  /// Sends a notice, and does not wait. Notices to one peer arrive in their order.
  virtual void tell(int peer, const Notice& notice) = 0;
  /// The next notice, if there is one.
  virtual bool hear(int& peer, Notice& notice) = 0;

  virtual std::unique_ptr<GroupMessages> sends(const Division& division) = 0;
  virtual std::unique_ptr<GroupMessages> receives(const Division& division) = 0;
};

}  // namespace raddle::partitioned
