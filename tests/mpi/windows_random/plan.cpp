// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <algorithm>
#include <cstring>

#include "../traffic/random.hpp"

namespace raddle::windows_random {

using traffic::mix;
using traffic::Random;

namespace {

template <typename Number>
Element element(const char* name, MPI_Datatype type) {
  return {name, type, sizeof(Number),
          [](void* to, std::int64_t value) {
            const auto number = static_cast<Number>(value);
            std::memcpy(to, &number, sizeof number);
          },
          [](const void* from) {
            Number number;
            std::memcpy(&number, from, sizeof number);
            return static_cast<std::int64_t>(number);
          }};
}

/// As a cell of this type has it: integers wrap around.
std::int64_t as(const Element& element, std::int64_t value) {
  std::uint64_t place = 0;
  element.store(&place, value);
  return element.load(&place);
}

std::int64_t combine(const Element& element, MPI_Op op, std::int64_t old, std::int64_t operand) {
  if (op == MPI_SUM) return as(element, old + operand);
  if (op == MPI_MAX) return std::max(old, operand);
  if (op == MPI_MIN) return std::min(old, operand);
  return op == MPI_REPLACE ? operand : old;
}

}  // namespace

const std::vector<Element>& elements() {
  static const std::vector<Element> all{element<std::int8_t>("MPI_INT8_T", MPI_INT8_T),
                                        element<std::int16_t>("MPI_INT16_T", MPI_INT16_T),
                                        element<std::int32_t>("MPI_INT32_T", MPI_INT32_T),
                                        element<std::int64_t>("MPI_INT64_T", MPI_INT64_T),
                                        element<std::uint32_t>("MPI_UINT32_T", MPI_UINT32_T),
                                        element<float>("MPI_FLOAT", MPI_FLOAT),
                                        element<double>("MPI_DOUBLE", MPI_DOUBLE)};
  return all;
}

std::vector<Task> tasks(std::uint64_t seed, int ranks, int cells, const Element&) {
  std::vector<Task> all;
  for (int target = 0; target < ranks; ++target) {
    for (int first = 0; first + block <= cells; first += block) {
      Random random(mix({seed, static_cast<std::uint64_t>(target), static_cast<std::uint64_t>(first)}));
      const auto duty = static_cast<Duty>(random.below(6));
      const int owner = static_cast<int>(random.below(static_cast<std::size_t>(ranks)));
      all.push_back({target, first, duty, owner, random.chance(40), random.next()});
    }
  }
  return all;
}

std::int64_t value(const Element&, std::uint64_t seed, int rank, int at) {
  const std::uint64_t mixed = mix({seed, static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(at)});
  return static_cast<std::int64_t>(mixed % 7);
}

std::vector<Step> steps(const Task& task, const Element& element, Cells& cells) {
  Random random(task.seed);
  std::vector<Step> all;
  for (std::size_t n = 1 + random.below(4); n > 0; --n) {
    Step step{};
    step.call = static_cast<Step::Call>(random.below(4));
    const bool one = step.call == Step::Call::fetch_and_op || step.call == Step::Call::compare_and_swap;
    if (step.call == Step::Call::compare_and_swap && (element.type == MPI_FLOAT || element.type == MPI_DOUBLE))
      step.call = Step::Call::fetch_and_op;  // it is for integers (MPI-4.1 section 12.3.4)
    const std::vector<MPI_Op> ops{MPI_SUM, MPI_MAX, MPI_MIN, MPI_REPLACE, MPI_NO_OP};
    step.op = ops[random.below(step.call == Step::Call::accumulate ? 4 : 5)];
    step.cell = static_cast<int>(random.below(block));
    step.count = one ? 1 : 1 + static_cast<int>(random.below(static_cast<std::size_t>(block - step.cell)));
    for (int i = 0; i < step.count; ++i) {
      std::int64_t& cell = cells[static_cast<std::size_t>(task.first + step.cell + i)];
      const auto operand = static_cast<std::int64_t>(random.below(9));
      step.operands.push_back(operand);
      step.before.push_back(cell);
      if (step.call == Step::Call::compare_and_swap) {
        step.expected = random.chance(60) ? cell : as(element, cell + 1);
        if (step.expected == cell) cell = operand;
      } else {
        cell = combine(element, step.op, cell, operand);
      }
    }
    all.push_back(std::move(step));
  }
  return all;
}

void apply(const Task& task, const Element& element, int ranks, Cells& cells) {
  if (task.duty == Duty::steps) {
    steps(task, element, cells);
    return;
  }
  for (int i = 0; i < block; i += task.strided ? 2 : 1) {
    std::int64_t& cell = cells[static_cast<std::size_t>(task.first + i)];
    if (task.duty == Duty::put) cell = value(element, task.seed, task.owner, i);
    if (task.duty != Duty::sum && task.duty != Duty::greatest) continue;
    for (int rank = 0; rank < ranks; ++rank)
      cell = combine(element, task.duty == Duty::sum ? MPI_SUM : MPI_MAX, cell, value(element, task.seed, rank, i));
  }
}

}  // namespace raddle::windows_random
