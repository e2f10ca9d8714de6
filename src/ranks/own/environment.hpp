// SPDX-License-Identifier: BSD-3-Clause
// The environment of a rank (environ(7)): at first that of the process.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "platform/spin_lock.hpp"
#include "ranks/bind.hpp"

namespace raddle::ranks {

class Environment {
 public:
  /// @param variables  with the one that points to the table
  explicit Environment(Variables& variables) : variables_(variables) {}
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  /// Takes over the process's, once the variables are where they stay.
  void begin(char** process);

  /// The table, which programs may replace by one of theirs.
  [[nodiscard]] char** table() const { return variables_.environment(); }

  /// nullptr: not set
  [[nodiscard]] char* value(std::string_view name);
  /// @param entry  NAME=VALUE, becomes part of the environment
  void put(char* entry);
  void set(std::string_view name, std::string_view value, bool overwrite);
  void unset(std::string_view name);
  void clear();

 private:
  [[nodiscard]] char** find(std::string_view name) const;
  void append(char* entry);

  Variables& variables_;
  platform::SpinLock guard_;
  std::vector<char*> own_;  ///< the table, unless the program has replaced it
};

}  // namespace raddle::ranks
