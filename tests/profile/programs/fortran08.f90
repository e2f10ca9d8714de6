! SPDX-License-Identifier: BSD-3-Clause
! As fortran.f90, by the module mpi_f08.
program main
  use mpi_f08
  implicit none
  integer :: rank, i
  type(MPI_Request) :: request
  type(MPI_Comm) :: dup
  double precision :: buffer(10)
  double precision :: until
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_dup(MPI_COMM_WORLD, dup)
  buffer = 1
  do i = 1, 10
    if (rank == 1) then
      until = MPI_Wtime() + 0.02d0
      do while (MPI_Wtime() < until)
      end do
    end if
    call MPI_Barrier(dup)
  end do
  do i = 1, 10
    if (rank == 0) call MPI_Send(buffer, 10, MPI_DOUBLE_PRECISION, 1, 3, dup)
    if (rank == 1) then
      call MPI_Irecv(buffer, 10, MPI_DOUBLE_PRECISION, 0, 3, dup, request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
    end if
  end do
  call MPI_Comm_free(dup)
  call MPI_Finalize()
end program
