// SPDX-License-Identifier: BSD-3-Clause
// What the C++ library keeps once for a process, in a program without its standard streams.
// ranks: 4
#include <cstdio>
#include <exception>
#include <locale>
#include <new>
#include <sstream>

#include "../twin.h"

namespace {

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

void end_first() { std::abort(); }
void end_second() { std::abort(); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  const std::terminate_handler own = rank % 2 == 0 ? end_first : end_second;
  std::set_terminate(own);
  std::set_new_handler(own);
  if (rank % 2 == 1) std::locale::global(std::locale(std::locale(), new Comma));
  MPI_Barrier(MPI_COMM_WORLD);
  std::ostringstream text;
  text << 1.5;
  say("%s %d %d", text.str().c_str(), std::get_terminate() == own, std::get_new_handler() == own);
  MPI_Finalize();
  return 0;
}
