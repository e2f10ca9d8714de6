! SPDX-License-Identifier: BSD-3-Clause
! Sends a number around all endpoints, two of each process.
program consumer
  use mpi
  use raddle
  implicit none

  integer :: endpoints(2), requests(4), provided, rank, ranks, mine, i, ierror
  integer, asynchronous :: got(2)

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, mine, ierror)
  call MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, endpoints)
  call MPI_Comm_size(endpoints(1), ranks, ierror)
  do i = 1, 2
    rank = 2*mine + i - 1
    call MPI_Irecv(got(i), 1, MPI_INTEGER, modulo(rank - 1, ranks), 0, endpoints(i), requests(i), ierror)
    call MPI_Isend(i, 1, MPI_INTEGER, modulo(rank + 1, ranks), 0, endpoints(i), requests(2 + i), ierror)
    call MPI_Wait(requests(2 + i), MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
  if (all(got == [2, 1])) print '(a, i0, a)', 'rank ', mine, ': all good'
  do i = 1, 2
    call MPI_Comm_free(endpoints(i), ierror)
  end do
  call MPI_Finalize(ierror)
end program consumer
