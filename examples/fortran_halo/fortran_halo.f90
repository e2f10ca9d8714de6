! SPDX-License-Identifier: BSD-3-Clause
! Heat in a plate, as in examples/halo, in Fortran with OpenMP: Jacobi steps on rows that are divided among ranks, each
! of which exchanges its outer rows with the ranks above and below.
!
!     mpiexec -n 4 ./fortran_halo              4 processes, MPI_COMM_WORLD
!     mpiexec -n 2 ./fortran_halo 2            2 processes of 2 threads: 4 ranks, by endpoints
!     mpiexec -n 2 ./fortran_halo 2 lanes      2 ranks; each of 2 threads exchanges its half of a row on its own lane
!
! At the end every cell goes to the rank that collects cells of its temperature. No rank knows from whom it will get
! some: that is a sparse exchange. Rank 0 checks all of it against its own computation of the whole.
program fortran_halo
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi
  use omp_lib
  use raddle
  implicit none

  integer, parameter :: rows = 240, columns = 200, steps = 100, up_tag = 1, down_tag = 2
  integer :: provided, threads, mine, i, ierror
  integer, allocatable :: comms(:)
  character(16) :: argument
  logical :: wrong

  threads = 0
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) threads
  end if
  call get_command_argument(2, argument)

  wrong = .false.
  allocate (comms(max(threads, 1)))
  call omp_set_dynamic(.false.)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierror)
  if (threads < 1) then
    comms = MPI_COMM_WORLD
    wrong = relax(MPI_COMM_WORLD, comms)
  else if (argument == 'lanes') then
    call Raddle_Lanes_create(MPI_COMM_WORLD, threads, MPI_INFO_NULL, comms)
    wrong = relax(MPI_COMM_WORLD, comms)
    call Raddle_Lanes_free(threads, comms)
  else
    call MPIX_Comm_create_endpoints(MPI_COMM_WORLD, threads, MPI_INFO_NULL, comms)
    !$omp parallel num_threads(threads) private(mine) reduction(.or.: wrong)
    call expect_threads(threads)
    mine = omp_get_thread_num() + 1
    wrong = relax(comms(mine), comms(mine:mine))
    !$omp end parallel
    do i = 1, threads
      call MPI_Comm_free(comms(i), ierror)
    end do
  end if
  call MPI_Finalize(ierror)
  if (wrong) error stop 1

contains

  ! What a rank does, be it a process or a thread. It has a team of as many threads as there are communicators for the
  ! exchange of rows, each with its share of the columns.
  logical function relax(comm, paths) result(wrong)
    integer, intent(in) :: comm, paths(:)
    real(real64), allocatable :: plate(:, :, :)
    integer :: rank, size_of_comm, first, count, now, s, me, from, to, code

    call MPI_Comm_rank(comm, rank, code)
    call MPI_Comm_size(comm, size_of_comm, code)
    first = first_row(rank, size_of_comm)
    count = first_row(rank + 1, size_of_comm) - first
    allocate (plate(columns, 0:count + 1, 2))
    call fill(plate, first, count)
    !$omp parallel num_threads(size(paths)) private(me, from, to, s, now)
    call expect_threads(size(paths))
    me = omp_get_thread_num()
    from = columns*me/size(paths) + 1
    to = columns*(me + 1)/size(paths)
    now = 1
    do s = 1, steps
      call exchange(paths(me + 1), rank, size_of_comm, plate(from:to, :, now), count)
      !$omp barrier
      call step(plate(:, :, now), plate(:, :, 3 - now), first, count, from, to)
      !$omp barrier
      now = 3 - now
    end do
    !$omp end parallel
    now = merge(1, 2, mod(steps, 2) == 0)
    wrong = check(comm, rank, size_of_comm, plate(:, 1:count, now))
  end function relax

  ! Each rank or lane needs a thread: without one the others would wait for it.
  subroutine expect_threads(wanted)
    integer, intent(in) :: wanted
    integer :: code

    if (omp_get_num_threads() == wanted) return
    print '(a, i0, a, i0, a)', 'fortran_halo: OpenMP gives ', omp_get_num_threads(), ' threads, and ', wanted, &
      ' are needed (OMP_THREAD_LIMIT?)'
    call MPI_Abort(MPI_COMM_WORLD, 3, code)
  end subroutine expect_threads

  ! A hot upper edge.
  subroutine fill(plate, first, count)
    integer, intent(in) :: first, count
    real(real64), intent(out) :: plate(columns, 0:count + 1, 2)

    plate = 0
    if (first == 1 .and. count > 0) plate(:, 1, :) = 100
  end subroutine fill

  ! Rows 0 and count + 1 come from the neighbours.
  subroutine exchange(path, rank, ranks, part, count)
    integer, intent(in) :: path, rank, ranks, count
    real(real64), intent(inout) :: part(:, 0:)
    real(real64), dimension(size(part, 1)), asynchronous :: up, down, from_above, from_below
    integer :: requests(4), above, below, n, code

    n = size(part, 1)
    above = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    below = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
    up = part(:, 1)
    down = part(:, count)
    call MPI_Irecv(from_above, n, MPI_DOUBLE_PRECISION, above, down_tag, path, requests(1), code)
    call MPI_Irecv(from_below, n, MPI_DOUBLE_PRECISION, below, up_tag, path, requests(2), code)
    call MPI_Isend(up, n, MPI_DOUBLE_PRECISION, above, up_tag, path, requests(3), code)
    call MPI_Isend(down, n, MPI_DOUBLE_PRECISION, below, down_tag, path, requests(4), code)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, code)
    if (above /= MPI_PROC_NULL) part(:, 0) = from_above
    if (below /= MPI_PROC_NULL) part(:, count + 1) = from_below
  end subroutine exchange

  ! One step for columns `from` to `to`. The plate's edges never change.
  subroutine step(now, next, first, count, from, to)
    integer, intent(in) :: first, count, from, to
    real(real64), intent(in) :: now(columns, 0:count + 1)
    real(real64), intent(inout) :: next(columns, 0:count + 1)
    integer :: i, j

    do i = 1, count
      if (first + i - 1 == 1 .or. first + i - 1 == rows) cycle
      do j = max(from, 2), min(to, columns - 1)
        next(j, i) = 0.25_real64*(now(j, i - 1) + now(j, i + 1) + now(j - 1, i) + now(j + 1, i))
      end do
    end do
  end subroutine step

  pure integer function first_row(rank, ranks)
    integer, intent(in) :: rank, ranks

    first_row = rows*rank/ranks + 1
  end function first_row

  ! Who collects cells of a temperature.
  elemental integer function collector(temperature, ranks)
    real(real64), intent(in) :: temperature
    integer, intent(in) :: ranks

    collector = min(int(temperature*ranks/100), ranks - 1)
  end function collector

  ! How many cells I collect, and what they add up to.
  function collected(comm, ranks, cells) result(mine)
    integer, intent(in) :: comm, ranks
    real(real64), intent(in) :: cells(:)
    real(real64) :: mine(2), sorted(size(cells))
    real(real64), pointer :: arrived(:)
    type(Raddle_Sparse_messages) :: got
    integer(MPI_COUNT_KIND) :: offsets(ranks + 1)
    integer :: dests(ranks), messages, to

    messages = 0
    offsets(1) = 0
    do to = 0, ranks - 1
      associate (chosen => pack(cells, collector(cells, ranks) == to), before => offsets(messages + 1))
        if (size(chosen) == 0) cycle
        sorted(before + 1:before + size(chosen)) = chosen
        dests(messages + 1) = to
        offsets(messages + 2) = before + size(chosen)
        messages = messages + 1
      end associate
    end do
    call Raddle_Sparse_exchange(sorted, messages, dests, offsets, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, &
                                MPI_INFO_NULL, comm, got)
    call Raddle_Sparse_data(got, arrived)
    mine = [real(size(arrived), real64), sum(arrived)]
    call Raddle_Sparse_free(got)
  end function collected

  ! Whether all is as one rank alone computes it. Says so on rank 0.
  logical function check(comm, rank, ranks, mine) result(wrong)
    integer, intent(in) :: comm, rank, ranks
    real(real64), intent(in) :: mine(:, :)
    real(real64), allocatable :: whole(:, :), alone(:, :, :), counts_and_sums(:, :)
    integer :: lengths(0:ranks - 1), places(0:ranks - 1), other, s, now, code

    allocate (whole(columns, rows), alone(columns, 0:rows + 1, 2), counts_and_sums(2, 0:ranks - 1))
    places = [(columns*(first_row(other, ranks) - 1), other=0, ranks - 1)]
    lengths = [(columns*first_row(other + 1, ranks) - columns - places(other), other=0, ranks - 1)]
    call MPI_Gatherv(mine, size(mine), MPI_DOUBLE_PRECISION, whole, lengths, places, MPI_DOUBLE_PRECISION, 0, comm, code)
    call MPI_Gather(collected(comm, ranks, reshape(mine, [size(mine)])), 2, MPI_DOUBLE_PRECISION, counts_and_sums, 2, &
                    MPI_DOUBLE_PRECISION, 0, comm, code)
    wrong = .false.
    if (rank /= 0) return
    call fill(alone, 1, rows)
    now = 1
    do s = 1, steps
      call step(alone(:, :, now), alone(:, :, 3 - now), 1, rows, 1, columns)
      now = 3 - now
    end do
    wrong = any(whole /= alone(:, 1:rows, now))
    print '(a, i0, a, i0, a, a, a, f0.6, a)', 'fortran_halo: ', ranks, ' ranks, ', steps, ' steps: ', &
      trim(merge('NOT what one rank computes', 'as one rank computes it   ', wrong)), ', ', whole(columns/2, 10), &
      ' near the edge'
    do other = 0, ranks - 1
      associate (kept => pack(whole, collector(whole, ranks) == other), told => counts_and_sums(:, other))
        if (nint(told(1)) /= size(kept) .or. abs(told(2) - sum(kept)) > 1e-6_real64) then
          print '(a, i0, a, i0, a, i0)', 'fortran_halo: rank ', other, ' collects ', nint(told(1)), ' cells and NOT ', &
            size(kept)
          wrong = .true.
        end if
      end associate
    end do
    if (.not. wrong) print '(a)', 'fortran_halo: each collects what it should'
  end function check

end program fortran_halo
