// SPDX-License-Identifier: BSD-3-Clause
#include "core/emit.hpp"

#include <cstdio>

namespace raddle::bench {

void Emitter::line(const std::string& type, Json body) {
  if (type == "row") ++rows_;
  if (type == "error") ++errors_;
  if (!prints_ && type != "error") return;
  Json full{{"type", type}, {"launch", launch_}, {"block", block_}};
  full.update(body);
  // Invalid UTF-8 (a vendor's variable) is replaced, never fatal.
  const std::string text = full.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Emitter::problem(const std::string& type, const std::string& code, const std::string& message, const PointSet* set,
                      const std::string& variant) {
  Json body{{"code", code}, {"message", message}};
  if (set != nullptr) {
    body["benchmark"] = set->benchmark;
    body["variant"] = variant;
    body["params"] = params_json(*set, 0);
  }
  line(type, std::move(body));
}

Json params_json(const PointSet& set, int processes) {
  Json params{{"bytes", set.work.bytes}, {"threads", set.work.threads}, {"window", set.work.window}, {"placement", to_string(set.placement)}};
  if (processes > 0) params["processes"] = processes;
  return params;
}

}  // namespace raddle::bench
