// SPDX-License-Identifier: BSD-3-Clause
// What the loader has bound to what all ranks share is bound to what is the rank's own.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ranks/preferred.hpp"

struct link_map;

namespace raddle::ranks {

/// Where a rank's variables of the C library are: at first here, and in the program's own file if it has a place for
/// the only copy of one.
class Variables {
 public:
  Variables() = default;
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

  [[nodiscard]] char*& optarg() const { return *static_cast<char**>(places_[0]); }
  [[nodiscard]] int& optind() const { return *static_cast<int*>(places_[1]); }
  [[nodiscard]] int& opterr() const { return *static_cast<int*>(places_[2]); }
  [[nodiscard]] int& optopt() const { return *static_cast<int*>(places_[3]); }
  [[nodiscard]] int& signgam() const { return *static_cast<int*>(places_[4]); }
  [[nodiscard]] char**& environment() const { return *static_cast<char***>(places_[5]); }
  [[nodiscard]] FILE*& in() const { return *static_cast<FILE**>(places_[6]); }
  [[nodiscard]] FILE*& out() const { return *static_cast<FILE**>(places_[7]); }
  [[nodiscard]] FILE*& error() const { return *static_cast<FILE**>(places_[8]); }
  [[nodiscard]] unsigned& error_count() const { return *static_cast<unsigned*>(places_[9]); }
  [[nodiscard]] int& error_one_per_line() const { return *static_cast<int*>(places_[10]); }

  /// The place of the variable of this name; nullptr: it is none of them.
  [[nodiscard]] void** place_of(const char* name);

 private:
  char* optarg_ = nullptr;
  int optind_ = 1;
  int opterr_ = 1;
  int optopt_ = '?';
  int signgam_ = 0;
  char** environment_ = nullptr;
  FILE* in_ = nullptr;
  FILE* out_ = nullptr;
  FILE* error_ = nullptr;
  unsigned error_count_ = 0;
  int error_one_per_line_ = 0;
  void* places_[11] = {&optarg_,
                       &optind_,
                       &opterr_,
                       &optopt_,
                       &signgam_,
                       static_cast<void*>(&environment_),
                       static_cast<void*>(&in_),
                       static_cast<void*>(&out_),
                       static_cast<void*>(&error_),
                       &error_count_,
                       &error_one_per_line_};
};

/// Whether a variable of this name is one of a rank's own.
[[nodiscard]] bool is_own_variable(const char* name);

/// A file that is loaded for all, and the rank's copy of it.
struct Twin {
  std::uintptr_t begin;  ///< of the one for all
  std::uintptr_t end;
  std::uintptr_t copy;  ///< where the rank's begins
};

/// A function that a rank has in place of the C library's, which depends on who calls it.
struct OwnFunction {
  std::string_view name;
  std::uintptr_t address;
};

/// What to bind to what.
struct Bindings {
  Variables& variables;
  std::vector<Twin> twins;
  /// Room in the program for the only copies of variables of its private libraries.
  struct Copy {
    std::uintptr_t variable;  ///< the library's own
    std::size_t bytes;        ///< as the library has it
    std::uintptr_t place;     ///< in the program; 0: not found yet
  };
  std::map<std::string, Copy, std::less<>> copies;
  const Definitions& preferred;
  std::vector<std::uintptr_t> bases;  ///< where the rank's copies of the program's files are
  std::span<const OwnFunction> functions;
  /// Of a library that is loaded later: where the program has what the loader has bound to `bound`. 0: it stays
  std::function<std::uintptr_t(const char* name, std::uintptr_t bound, bool is_call)> of_program;
};

/// Finds the places that the program has for the only copies of variables; the rank's own variables move there.
void find_copies(const link_map& program, Bindings& bindings);

/// Gives the copies the values that their variables begin with. The loader does so only for what it takes for an
/// executable. After all files are bound.
void fill_copies(const link_map& program, const Bindings& bindings);

/// Binds the addresses that a loaded file has got from the loader.
void bind(const link_map& file, const Bindings& bindings);

}  // namespace raddle::ranks
