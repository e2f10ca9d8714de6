// SPDX-License-Identifier: BSD-3-Clause
#include "core/registry.hpp"

#include <algorithm>
#include <ranges>

#include "core/text.hpp"

namespace raddle::bench {

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

void Registry::add(Benchmark benchmark) {
  const std::string name = benchmark.name;
  benchmarks_.insert_or_assign(name, std::move(benchmark));
}

void Registry::add(Variant variant) {
  const std::string name = variant.name;
  variants_.insert_or_assign(name, std::move(variant));
}

namespace {

template <typename Item>
const Item& find_in(const std::map<std::string, Item>& items, const char* what, const std::string& name) {
  const auto found = items.find(name);
  if (found == items.end()) {
    throw PlanError(text("unknown ", what, " '", name, "'; this program has: ", join(std::views::keys(items))));
  }
  return found->second;
}

std::string shown(const Value& value) {
  return std::visit([](const auto& v) { return text(v); }, value);
}

[[noreturn]] void refuse(const Param& param, const std::string& given, const std::string& allowed) {
  throw PlanError(text("'", param.name, "' is ", given, "; allowed: ", allowed));
}

/// A word that is one of the choices, a number in the range.
void check_value(const Param& param, const Value& given) {
  if (const auto* word = std::get_if<std::string>(&given)) {
    if (std::ranges::find(param.choices, *word) == param.choices.end()) {
      refuse(param, text("'", *word, "'"), join(param.choices));
    }
    return;
  }
  if (!param.range) return;
  const auto [least, most] = *param.range;
  if (const auto* fraction = std::get_if<double>(&given)) {
    if (!(*fraction > static_cast<double>(least) && *fraction <= static_cast<double>(most)))
      refuse(param, shown(given), text("above ", least, ", ", most, " at most"));
  } else if (const std::int64_t number = std::get<std::int64_t>(given); number < least || number > most) {
    refuse(param, shown(given), text(least, " to ", most));
  }
}

/// The value as the parameter's type. A whole number will do where a fraction may stand.
Value checked(const Param& param, Value given) {
  if (std::holds_alternative<double>(param.default_value) && std::holds_alternative<std::int64_t>(given)) {
    given = static_cast<double>(std::get<std::int64_t>(given));
  }
  if (given.index() != param.default_value.index()) {
    throw PlanError(
        text("'", param.name, "' is ", shown(given), "; it is of the type of ", shown(param.default_value)));
  }
  check_value(param, given);
  return given;
}

/// A whole number between `lo` and `hi`, where the benchmark has a parameter of that name.
template <typename T>
void read_shared(const Work& work, const std::string& name, T& value, std::int64_t lo, std::int64_t hi) {
  const auto found = work.params.find(name);
  if (found == work.params.end()) return;
  const std::int64_t given = std::get<std::int64_t>(found->second);
  if (given < lo || given > hi) throw PlanError(text("'", name, "' is ", given, "; allowed: ", lo, " to ", hi));
  value = static_cast<T>(given);
}

void complete_work(Work& work, const Benchmark& benchmark) {
  std::map<std::string, Value> params;
  for (const Param& param : benchmark.params) {
    const auto given = work.params.find(param.name);
    params.emplace(param.name, given == work.params.end() ? param.default_value : checked(param, given->second));
  }
  for (const std::string& name : std::views::keys(work.params)) {
    if (params.contains(name)) continue;
    throw PlanError(text(benchmark.name, " has no parameter '", name, "'; allowed: ", join(std::views::keys(params))));
  }
  work.params = std::move(params);
  read_shared(work, "bytes", work.bytes, 0, std::int64_t{1} << 30);
  read_shared(work, "threads", work.threads, 1, 4096);
  read_shared(work, "window", work.window, 1, 65'536);
}

}  // namespace

const Benchmark& Registry::benchmark(const std::string& name) const { return find_in(benchmarks_, "benchmark", name); }

const Variant& Registry::variant(const std::string& name) const { return find_in(variants_, "variant", name); }

void Registry::complete(Plan& plan) const {
  for (PointSet& set : plan.sets) {
    const Benchmark& about = benchmark(set.benchmark);
    complete_work(set.work, about);
    if (about.check != nullptr) about.check(set);
    for (const std::string& name : set.variants) static_cast<void>(variant(name));
  }
}

}  // namespace raddle::bench
