// SPDX-License-Identifier: BSD-3-Clause
#include "core/emit.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/build_info.hpp"
#include "core/registry.hpp"

namespace raddle::bench {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Value& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

Json params_json(const PointSet& set) {
  Json params;
  for (const auto& [name, value] : set.work.params) params[name] = json_of(value);
  params["placement"] = to_string(set.placement);
  return params;
}

/// A list with one entry a sample for each reading that any sample has; the first is the value itself of some.
void add_readings(Json& extra, const RowFacts& facts) {
  const std::vector<Reading>& readings = facts.benchmark.readings;
  for (std::size_t i = facts.benchmark.kind == Kind::reading ? 1 : 0; i < readings.size(); ++i) {
    Json list = Json::array();
    bool any = false;
    for (const Readings& sample : facts.record.readings) {
      list.push_back(sample[i]);  // NaN becomes null
      any = any || !std::isnan(sample[i]);
    }
    if (any) extra[std::string(readings[i].name)] = std::move(list);
  }
}

Json extra_json(const RowFacts& facts) {
  Json extra = Json::object();
  if (facts.benchmark.kind == Kind::rate) extra["flow_rate"] = facts.record.flows;
  if (facts.benchmark.kind == Kind::time) extra["slowest_flow"] = facts.record.flows;
  add_readings(extra, facts);
  if (!facts.path.empty()) extra["path"] = facts.path;
  if (!facts.record.trace.empty()) extra["trace"]["us"] = facts.record.trace;
  return extra;
}

Json begin_line(const char* type, const Plan& plan) {
  Json line;
  line["type"] = type;
  line["launch"] = plan.launch;
  line["block"] = plan.block;
  return line;
}

void print(const Json& line) {
  // Invalid UTF-8 (a vendor's variable) is replaced, never fatal.
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void describe_problem(Json& line, const std::string& code, const std::string& message, const PointSet* set,
                      const std::string& variant) {
  line["code"] = code;
  if (set != nullptr) {
    line["benchmark"] = set->benchmark;
    line["variant"] = variant;
    line["params"] = params_json(*set);
  }
  line["message"] = message;
}

}  // namespace

void Emitter::launch(const LaunchFacts& facts) {
  if (!prints_) return;
  Json line = begin_line("launch", plan_);
  line["seed"] = plan_.seed;
  line["mpi"] = plan_.mpi;
  line["profile"] = plan_.profile;
  line["clock"]["source"] = "CLOCK_MONOTONIC";
  line["clock"]["resolution_ns"] = facts.clock.resolution;
  line["clock"]["cost_ns"] = facts.clock.cost;
  for (const RankFacts& fact : facts.ranks) {
    Json& rank = line["ranks"].emplace_back();
    rank["rank"] = fact.rank;
    rank["host"] = fact.host;
    rank["pid"] = fact.pid;
    rank["cpus"] = fact.cpus;
  }
  line["build"]["compiler"] = build_info::compiler;
  line["build"]["flags"] = build_info::flags;
  line["build"]["type"] = build_info::type;
  line["build"]["version"] = build_info::version;
  line["steal_s"] = facts.stolen_seconds;
  if (facts.mpi) {
    line["library_version"] = facts.mpi->library_version;
    line["standard"] = facts.mpi->standard;
    line["level_requested"] = facts.mpi->level_requested;
    line["level_provided"] = facts.mpi->level_provided;
    Json& variables = line["cvars"] = Json::object();
    for (const auto& [name, value] : facts.mpi->control_variables) {
      std::visit([&variable = variables[name]](const auto& v) { variable = v; }, value);
    }
  }
  print(line);
}

void Emitter::row(const PointSet& set, const RowFacts& facts) {
  ++rows_;
  if (!prints_) return;
  Json line = begin_line("row", plan_);
  line["benchmark"] = set.benchmark;
  line["variant"] = facts.variant;
  line["params"] = params_json(set);
  line["params"]["processes"] = facts.processes;
  line["metric"] = facts.benchmark.metric;
  line["unit"] = facts.benchmark.unit;
  line["better"] = facts.benchmark.better;
  line["samples"] = facts.record.samples;
  line["switches"] = facts.record.switches;
  line["iterations"] = facts.record.iterations;
  line["warmup_samples"] = facts.record.warmup_samples;
  line["converged"] = facts.converged;
  line["validated_bytes"] = facts.record.validation.bytes;
  line["cpus"] = facts.cpus;
  line["busy_contexts"] = facts.busy;
  line["flags"] = facts.flags;
  line["extra"] = extra_json(facts);
  print(line);
}

void Emitter::error(const std::string& code, const std::string& message, const PointSet* set,
                    const std::string& variant) {
  ++errors_;
  Json line = begin_line("error", plan_);
  describe_problem(line, code, message, set, variant);
  print(line);
}

void Emitter::skip(const std::string& reason, const PointSet& set, const std::string& variant) {
  if (!prints_) return;
  Json line = begin_line("skip", plan_);
  describe_problem(line, "variant-unavailable", reason, &set, variant);
  print(line);
}

void Emitter::end(double seconds, double stolen_seconds) {
  if (!prints_) return;
  Json line = begin_line("end", plan_);
  line["seconds"] = seconds;
  line["steal_s"] = stolen_seconds;
  line["rows"] = rows_;
  line["errors"] = errors_;
  print(line);
}

void print_registry(const Registry& registry) {
  Json list;
  for (const auto& [name, benchmark] : registry.benchmarks()) {
    Json& entry = list["benchmarks"].emplace_back();
    entry["name"] = name;
    entry["summary"] = benchmark.summary;
    entry["metric"] = benchmark.metric;
    entry["unit"] = benchmark.unit;
    entry["better"] = benchmark.better;
    for (const Param& param : benchmark.params) {
      Json& about = entry["params"][param.name];
      about["default"] = json_of(param.default_value);
      about["summary"] = param.summary;
      if (!param.choices.empty()) about["choices"] = param.choices;
    }
  }
  for (const auto& [name, variant] : registry.variants()) {
    Json& entry = list["variants"].emplace_back();
    entry["name"] = name;
    entry["summary"] = variant.summary;
  }
  print(list);
}

}  // namespace raddle::bench
