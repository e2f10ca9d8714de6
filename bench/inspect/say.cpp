// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/say.hpp"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace raddle::inspect {

using Json = nlohmann::ordered_json;

void say(const Json& line) {
  // A vendor's variable may hold anything: invalid UTF-8 is replaced, never fatal.
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  // Not through stdio: the watchdog speaks while another thread may hang inside it.
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = write(STDOUT_FILENO, rest.data(), rest.size());
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void say_outcome(const std::string& trial, const std::string& outcome, const std::string& detail) {
  Json line;
  line["type"] = "outcome";
  line["trial"] = trial;
  line["outcome"] = outcome;
  line["detail"] = detail;
  say(line);
}

}  // namespace raddle::inspect
