! SPDX-License-Identifier: BSD-3-Clause
! Written for processes: saved variables, common blocks, units, MPI_IN_PLACE, arguments, two groups, a file, a window;
! ranks run it in threads.
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
  type(MPI_Comm) :: half, inter, merged
  type(MPI_File) :: file
  type(MPI_Win) :: window
#else
  integer :: status(MPI_STATUS_SIZE)
  integer :: half, inter, merged, file, window
#endif
  integer(MPI_OFFSET_KIND) :: offset
  integer(MPI_ADDRESS_KIND) :: bytes
  logical :: flag
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
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, code)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(rank, 2), 5, inter, code)
  call MPI_Comm_test_inter(inter, flag, code)
  call MPI_Allreduce(rank, from, 1, MPI_INTEGER, MPI_SUM, inter, code)
  if (.not. flag .or. from /= sum([(i, i=1 - mod(rank, 2), size - 1, 2)])) bad = bad + 1000000
  call MPI_Intercomm_merge(inter, mod(rank, 2) == 0, merged, code)
  call MPI_Comm_rank(merged, from, code)
  if (from /= rank/2 + (1 - mod(rank, 2))*(size/2)) bad = bad + 1000000
  call MPI_Comm_free(merged, code)
  call MPI_Comm_free(inter, code)
  call MPI_Comm_free(half, code)
  ! Other jobs of this program may be beside this one.
  from = getpid()
  call MPI_Bcast(from, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
  write (name, '(a,i0)') 'raddle-fortran-ranks-', from
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &
                     file, code)
  offset = 4*rank
  call MPI_File_write_at_all(file, offset, rank, 1, MPI_INTEGER, status, code)
  call MPI_File_sync(file, code)
  call MPI_Barrier(MPI_COMM_WORLD, code)
  call MPI_File_sync(file, code)
  offset = 4*(size - 1 - rank)
  call MPI_File_read_at_all(file, offset, from, 1, MPI_INTEGER, status, code)
  if (from /= size - 1 - rank) bad = bad + 10000000
  call MPI_File_close(file, code)
  bytes = 16
  call MPI_Win_create(values, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, code)
  call MPI_Win_get_attr(window, MPI_WIN_SIZE, bytes, flag, code)
  if (.not. flag .or. bytes /= 16) bad = bad + 100000000
  call MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, bytes, flag, code)
  if (.not. flag .or. bytes /= 4) bad = bad + 100000000
  call MPI_Win_free(window, code)
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
