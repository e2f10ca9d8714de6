// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/text.hpp"

namespace raddle::bench {
namespace {

using Json = nlohmann::json;

void only_keys(const Json& object, std::string_view where, std::initializer_list<std::string_view> allowed) {
  if (!object.is_object()) throw PlanError(text(where, " must be an object"));
  for (const auto& item : object.items()) {
    if (std::ranges::find(allowed, item.key()) == allowed.end()) {
      throw PlanError(text(where, " has the unknown key '", item.key(), "'; allowed: ", join(allowed)));
    }
  }
}

template <typename T>
void read(const Json& object, const char* key, T& value) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  try {
    found->get_to(value);
  } catch (const Json::exception&) {
    throw PlanError(text("'", key, "' has a value of the wrong type: ", found->dump()));
  }
}

template <typename T>
void require_range(const char* key, T value, T lo, T hi) {
  if (value < lo || value > hi) throw PlanError(text("'", key, "' is ", value, "; allowed: ", lo, " to ", hi));
}

template <typename Enum, std::size_t N>
Enum read_name(const Json& object, const char* key, Enum fallback,
               const std::array<std::pair<std::string_view, Enum>, N>& names) {
  std::string given;
  read(object, key, given);
  if (given.empty()) return fallback;
  std::vector<std::string_view> allowed;
  for (const auto& [name, value] : names) {
    if (name == given) return value;
    allowed.push_back(name);
  }
  throw PlanError(text("'", key, "' is '", given, "'; allowed: ", join(allowed)));
}

constexpr std::array<std::pair<std::string_view, Placement>, 5> placements{{{"one-process", Placement::one_process},
                                                                            {"node", Placement::node},
                                                                            {"no-shm", Placement::no_shm},
                                                                            {"netns", Placement::netns},
                                                                            {"nodes", Placement::nodes}}};
constexpr std::array<std::pair<std::string_view, Pin>, 3> pins{
    {{"none", Pin::none}, {"compact", Pin::compact}, {"spread", Pin::spread}}};

Sampling parse_sampling(const Json& json) {
  only_keys(
      json, "'sampling'",
      {"min_samples", "max_samples", "batch", "half_width", "min_sample_seconds", "max_seconds", "warmup_seconds"});
  Sampling s;
  read(json, "min_samples", s.min_samples);
  read(json, "max_samples", s.max_samples);
  read(json, "batch", s.batch);
  read(json, "half_width", s.half_width);
  read(json, "min_sample_seconds", s.min_sample_seconds);
  read(json, "max_seconds", s.max_seconds);
  read(json, "warmup_seconds", s.warmup_seconds);
  require_range("min_samples", s.min_samples, 1, 1'000'000);
  require_range("max_samples", s.max_samples, s.min_samples, 1'000'000);
  require_range("batch", s.batch, 1, 10'000);
  require_range("half_width", s.half_width, 0.0, 1.0);
  require_range("min_sample_seconds", s.min_sample_seconds, 0.0, 10.0);
  require_range("max_seconds", s.max_seconds, 0.0, 3600.0);
  require_range("warmup_seconds", s.warmup_seconds, 0.0, 600.0);
  return s;
}

Value parse_value(const std::string& name, const Json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  throw PlanError(text("'", name, "' must be a number or a word, and is ", value.dump()));
}

template <typename T>
const T& find_value(const Work& work, const std::string& name) {
  const auto found = work.params.find(name);
  if (found == work.params.end() || !std::holds_alternative<T>(found->second)) {
    throw PlanError(text("this benchmark has no parameter '", name, "' of the type it asks for"));
  }
  return std::get<T>(found->second);
}

PointSet parse_set(const Json& json) {
  only_keys(json, "a set", {"benchmark", "placement", "variants", "params"});
  PointSet set;
  read(json, "benchmark", set.benchmark);
  read(json, "variants", set.variants);
  set.placement = read_name(json, "placement", Placement::node, placements);
  if (set.benchmark.empty()) throw PlanError("a set needs 'benchmark'");
  if (set.variants.empty()) throw PlanError(text("the set of '", set.benchmark, "' needs 'variants'"));
  const Json params = json.value("params", Json::object());
  if (!params.is_object()) throw PlanError("'params' must be an object");
  for (const auto& [name, value] : params.items()) set.work.params.emplace(name, parse_value(name, value));
  return set;
}

}  // namespace

Plan parse_plan(const std::string& content) {
  Json json;
  try {
    json = Json::parse(content);
  } catch (const Json::parse_error& error) {
    throw PlanError(text("the plan is not JSON: ", error.what()));
  }
  only_keys(json, "the plan",
            {"schema", "launch", "block", "seed", "mpi", "profile", "pin", "sampling", "patience", "sets"});
  int schema = 0;
  read(json, "schema", schema);
  if (schema != 1) throw PlanError(text("'schema' is ", schema, "; this program reads 1"));
  Plan plan;
  read(json, "launch", plan.launch);
  read(json, "block", plan.block);
  read(json, "seed", plan.seed);
  read(json, "mpi", plan.mpi);
  read(json, "profile", plan.profile);
  plan.pin = read_name(json, "pin", Pin::compact, pins);
  if (json.contains("sampling")) plan.sampling = parse_sampling(json["sampling"]);
  read(json, "patience", plan.patience);
  require_range("patience", plan.patience, 0.1, 86'400.0);
  const Json sets = json.value("sets", Json::array());
  if (!sets.is_array() || sets.empty()) throw PlanError("'sets' must be a list of at least one set");
  for (const Json& set : sets) plan.sets.push_back(parse_set(set));
  return plan;
}

std::int64_t Work::whole(const std::string& name) const { return find_value<std::int64_t>(*this, name); }
double Work::real(const std::string& name) const { return find_value<double>(*this, name); }
const std::string& Work::word(const std::string& name) const { return find_value<std::string>(*this, name); }

std::string to_string(Placement placement) {
  for (const auto& [name, value] : placements) {
    if (value == placement) return std::string(name);
  }
  return "?";
}

}  // namespace raddle::bench
