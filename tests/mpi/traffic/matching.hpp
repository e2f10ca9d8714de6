// SPDX-License-Identifier: BSD-3-Clause
// What MPI promises of matching, as a check of what one receiver saw. No MPI in here.
//
// MPI-4.1 section 3.5, "Order", for single-threaded senders and receivers (a probe followed by the receive of what it
// told of counts as one receive at the probe's place: section 3.8):
//   (1) if a sender sends two messages in succession to the same destination, and both match the same receive, then
//       this receive cannot get the second while the first is pending;
//   (2) if a receiver posts two receives in succession, and both match the same message, then the second cannot be
//       satisfied by this message while the first is pending.
// "Pending" is a matter of time, which nobody sees. An outcome is legal if there is an order in which its pairs of
// receive and message can have come about one by one, neither rule forbidding any. That is so if and only if
//
//   for every receive r that got message m of source s, each message of s that was sent before m and that r accepts
//   was received by a receive posted before r.
//
// If: let the pairs come about in the order of posting. At r's turn all receives posted before it are through, which
// is rule 2, and with them all messages that rule 1 speaks of. Only if: say that receive q, posted after r, got an
// earlier message m' of s that r accepts. Rule 1 wants q's pair before r's, rule 2 r's before q's.
//
// The rules say nothing of messages of different senders, nor of messages of one sender that no receive can both take:
// an MPI that keeps a queue for each tag is right too.
#pragma once

#include <string>
#include <vector>

namespace raddle::traffic {

/// For a source or a tag. An MPI's own constants differ, and may be any negative number.
constexpr int any = -1;

struct Pattern {
  int source;
  int tag;

  [[nodiscard]] bool accepts(int from, int with) const noexcept {
    return (source == any || source == from) && (tag == any || tag == with);
  }
};

/// A receive that is complete, and which of its source's messages it got.
struct Taken {
  Pattern pattern;
  int source;
  int number;
};

/// The tags of what a source sent to this receiver, in the order of sending; by source.
using Sent = std::vector<std::vector<int>>;

/// @param receives in the order of posting
/// @returns an empty string if the outcome is legal and every message was received once, else what is wrong
std::string judge(const Sent& sent, const std::vector<Taken>& receives);

/// Which of its source's messages a receive must have got that told of this source and tag: with equal envelopes the
/// rules leave no choice, the earlier receive gets the earlier message.
/// @param earlier how many receives posted before told of the same source and tag
/// @returns the message's number, -1 if there were not so many
int due(const Sent& sent, int source, int tag, int earlier);

std::string describe(const Pattern& pattern);

}  // namespace raddle::traffic
