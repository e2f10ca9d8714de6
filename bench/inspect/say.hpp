// SPDX-License-Identifier: BSD-3-Clause
// What the program says: one JSON object a line, flushed at once, so that a crash right after costs nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace raddle::inspect {

void say(const nlohmann::ordered_json& line);

/// The outcome of a trial as the first rank that knows it tells it: `right`, `wrong` or `hang`.
void say_outcome(const std::string& trial, const std::string& outcome, const std::string& detail = {});

}  // namespace raddle::inspect
