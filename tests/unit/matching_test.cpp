// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <random>
#include <ranges>
#include <vector>

#include "effort.hpp"

namespace raddle::direct {
namespace {

/// The rules in the simplest words: two lists, looked through from the front.
struct Model {
  std::list<Posted*> posted;
  std::list<Arrived*> arrived;

  static bool fits(int asked, int has) { return asked == any ? has >= 0 : asked == has; }

  Posted* match(int source, int tag) {
    const auto found = std::ranges::find_if(
        posted, [&](const Posted* receive) { return fits(receive->source, source) && fits(receive->tag, tag); });
    if (found == posted.end()) return nullptr;
    Posted* const receive = *found;
    posted.erase(found);
    return receive;
  }

  [[nodiscard]] Arrived* find(int source, int tag) const {
    const auto found = std::ranges::find_if(
        arrived, [&](const Arrived* message) { return fits(source, message->source) && fits(tag, message->tag); });
    return found == arrived.end() ? nullptr : *found;
  }
};

/// What there is to match, and the model beside what is tested.
class Play {
 public:
  Play(std::mt19937_64::result_type seed, int sources, int tags)
      : random_(seed), sources_(sources), tags_(tags), matching_(sources) {}

  void step() {
    switch (random_() % 8) {
      case 0:
      case 1:
        return receive();
      case 2:
      case 3:
        return message();
      case 4:
        return withdraw();
      case 5:
        return take_any();
      default:
        return look();
    }
  }

  void compare_order() {
    std::vector<const Posted*> posted;
    matching_.each_posted([&](const Posted& receive) { posted.push_back(&receive); });
    // In their order but for receives of different sources with none from any between them.
    ASSERT_TRUE(std::ranges::is_permutation(posted, model_.posted));
    for (int source = any; source < sources_; ++source) {
      const auto beside = [&](const Posted* receive) { return receive->source == source || receive->source == any; };
      ASSERT_TRUE(std::ranges::equal(posted | std::views::filter(beside), model_.posted | std::views::filter(beside)));
    }
    std::vector<Arrived*> arrived;
    matching_.each_arrived([&](Arrived& message) { arrived.push_back(&message); });
    ASSERT_TRUE(std::ranges::equal(arrived, model_.arrived));
  }

 private:
  int draw(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  int draw_or_any(int limit) { return random_() % 3 == 0 ? any : draw(limit); }
  /// Now and then one that no wildcard finds.
  int draw_tag() { return random_() % 4 == 0 ? -2 - draw(2) : draw(tags_); }
  int asked_tag() { return random_() % 3 == 0 ? any : draw_tag(); }

  /// As an engine does: takes what has come, or posts.
  void receive() {
    const int source = draw_or_any(sources_);
    const int tag = asked_tag();
    Arrived* const found = matching_.find(source, tag);
    ASSERT_EQ(found, model_.find(source, tag));
    if (found != nullptr) return take(*found);
    Posted& receive = *receives_.emplace_back(std::make_unique<Posted>());
    receive.source = source;
    receive.tag = tag;
    ASSERT_FALSE(Matching::waits(receive));
    matching_.post(receive);
    model_.posted.push_back(&receive);
    ASSERT_TRUE(Matching::waits(receive));
  }

  void message() {
    const int source = draw(sources_);
    const int tag = draw_tag();
    Posted* const matched = matching_.match(source, tag);
    ASSERT_EQ(matched, model_.match(source, tag));
    if (matched != nullptr) {
      ASSERT_FALSE(Matching::waits(*matched));
      return;
    }
    Arrived& kept = *messages_.emplace_back(std::make_unique<Arrived>());
    kept.source = source;
    kept.tag = tag;
    matching_.keep(kept);
    model_.arrived.push_back(&kept);
  }

  void withdraw() {
    if (model_.posted.empty()) return;
    const auto chosen = std::next(model_.posted.begin(), draw(static_cast<int>(model_.posted.size())));
    matching_.withdraw(**chosen);
    ASSERT_FALSE(Matching::waits(**chosen));
    model_.posted.erase(chosen);
  }

  void take_any() {
    if (model_.arrived.empty()) return;
    take(**std::next(model_.arrived.begin(), draw(static_cast<int>(model_.arrived.size()))));
  }

  void take(Arrived& message) {
    matching_.take(message);
    model_.arrived.remove(&message);
  }

  void look() {
    const int source = draw_or_any(sources_);
    const int tag = asked_tag();
    ASSERT_EQ(matching_.find(source, tag), model_.find(source, tag));
  }

  std::mt19937_64 random_;
  int sources_;
  int tags_;
  std::vector<std::unique_ptr<Posted>> receives_;
  std::vector<std::unique_ptr<Arrived>> messages_;
  Matching matching_;
  Model model_;
};

class MatchingTest : public testing::TestWithParam<int> {};

TEST_P(MatchingTest, DoesAsTwoListsDo) {
  for (int round = 0; round < 10 * test::effort(); ++round) {
    const auto seed = test::new_seed();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Play play(seed, GetParam(), 1 + static_cast<int>(seed % 5));
    for (int step = 0; step < 3000; ++step) {
      play.step();
      if (step % 100 == 0) play.compare_order();
      if (HasFatalFailure()) return;
    }
  }
}

// More than there are buckets for, so that several sources share one.
INSTANTIATE_TEST_SUITE_P(Sources, MatchingTest, testing::Values(1, 2, 3, 17, 600), testing::PrintToStringParamName());

Posted asking(int source, int tag) {
  Posted receive;
  receive.source = source;
  receive.tag = tag;
  return receive;
}

TEST(Matching, GivesAMessageToTheEarliestReceiveWhateverItsWildcards) {
  constexpr int sources = 300;
  constexpr int source = 299;
  constexpr int tag = 7;
  Posted receives[] = {asking(source, tag), asking(source, any), asking(any, tag), asking(any, any)};
  int order[] = {0, 1, 2, 3};
  do {
    Matching matching(sources);
    for (int i : order) matching.post(receives[i]);
    for (int i : order) ASSERT_EQ(matching.match(source, tag), &receives[i]);
    ASSERT_EQ(matching.match(source, tag), nullptr);
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

TEST(Matching, TellsSourcesOfOneBucketApart) {
  Matching matching(1024);
  Posted first = asking(5, any);
  Posted second = asking(5 + 256, any);
  matching.post(first);
  matching.post(second);
  EXPECT_EQ(matching.match(5 + 512, 0), nullptr);
  EXPECT_EQ(matching.match(5 + 256, 0), &second);
  Arrived message;
  message.source = 5;
  matching.keep(message);
  EXPECT_EQ(matching.find(5 + 256, any), nullptr);
  EXPECT_EQ(matching.find(5, any), &message);
}

}  // namespace
}  // namespace raddle::direct
