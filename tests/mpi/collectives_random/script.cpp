// SPDX-License-Identifier: BSD-3-Clause
#include "script.hpp"

#include <algorithm>
#include <numeric>

#include "../traffic/random.hpp"
#include "core/text.hpp"
#include "exceptions.hpp"
#include "forms.hpp"
#include "operators.hpp"

namespace raddle::collectives {
namespace {

using traffic::mix;
using traffic::Random;

constexpr std::size_t kib = 1024;
constexpr std::size_t most_bytes = 2048 * kib;  // that a rank sends or receives in one operation

/// Around the sizes at which MPIs and Raddle change how they do it.
std::size_t random_bytes(Random& random) {
  static const std::vector<std::size_t> small{0,  1,  4,  7,  8,  12, 16, 24, 31,  32,
                                              33, 40, 48, 56, 63, 64, 65, 96, 128, 200};
  static const std::vector<std::size_t> middle{512, kib, 2 * kib, 4 * kib, 4 * kib, 8 * kib, 16 * kib};
  static const std::vector<std::size_t> large{32 * kib, 64 * kib, 64 * kib, 128 * kib};
  const std::size_t kind = random.below(1000);
  const std::size_t around = random.below(3);
  if (kind < 700) return random.pick(small);
  if (kind < 930) return random.pick(middle) + around - 1;
  return kind < 995 ? random.pick(large) + around - 1 : 1024 * kib;
}

void choose_operands(Call& call, Random& random) {
  static const std::vector<std::size_t> grains{1, 2, 3, 4, 6, 12};
  call.op = Op::none;
  call.grain = random.chance(40) ? 0 : random.pick(grains);
  if (!reduces(call.kind)) {
    call.element = &random.pick(elements());
    return;
  }
  if (random.chance(35)) {
    call.element = &couple();
    call.op = random.pick(couple().ops);
    return;
  }
  call.grain = 0;  // an operator of MPI's own takes no derived datatype
  do {
    call.op = Op::none;
    call.element = &random.pick(elements());
    if (!call.element->ops.empty()) call.op = random.pick(call.element->ops);
  } while (call.op == Op::none || call.element == &couple());
}

void choose_amounts(Call& call, bool symmetrical, Random& random) {
  const std::size_t grain = std::max<std::size_t>(call.grain, 1);
  const auto size = static_cast<std::size_t>(call.size);
  const std::size_t blocks = call.kind == Kind::bcast || call.kind == Kind::barrier ? 1 : size;
  const std::size_t bytes = std::min(random_bytes(random), most_bytes / blocks);
  const std::size_t usual = (bytes / call.element->extent + grain - 1) / grain;  // in grains
  if (!varied(call.kind)) {
    call.amounts = {usual * grain};
    return;
  }
  const auto some = [&] { return random.chance(25) ? 0 : random.below(2 * usual + 2) * grain; };
  const bool matrix = individual(call.kind) && call.graph == nullptr;
  std::size_t count = matrix ? size * size : size;
  if (call.graph && individual(call.kind)) {
    for (const auto& out : call.graph->out) count = std::max(count, size * out.size());
  }
  for (std::size_t i = 0; i < count; ++i) call.amounts.push_back(some());
  if (matrix && symmetrical) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < i; ++j) call.amounts[i * size + j] = call.amounts[j * size + i];
    }
  }
}

Kind random_kind(const Graph* graph, const Rules& rules, Random& random) {
  if (graph && rules.neighborhoods && random.chance(70))
    return static_cast<Kind>(plain_kinds + random.below(kinds - plain_kinds));
  return static_cast<Kind>(random.below(plain_kinds));
}

Call make_call(std::uint64_t key, const Choice& choice, const Rules& rules) {
  Random random(key);
  Call call{};
  call.key = key;
  call.size = choice.size;
  bool refused = false;
  do {
    call.which = static_cast<int>(random.below(choice.graphs.size()));
    const Graph* graph = choice.graphs[static_cast<std::size_t>(call.which)];
    call.kind = random_kind(graph, rules, random);
    call.graph = neighborhood(call.kind) ? graph : nullptr;
    call.mode = call.kind == Kind::reduce_local ? Mode::blocking : static_cast<Mode>(random.below(modes));
    call.large = random.chance(30);
    call.in_place = can_be_in_place(call.kind) && random.chance(30);
    call.forgetful = random.chance(30);
    call.garbage = random.chance(50);
    call.root = static_cast<int>(random.below(static_cast<std::size_t>(call.size)));
    call.starts = call.mode == Mode::persistent ? 1 + static_cast<int>(random.below(3)) : 1;
    choose_operands(call, random);
    // MPI_Reduce_local takes no communicator: it is the MPI's own on endpoints too.
    const bool spare = rules.spare || call.kind == Kind::reduce_local;
    if (spare) tame(call);
    call.amounts.clear();
    choose_amounts(call, call.in_place, random);
    if (call.large && !form(call.kind, call.mode, true).call) call.large = false;
    refused = !form(call.kind, call.mode, call.large).call || (spare && excepted(call));
  } while (refused);
  return call;
}

}  // namespace

std::size_t Call::units(int from, int to) const {
  if (amounts.size() == 1) return amounts.front();
  const auto f = static_cast<std::size_t>(from);
  const auto t = static_cast<std::size_t>(to);
  if (individual(kind)) return amounts[f * (amounts.size() / static_cast<std::size_t>(size)) + t];
  return amounts[kind == Kind::scatterv || kind == Kind::reduce_scatter ? t : f];
}

std::size_t Call::vector() const {
  if (kind == Kind::reduce_scatter) return std::accumulate(amounts.begin(), amounts.end(), std::size_t{0});
  return kind == Kind::reduce_scatter_block ? amounts.front() * static_cast<std::size_t>(size) : amounts.front();
}

std::string Call::describe() const {
  std::string words = form(kind, mode, large).name;
  if (kind == Kind::barrier) return words;
  std::vector<std::size_t> shown = amounts;
  const bool more = shown.size() > 16;
  if (more) shown.resize(16);
  words += bench::text(", ", bench::join(shown), more ? ", ..." : "", " x ", element->name);
  if (reduces(kind)) words += bench::text(", ", name_of(op));
  if (rooted(kind)) words += bench::text(", root ", root);
  if (in_place) words += ", in place";
  if (grain > 0) words += bench::text(", derived datatypes of up to ", grain, forgetful ? ", freed" : "");
  if (garbage) words += ", nonsense where it must not matter";
  return words;
}

Batch make_batch(std::uint64_t key, const Choice& choice, const Rules& rules) {
  Batch batch;
  Random random(key);
  for (std::size_t n = 1 + random.below(5); n > 0; --n) {
    Call call = make_call(mix({key, n}), choice, rules);
    const int number = static_cast<int>(batch.calls.size());
    for (int start = 0; start < call.starts; ++start) batch.steps.push_back(number);
    batch.calls.push_back(std::move(call));
  }
  random.shuffle(batch.steps);
  return batch;
}

}  // namespace raddle::collectives
