! SPDX-License-Identifier: BSD-3-Clause
! Messages and requests of Fortran; a communicator is left at the end.
program check
  use mpi
  implicit none
  integer :: rank, code, request, left, freed, i
  integer :: status(MPI_STATUS_SIZE), numbers(2)

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_dup(MPI_COMM_WORLD, freed, code)
  call MPI_Comm_free(freed, code)
  numbers = rank
  call MPI_Comm_dup(MPI_COMM_WORLD, left, code)
  do i = 1, 10
    call MPI_Irecv(numbers(1), 1, MPI_INTEGER, 1 - rank, 0, left, request, code)
    call MPI_Send(numbers(2), 1, MPI_INTEGER, 1 - rank, 0, left, code)
    call MPI_Wait(request, status, code)
  end do
  call MPI_Barrier(left, code)
  call MPI_Finalize(code)
end program check
