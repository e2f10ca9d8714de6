// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of lanes: arguments, error handlers, nothing else.
#include <mpi.h>

#include "lanes/lane_pool.hpp"
#include "platform/errors.hpp"
#include "platform/must.hpp"
#include "platform/own_hints.hpp"
#include "platform/settings.hpp"
#include "raddle/raddle.h"

namespace {

using raddle::lanes::LanePool;

int raise(MPI_Comm comm, int code) {
  raddle::platform::regardless(MPI_Comm_call_errhandler(comm, code));
  return code;
}

/// What does the work, of which no exception comes out. @returns its error, raised
template <typename Work>
int on(MPI_Comm comm, Work&& work) {
  int code = MPI_SUCCESS;
  try {
    code = work();
  } catch (...) {
    code = raddle::platform::code_of_caught();
  }
  return code == MPI_SUCCESS ? code : raise(comm, code);
}

/// That of `comm`, while it lives.
class Handler {
 public:
  explicit Handler(MPI_Comm comm) { raddle::platform::check(MPI_Comm_get_errhandler(comm, &handler_)); }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  ~Handler() { raddle::platform::regardless(MPI_Errhandler_free(&handler_)); }
  [[nodiscard]] MPI_Errhandler get() const { return handler_; }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

}  // namespace

int Raddle_Err_lanes(int* errorclass) {
  return on(MPI_COMM_SELF, [&]() -> int {
    if (errorclass == nullptr) return MPI_ERR_ARG;
    *errorclass = raddle::lanes::lanes_class();
    return MPI_SUCCESS;
  });
}

int Raddle_Lanes_create(MPI_Comm comm, int nlanes, MPI_Info info, MPI_Comm lanes[]) {
  for (int i = 0; i < nlanes; ++i) lanes[i] = MPI_COMM_NULL;
  if (comm == MPI_COMM_NULL) return raise(MPI_COMM_SELF, MPI_ERR_COMM);
  int inter = 0;
  if (const int code = MPI_Comm_test_inter(comm, &inter); code != MPI_SUCCESS) return code;
  return on(comm, [&]() -> int {
    if (inter != 0) return MPI_ERR_COMM;
    const Handler handler(comm);
    const bool reuse = raddle::platform::settings_with(raddle::platform::HintScope::lanes, info).lanes_reuse;
    LanePool::of(comm).take(nlanes, info, reuse, handler.get(), lanes);
    return MPI_SUCCESS;
  });
}

int Raddle_Lanes_free(int nlanes, MPI_Comm lanes[]) {
  return on(MPI_COMM_SELF, [&]() -> int {
    for (int i = 0; i < nlanes; ++i) {
      if (lanes[i] == MPI_COMM_NULL) continue;
      if (const int code = LanePool::give_back(lanes[i]); code != MPI_SUCCESS) return code;
      lanes[i] = MPI_COMM_NULL;
    }
    return MPI_SUCCESS;
  });
}
