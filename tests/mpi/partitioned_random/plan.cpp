// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace raddle::partitioned_random {
namespace {

using traffic::mix;
using traffic::Random;

constexpr std::size_t most_words = 60'000;

int number_of_partitions(Random& random) {
  if (random.chance(4)) return 0;
  if (random.chance(6)) return static_cast<int>(100 + random.below(400));
  if (random.chance(15)) return 1;
  return static_cast<int>(1 + random.below(24));
}

/// Two ways to divide the same words, or nearly.
void divide(Channel& channel, Random& random) {
  Side& out = channel.out;
  Side& in = channel.in;
  for (Side* side : {&out, &in})
    *side = {number_of_partitions(random), 0, 1 + static_cast<int>(random.below(4)), random.next()};
  if (out.partitions == 0 || in.partitions == 0 || random.chance(5)) return;
  std::size_t common = std::lcm(static_cast<std::size_t>(out.partitions * out.words_each),
                                static_cast<std::size_t>(in.partitions * in.words_each));
  if (common > most_words) {
    in.partitions = out.partitions;
    in.words_each = out.words_each;
    common = static_cast<std::size_t>(out.partitions * out.words_each);
  }
  const std::size_t room = std::max<std::size_t>(1, (random.chance(15) ? 4 * most_words : most_words / 16) / common);
  const std::size_t words = common * (1 + random.below(room));
  out.count = static_cast<int>(words) / (out.partitions * out.words_each);
  in.count = static_cast<int>(words) / (in.partitions * in.words_each);
  if (random.chance(8)) in.count += 1 + static_cast<int>(random.below(5));
  if (random.chance(4)) in.count -= 1;
}

void schedule(Channel& channel, int rounds, Random& random) {
  const auto any_round = [&] { return static_cast<int>(random.below(static_cast<std::size_t>(rounds))); };
  channel.made = random.chance(70) ? 0 : any_round();
  channel.freed = random.chance(80) ? rounds : std::max(channel.made, any_round());
  const unsigned often = random.chance(10) ? 0 : random.chance(60) ? 100 : 50;
  for (int round = 0; round < rounds; ++round)
    channel.active.push_back(round >= channel.made && round < channel.freed && random.chance(often));
}

}  // namespace

std::size_t Side::elements() const { return static_cast<std::size_t>(partitions) * static_cast<std::size_t>(count); }
std::size_t Side::words() const { return elements() * static_cast<std::size_t>(words_each); }

testing::Shape Side::make_shape() const {
  Random random(shape);
  return testing::Shape::any(words_each, random);
}

int Channel::word(int round, std::size_t i) const {
  return static_cast<int>(mix({key, static_cast<std::uint64_t>(round), i}));
}

Episode make_episode(std::uint64_t seed, int ranks, int number) {
  Random random(mix({seed, static_cast<std::uint64_t>(number), 5}));
  Episode episode;
  episode.rounds = 1 + static_cast<int>(random.below(8));
  const std::size_t channels = static_cast<std::size_t>(ranks) * (1 + random.below(4));
  const auto any_rank = [&] { return static_cast<int>(random.below(static_cast<std::size_t>(ranks))); };
  constexpr std::array policies{"auto", "none", "bulk", "fixed"};
  constexpr std::array sizes{"1", "1000", "16384"};
  for (std::size_t i = 0; i < channels; ++i) {
    Channel channel;
    channel.key = random.next();
    channel.sender = any_rank();
    channel.receiver = random.chance(4) ? MPI_PROC_NULL : any_rank();
    channel.tag = static_cast<int>(random.below(3));
    if (random.chance(60)) channel.policy = policies.at(random.below(policies.size()));
    if (random.chance(40)) channel.min_bytes = sizes.at(random.below(sizes.size()));
    divide(channel, random);
    schedule(channel, episode.rounds, random);
    episode.channels.push_back(channel);
  }
  for (int round = 0; round < episode.rounds; ++round) episode.talks.push_back(random.chance(50));
  return episode;
}

}  // namespace raddle::partitioned_random
