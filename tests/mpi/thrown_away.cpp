// SPDX-License-Identifier: BSD-3-Clause
// What no source of the library may do: the compiler refuses it (interpose.codes-are-looked-at).
int main() { MPI_Barrier(MPI_COMM_WORLD); }
