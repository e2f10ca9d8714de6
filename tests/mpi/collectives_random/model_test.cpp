// SPDX-License-Identifier: BSD-3-Clause
// What the judge of collectives takes for right.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "../traffic/failure.hpp"
#include "content.hpp"
#include "plan.hpp"
#include "topologies.hpp"

const char* const raddle::traffic::program = "collectives_model_test";

namespace raddle::collectives {
namespace {

class Model : public testing::Test {
 protected:
  void SetUp() override { make_elements(); }
  void TearDown() override { free_elements(); }

  static Call call(Kind kind, int size, std::vector<std::size_t> amounts) {
    Call made{};
    made.kind = kind;
    made.size = size;
    made.element = &couple();
    made.op = Op::affine;
    made.amounts = std::move(amounts);
    return made;
  }
};

bool equal(const Couple& a, const Couple& b) { return a.a == b.a && a.b == b.b; }

TEST_F(Model, OurOperatorIsAssociativeAndDoesNotCommute) {
  const Couple f{3, 0, 5};
  const Couple g{7, 0, 11};
  const Couple h{4000000000U, 0, 13};
  const auto then = [](const Couple& a, const Couple& b) { return combined_couple(Op::affine, a, b); };
  EXPECT_TRUE(equal(then(then(f, g), h), then(f, then(g, h))));
  EXPECT_FALSE(equal(then(f, g), then(g, f)));
  EXPECT_TRUE(equal(then(f, g), {21, 0, 46}));  // 7 (3 x + 5) + 11
}

TEST_F(Model, LocationsOfEqualValuesAreTheLeast) {
  using L = Located<int>;
  EXPECT_EQ(combined_located<int>(Op::maxloc, L{2, 9}, L{2, 4}).index, 4);
  EXPECT_EQ(combined_located<int>(Op::maxloc, L{2, 9}, L{1, 4}).index, 9);
  EXPECT_EQ(combined_located<int>(Op::minloc, L{2, 9}, L{1, 4}).index, 4);
}

TEST_F(Model, ValuesAreCombinedInTheOrderOfRanks) {
  const auto of = [](int first, int last) {
    Couple value{};
    std::memcpy(&value, Values(5, couple(), Op::affine, {first, last}).at(3).data(), sizeof value);
    return value;
  };
  const Couple wanted = combined_couple(Op::affine, combined_couple(Op::affine, of(0, 0), of(1, 1)), of(2, 2));
  EXPECT_TRUE(equal(of(0, 2), wanted));
}

TEST_F(Model, ScansEndWithOneselfOrBefore) {
  EXPECT_EQ(make_plan(call(Kind::scan, 4, {3}), 2).recv.parts[0].after->last, 2);
  EXPECT_EQ(make_plan(call(Kind::exscan, 4, {3}), 2).recv.parts[0].after->last, 1);
  EXPECT_TRUE(make_plan(call(Kind::exscan, 4, {3}), 0).recv.parts[0].open);
}

TEST_F(Model, ScatteredReductionsBeginBehindTheSharesOfLowerRanks) {
  const Plan plan = make_plan(call(Kind::reduce_scatter, 3, {4, 0, 5}), 2);
  EXPECT_EQ(plan.send.parts[0].units, 9U);
  EXPECT_EQ(plan.recv.parts[0].units, 5U);
  EXPECT_EQ(plan.recv.parts[0].after->offset, 4U);
}

TEST_F(Model, InPlaceTheInputIsWhereTheResultWillBe) {
  Call in_place = call(Kind::reduce_scatter_block, 3, {2});
  in_place.in_place = true;
  const Plan plan = make_plan(in_place, 1);
  EXPECT_EQ(plan.send.use, Side::Use::in_place);
  ASSERT_EQ(plan.recv.parts.size(), 2U);
  EXPECT_EQ(plan.recv.parts[0].after->offset, 2U);
  EXPECT_EQ(plan.recv.parts[1].units, 4U);
  EXPECT_TRUE(plan.recv.parts[1].open);
}

TEST_F(Model, NeighboursOnAGridSendToEachOther) {
  const Graph graph = graph_of({{2, 3}, {0, 1}});
  for (std::size_t to = 0; to < graph.in.size(); ++to) {
    for (const End& end : graph.in[to]) {
      if (end.rank == nobody) continue;
      const auto& out = graph.out[static_cast<std::size_t>(end.rank)];
      EXPECT_EQ(out[static_cast<std::size_t>(end.block)], static_cast<int>(to));
    }
  }
  EXPECT_EQ(graph.out[0], (std::vector<int>{nobody, 3, 2, 1}));
}

TEST_F(Model, EveryEdgeOfAGraphHasItsBlock) {
  for (std::uint64_t key = 0; key < 50; ++key) {
    const Graph graph = random_graph(key, 4, false);
    std::size_t in = 0;
    std::size_t out = 0;
    for (const auto& list : graph.out) out += list.size();
    for (std::size_t to = 0; to < graph.in.size(); ++to) {
      in += graph.in[to].size();
      for (const End& end : graph.in[to])
        EXPECT_EQ(graph.out[static_cast<std::size_t>(end.rank)].at(static_cast<std::size_t>(end.block)),
                  static_cast<int>(to));
    }
    EXPECT_EQ(in, out);
  }
}

}  // namespace
}  // namespace raddle::collectives
