/* SPDX-License-Identifier: BSD-3-Clause */
/* What the Fortran module calls: Raddle's interface with Fortran's handles, which are integers. */
#ifndef RADDLE_FORTRAN_HANDLES_H
#define RADDLE_FORTRAN_HANDLES_H

#include "raddle/raddle.h"

int raddle_f_lanes_create(MPI_Fint comm, int nlanes, MPI_Fint info, MPI_Fint lanes[]);
int raddle_f_lanes_free(int nlanes, MPI_Fint lanes[]);
int raddle_f_create_endpoints(MPI_Fint parent, int my_num_ep, MPI_Fint info, MPI_Fint newcomm[]);

int raddle_f_sparse_exchange(const void* data, int count, const int dests[], const MPI_Count offsets[],
                             MPI_Fint sendtype, MPI_Fint recvtype, MPI_Fint info, MPI_Fint comm,
                             Raddle_Sparse_messages* received);
int raddle_f_sparse_attach(MPI_Fint comm);
/* Copies the name, without an end mark, and fills up with blanks. */
int raddle_f_sparse_algorithm(MPI_Fint comm, char* name, int length);

/* Raises the error that Fortran's calls do not pass libraddle, on `comm`. */
int raddle_f_not_seen(MPI_Fint comm);

/* In libraddle, src/interpose/fortran.cpp: */
void Raddle_Fortran_call_awaited(void);
int Raddle_Fortran_call_seen(void);

#endif /* RADDLE_FORTRAN_HANDLES_H */
