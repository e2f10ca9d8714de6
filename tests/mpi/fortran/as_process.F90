! SPDX-License-Identifier: BSD-3-Clause
! Written for processes: saved variables, common blocks, units, MPI_IN_PLACE, arguments; ranks run it in threads.
! By each of MPI's interfaces: mpi_f08 with WITH_F08, mpif.h with WITH_MPIFH, else the module mpi.
module kept
  implicit none
  integer, save :: counter = 0
end module kept

program as_process
#if defined(WITH_F08)
  use mpi_f08
#elif !defined(WITH_MPIFH)
  use mpi
#endif
  use kept
  implicit none
#ifdef WITH_MPIFH
  include 'mpif.h'
#endif
  integer :: code, rank, size, i, from, bad, all_bad
  integer, save :: calls = 0
  integer :: values(4)
#ifdef WITH_F08
  type(MPI_Status) :: status
#else
  integer :: status(MPI_STATUS_SIZE)
#endif
  real(8) :: shared_x
  common /block/ shared_x
  character(len=64) :: word, name, line

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, size, code)
  bad = 0
  do i = 1, 1000
    counter = counter + 1
    calls = calls + 1
  end do
  shared_x = rank
  call get_command_argument(1, word)
  ! Each rank has a unit 10 with a file of its own.
  write (name, '(a,i0,a,i0)') '/tmp/raddle-fortran-', getpid(), '-', rank
  open (unit=10, file=name, status='replace')
  write (10, '(a,i0)') 'rank ', rank
  call MPI_Barrier(MPI_COMM_WORLD, code)
  rewind (10)
  read (10, '(a)') line
  close (10, status='delete')
  if (line /= 'rank '//trim(text(rank))) bad = bad + 1
  if (counter /= 1000 .or. calls /= 1000 .or. shared_x /= rank) bad = bad + 10
  if (word /= 'argument') bad = bad + 100
  values = rank
  call MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  if (any(values /= size*(size - 1)/2)) bad = bad + 1000
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, size), 3, from, 1, MPI_INTEGER, mod(rank + size - 1, size), 3, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
  if (from /= mod(rank + size - 1, size)) bad = bad + 10000
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, size), 3, from, 1, MPI_INTEGER, mod(rank + size - 1, size), 3, &
                    MPI_COMM_WORLD, status, code)
#ifdef WITH_F08
  if (status%MPI_SOURCE /= mod(rank + size - 1, size)) bad = bad + 100000
#else
  if (status(MPI_SOURCE) /= mod(rank + size - 1, size)) bad = bad + 100000
#endif
  call MPI_Reduce(bad, all_bad, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, code)
  if (rank == 0) print '(a,i0,a,i0)', 'fortran ranks: ', size, ', bad: ', all_bad
  call MPI_Finalize(code)

contains

  function text(number)
    integer, intent(in) :: number
    character(len=12) :: text
    write (text, '(i0)') number
  end function text

end program as_process
