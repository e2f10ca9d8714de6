// SPDX-License-Identifier: BSD-3-Clause
// Variables of the C library that a process has once, and of which each rank has its own.
#pragma once

#include <cstdio>

namespace raddle::ranks {

/// Where a rank's are: at first here, and in the program's own file if it has a place for the only copy of one.
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
  void* places_[9] = {&optarg_,
                      &optind_,
                      &opterr_,
                      &optopt_,
                      &signgam_,
                      static_cast<void*>(&environment_),
                      static_cast<void*>(&in_),
                      static_cast<void*>(&out_),
                      static_cast<void*>(&error_)};
};

/// Whether a variable of this name is one of a rank's own.
[[nodiscard]] bool is_own_variable(const char* name);

}  // namespace raddle::ranks
