// SPDX-License-Identifier: BSD-3-Clause
// Info keys, for tests that are programs.
#pragma once

#include <mpi.h>

#include <initializer_list>
#include <utility>

namespace raddle::testing {

/// An info object, freed when it goes.
class Hints {
 public:
  Hints(std::initializer_list<std::pair<const char*, const char*>> keys) {
    MPI_Info_create(&info_);
    for (const auto& [key, value] : keys) MPI_Info_set(info_, key, value);
  }
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;
  ~Hints() { MPI_Info_free(&info_); }
  operator MPI_Info() const { return info_; }  // NOLINT(google-explicit-constructor): it is one

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

}  // namespace raddle::testing
