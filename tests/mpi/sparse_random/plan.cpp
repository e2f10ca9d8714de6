// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <mpi.h>

#include <array>
#include <numeric>

#include "mpi/sparse_names.hpp"

namespace raddle::sparse_random {
namespace {

using traffic::mix;
using traffic::Random;

Form any_form(Random& random) {
  constexpr std::array forms{Form::blocking,    Form::blocking, Form::nonblocking, Form::nonblocking,
                             Form::nonblocking, Form::each,     Form::ask,         Form::persistent};
  return forms.at(random.below(forms.size()));
}

/// How many messages a rank sends: patterns that programs have.
std::vector<int> any_dests(int rank, int size, unsigned pattern, Random& random) {
  const auto any_rank = [&] { return static_cast<int>(random.below(static_cast<std::size_t>(size))); };
  std::vector<int> dests;
  switch (pattern) {
    case 0:  // empty
      break;
    case 1:  // all to one
      dests.assign(random.below(3), size - 1);
      break;
    case 2:  // nearest neighbours
      dests = {(rank + 1) % size, (rank + size - 1) % size};
      break;
    case 3:  // skewed: only some send, and those a lot
      for (std::size_t i = rank % 3 == 0 ? random.below(40) : 0; i > 0; --i) dests.push_back(any_rank());
      break;
    case 4:  // everybody to everybody, oneself as well
      for (int i = 0; i < size; ++i) dests.push_back((rank + i) % size);
      break;
    default:
      for (std::size_t i = random.below(7); i > 0; --i) dests.push_back(random.chance(6) ? MPI_PROC_NULL : any_rank());
  }
  return dests;
}

int any_length(Random& random) {
  if (random.chance(18)) return 0;
  if (random.chance(4)) return static_cast<int>(1000 + random.below(20'000));
  return static_cast<int>(1 + random.below(random.chance(20) ? 300 : 12));
}

Round make_round(std::uint64_t seed, testing::Ranks ranks, int size) {
  Random random(seed);
  Round round;
  round.form = any_form(random);
  round.on_second = random.chance(25);
  constexpr std::array radices{"2", "3", "8"};
  const std::vector<const char*> known = testing::algorithms(ranks);
  if (random.chance(75)) round.algorithm = known.at(random.below(known.size()));
  if (random.chance(20)) round.radix = radices.at(random.below(radices.size()));
  for (Side* side : {&round.out, &round.in}) *side = {1 + static_cast<int>(random.below(4)), random.next()};
  // Questions have one datatype.
  const int words_each =
      round.form == Form::ask ? round.out.words_each : std::lcm(round.out.words_each, round.in.words_each);
  round.starts = static_cast<int>(1 + random.below(6));
  round.talks = random.chance(25);
  const auto pattern = static_cast<unsigned>(random.below(12));
  for (int rank = 0; rank < size; ++rank) {
    std::vector<Message>& messages = round.from.emplace_back();
    for (const int dest : any_dests(rank, size, pattern, random))
      messages.push_back({random.next(), dest, words_each * any_length(random)});
    // Words of nothing but zeros are as good as others.
    if (random.chance(5)) {
      for (Message& message : messages) message.key = 0;
    }
  }
  return round;
}

}  // namespace

testing::Shape Side::make_shape() const {
  Random random(shape);
  return testing::Shape::any(words_each, random);
}

Words Message::content(int start) const {
  Words all(static_cast<std::size_t>(words));
  if (key == 0) return all;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<int>(mix({key, static_cast<std::uint64_t>(start), i}));
  return all;
}

std::vector<Arrival> Round::arriving(int rank, int start) const {
  std::vector<Arrival> all;
  for (std::size_t source = 0; source < from.size(); ++source) {
    for (const Message& message : from[source]) {
      if (message.dest == rank) all.push_back({static_cast<int>(source), message.content(start)});
    }
  }
  return all;
}

Words Round::answer(int rank, const Words& question) const {
  if (question.empty() || question[0] % 5 == 1) return {};
  const auto of = static_cast<std::uint64_t>(static_cast<unsigned>(question[0]));
  const std::uint64_t key = mix({of, question.size(), static_cast<std::uint64_t>(rank)});
  Words all((key % 100 == 0 ? 3000 : key % 9) * static_cast<std::size_t>(in.words_each));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(mix({key, i}));
  return all;
}

std::vector<Round> make_episode(std::uint64_t seed, testing::Ranks ranks, int size, int number) {
  const std::uint64_t own = mix({seed, static_cast<std::uint64_t>(number), 8});
  std::vector<Round> rounds;
  for (std::size_t i = 0; i < 4 + own % 30; ++i) rounds.push_back(make_round(mix({own, i}), ranks, size));
  return rounds;
}

}  // namespace raddle::sparse_random
