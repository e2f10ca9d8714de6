// SPDX-License-Identifier: BSD-3-Clause
// What a process has of its own, each by a case that fails where ranks share it.
#pragma once

#include <mpi.h>

namespace cases {

/// MPI_COMM_WORLD's.
struct World {
  int rank;
  int size;
  /// All ranks come here before one goes on: what they share is then as the last of them has left it.
  void meet() const { MPI_Barrier(MPI_COMM_WORLD); }
};

/// A case. @returns whether all is the rank's own
using Case = bool (*)(const World& world, int argc, char** argv);

bool options(const World& world, int argc, char** argv);
bool long_options(const World& world, int argc, char** argv);
bool random_numbers(const World& world, int argc, char** argv);
bool random_states(const World& world, int argc, char** argv);
bool numbers48(const World& world, int argc, char** argv);
bool words(const World& world, int argc, char** argv);
bool times(const World& world, int argc, char** argv);
bool zones(const World& world, int argc, char** argv);
bool users(const World& world, int argc, char** argv);
bool names_of_files(const World& world, int argc, char** argv);
bool digits(const World& world, int argc, char** argv);
bool gamma_sign(const World& world, int argc, char** argv);
bool locales(const World& world, int argc, char** argv);
bool environment(const World& world, int argc, char** argv);
bool environment_under_fire(const World& world, int argc, char** argv);
bool environment_of_children(const World& world, int argc, char** argv);
bool directory(const World& world, int argc, char** argv);
bool mask(const World& world, int argc, char** argv);
bool closed_stream(const World& world, int argc, char** argv);
bool reopened_stream(const World& world, int argc, char** argv);
bool moved_descriptor(const World& world, int argc, char** argv);
bool silenced_stream(const World& world, int argc, char** argv);
bool many_lines(const World& world, int argc, char** argv);
bool input(const World& world, int argc, char** argv);
bool unique_variables(const World& world, int argc, char** argv);
bool thread_variables(const World& world, int argc, char** argv);
bool library(const World& world, int argc, char** argv);
bool names(const World& world, int argc, char** argv);
bool plugins(const World& world, int argc, char** argv);
bool constructors(const World& world, int argc, char** argv);
bool exceptions(const World& world, int argc, char** argv);
bool pthreads(const World& world, int argc, char** argv);
bool standard_threads(const World& world, int argc, char** argv);
bool openmp_critical(const World& world, int argc, char** argv);
bool openmp(const World& world, int argc, char** argv);

}  // namespace cases
