! SPDX-License-Identifier: BSD-3-Clause
! Two processes: rank 1 comes late to each of ten barriers, then ten messages go from 0 to 1.
program main
  use mpi
  implicit none
  integer :: ierror, rank, i, request, status(MPI_STATUS_SIZE), dup
  double precision :: buffer(10)
  double precision :: until
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, dup, ierror)
  buffer = 1
  do i = 1, 10
    if (rank == 1) then
      until = MPI_Wtime() + 0.02d0
      do while (MPI_Wtime() < until)
      end do
    end if
    call MPI_Barrier(dup, ierror)
  end do
  do i = 1, 10
    if (rank == 0) call MPI_Send(buffer, 10, MPI_DOUBLE_PRECISION, 1, 3, dup, ierror)
    if (rank == 1) then
      call MPI_Irecv(buffer, 10, MPI_DOUBLE_PRECISION, 0, 3, dup, request, ierror)
      call MPI_Wait(request, status, ierror)
    end if
  end do
  call MPI_Comm_free(dup, ierror)
  call MPI_Finalize(ierror)
end program
