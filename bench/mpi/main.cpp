// SPDX-License-Identifier: BSD-3-Clause
// raddle-bench: runs one launch of a plan under mpiexec (docs/build/bench-protocol.md).
#include <mpi.h>

#include <optional>

#include "core/emit.hpp"
#include "core/launch.hpp"
#include "core/registry.hpp"
#include "mpi/about_mpi.hpp"
#include "mpi/mpi_control.hpp"

namespace raddle::bench {
namespace {

/// @returns the thread level provided; `single` is plain MPI_Init, as a program without threads calls it.
int initialise(int& argc, char**& argv, const std::string& level) {
  int provided = MPI_THREAD_SINGLE;
  set_requested_level(level);
  if (level == "single") {
    MPI_Init(&argc, &argv);
    MPI_Query_thread(&provided);
  } else {
    MPI_Init_thread(&argc, &argv, level_of(level), &provided);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  return provided;
}

int run(const Arguments& arguments, int provided) {
  MpiControl control;
  if (provided < level_of(arguments.level)) {
    if (control.rank() == 0) {
      const Plan none;
      Emitter(none, true)
          .error("no-thread-" + arguments.level, "this MPI provides thread level '" + level_name(provided) +
                                                     "' where '" + arguments.level +
                                                     "' was asked for; use an MPI built with thread support");
    }
    return Exit::points_failed;
  }
  return run_launch(control, arguments,
                    control.rank() == 0 ? std::optional(about_mpi(arguments.level, provided)) : std::nullopt);
}

}  // namespace
}  // namespace raddle::bench

int main(int argc, char** argv) {
  using namespace raddle::bench;
  return program(argc, argv, [&](const Arguments& arguments) {
    const int provided = initialise(argc, argv, arguments.level);
    const int status = run(arguments, provided);
    MPI_Finalize();
    return status;
  });
}
