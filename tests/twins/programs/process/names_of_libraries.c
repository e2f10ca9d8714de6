// SPDX-License-Identifier: BSD-3-Clause
// Functions and variables of a program that the C library has others of by the same name: the program finds its own, as an
// executable does.
#include "../twin.h"

int err = 1, warn[2] = {2, 3}, insque;
double hcreate = 4.5;

int tsearch(int value) { return value + 1; }
double ftime(double value) { return 2 * value; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  err += rank;
  insque -= rank;
  int (*const function)(int) = tsearch;
  say("%d %d %d %d %.1f %d %.1f", err, warn[0], warn[1], insque, hcreate, function(rank), ftime(hcreate));
  MPI_Finalize();
  return 0;
}
