// SPDX-License-Identifier: BSD-3-Clause
// Runs one case as it would run in processes: nothing here knows of threads. Rank 0 says how it went for all.
#include <cstdio>
#include <cstring>

#include "ranks_own/cases.hpp"

namespace {

struct Named {
  const char* name;
  cases::Case run;
};

constexpr Named all[] = {
    {"options", cases::options},
    {"long_options", cases::long_options},
    {"random_numbers", cases::random_numbers},
    {"random_states", cases::random_states},
    {"numbers48", cases::numbers48},
    {"words", cases::words},
    {"times", cases::times},
    {"zones", cases::zones},
    {"users", cases::users},
    {"names_of_files", cases::names_of_files},
    {"digits", cases::digits},
    {"gamma_sign", cases::gamma_sign},
    {"locales", cases::locales},
    {"environment", cases::environment},
    {"environment_under_fire", cases::environment_under_fire},
    {"environment_of_children", cases::environment_of_children},
    {"directory", cases::directory},
    {"mask", cases::mask},
    {"closed_stream", cases::closed_stream},
    {"reopened_stream", cases::reopened_stream},
    {"moved_descriptor", cases::moved_descriptor},
    {"silenced_stream", cases::silenced_stream},
    {"many_lines", cases::many_lines},
    {"input", cases::input},
    {"unique_variables", cases::unique_variables},
    {"thread_variables", cases::thread_variables},
    {"library", cases::library},
    {"names", cases::names},
    {"plugins", cases::plugins},
    {"constructors", cases::constructors},
    {"exceptions", cases::exceptions},
    {"pthreads", cases::pthreads},
    {"standard_threads", cases::standard_threads},
    {"openmp", cases::openmp},
    {"openmp_critical", cases::openmp_critical},
};

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  cases::World world{};
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  int good = 0;
  const char* const asked = argc > 1 ? argv[1] : "";
  for (const Named& each : all) {
    if (std::strcmp(each.name, asked) == 0) good = each.run(world, argc, argv) ? 1 : 0;
  }
  int all_good = 0;
  MPI_Reduce(&good, &all_good, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  if (world.rank == 0) std::printf("%s of %d ranks: %s\n", asked, world.size, all_good != 0 ? "own" : "WRONG");
  MPI_Finalize();
  return 0;
}
