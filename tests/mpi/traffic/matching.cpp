// SPDX-License-Identifier: BSD-3-Clause
#include "matching.hpp"

#include <cstddef>

#include "core/text.hpp"

namespace raddle::traffic {
namespace {

using bench::text;

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

/// A number that is known to be none too small.
std::size_t place(int number) { return static_cast<std::size_t>(number); }

/// Which receive got each message.
class Takers {
 public:
  Takers(const Sent& sent, const std::vector<Taken>& receives) : sent_(sent), receives_(receives) {
    for (const auto& tags : sent) takers_.emplace_back(tags.size(), nobody);
  }

  /// @returns what is wrong when a message was received twice, or never
  std::string assign() {
    for (std::size_t r = 0; r < receives_.size(); ++r) {
      std::size_t& taker = takers_[place(receives_[r].source)][place(receives_[r].number)];
      if (taker != nobody) return text(receive(taker), " and ", receive(r), " got the same message");
      taker = r;
    }
    for (std::size_t s = 0; s < sent_.size(); ++s) {
      for (std::size_t m = 0; m < sent_[s].size(); ++m) {
        if (takers_[s][m] == nobody) return text("nobody got ", message(s, m));
      }
    }
    return "";
  }

  /// @returns what this receive left behind that it should have taken
  [[nodiscard]] std::string overtaking(std::size_t r) const {
    const Taken& taken = receives_[r];
    const std::size_t s = place(taken.source);
    for (std::size_t m = 0; m < place(taken.number); ++m) {
      if (takers_[s][m] > r && taken.pattern.accepts(taken.source, sent_[s][m]))
        return text(receive(r), " got ", message(s, place(taken.number)), ", which overtook ", message(s, m),
                    ": that was sent earlier, matches too, and went to ", receive(takers_[s][m]), ", posted later");
    }
    return "";
  }

 private:
  [[nodiscard]] std::string receive(std::size_t r) const {
    return text("receive ", r, " ", describe(receives_[r].pattern));
  }
  [[nodiscard]] std::string message(std::size_t source, std::size_t number) const {
    return text("message ", number, " of ", source, " (tag ", sent_[source][number], ")");
  }

  const Sent& sent_;
  const std::vector<Taken>& receives_;
  std::vector<std::vector<std::size_t>> takers_;  // by source and number
};

}  // namespace

std::string judge(const Sent& sent, const std::vector<Taken>& receives) {
  Takers takers(sent, receives);
  std::string wrong = takers.assign();
  for (std::size_t r = 0; r < receives.size() && wrong.empty(); ++r) wrong = takers.overtaking(r);
  return wrong;
}

int due(const Sent& sent, int source, int tag, int earlier) {
  const std::vector<int>& tags = sent[place(source)];
  for (std::size_t m = 0; m < tags.size(); ++m) {
    if (tags[m] == tag && earlier-- == 0) return static_cast<int>(m);
  }
  return -1;
}

std::string describe(const Pattern& pattern) {
  const auto one = [](int value) { return value == any ? std::string("any") : std::to_string(value); };
  return text("(source ", one(pattern.source), ", tag ", one(pattern.tag), ")");
}

}  // namespace raddle::traffic
