// SPDX-License-Identifier: BSD-3-Clause
#include "core/registry.hpp"

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

}  // namespace

const Benchmark& Registry::benchmark(const std::string& name) const { return find_in(benchmarks_, "benchmark", name); }

const Variant& Registry::variant(const std::string& name) const { return find_in(variants_, "variant", name); }

void Registry::check(const Plan& plan) const {
  for (const PointSet& set : plan.sets) {
    static_cast<void>(benchmark(set.benchmark));
    for (const std::string& name : set.variants) static_cast<void>(variant(name));
  }
}

}  // namespace raddle::bench
