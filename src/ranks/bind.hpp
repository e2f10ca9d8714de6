// SPDX-License-Identifier: BSD-3-Clause
// What the loader has bound to what all ranks share is bound to what is the rank's own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct link_map;

namespace raddle::ranks {

class Variables;

/// A file that is loaded for all, and the rank's copy of it.
struct Twin {
  std::uintptr_t begin;  ///< of the one for all
  std::uintptr_t end;
  std::uintptr_t copy;  ///< where the rank's begins
};

/// What to bind to what.
struct Bindings {
  Variables& variables;
  std::vector<Twin> twins;
  /// Places in the program for the only copies of variables of its private libraries.
  std::map<std::string, std::uintptr_t, std::less<>> copies;
};

/// Finds the places that the program has for the only copies of variables.
/// @param names  of its private libraries; those of the rank's own variables move there
void find_copies(const link_map& program, const std::vector<std::string>& names, Bindings& bindings);

/// Binds the addresses that a loaded file has got from the loader.
void bind(const link_map& file, const Bindings& bindings);

}  // namespace raddle::ranks
