! SPDX-License-Identifier: BSD-3-Clause
! Windows and files of endpoints in Fortran: predefined attributes, which Fortran asks for in a way of its own, and data.
! Compiled for handles that are integers and, where the MPI has mpi_f08, for those with types.
#ifdef TYPED_HANDLES
#define MPI_MODULE mpi_f08
#define COMM type(MPI_Comm)
#define WINDOW type(MPI_Win)
#define FILE type(MPI_File)
#else
#define MPI_MODULE mpi
#define COMM integer
#define WINDOW integer
#define FILE integer
#endif

program windows
  use MPI_MODULE
  use omp_lib
  use raddle
  implicit none

  integer, parameter :: threads = 2
  COMM :: endpoints(threads)
  integer :: provided, i, code

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, code)
  call MPIX_Comm_create_endpoints(MPI_COMM_WORLD, threads, MPI_INFO_NULL, endpoints, code)
  call expect(code == MPI_SUCCESS, 'endpoints')
  !$omp parallel num_threads(threads)
  call of_endpoint(endpoints(omp_get_thread_num() + 1))
  !$omp end parallel
  do i = 1, threads
    call MPI_Comm_free(endpoints(i), code)
  end do
  print '(a)', 'fortran_windows: all good'
  call MPI_Finalize(code)

contains

  subroutine of_endpoint(comm)
    COMM, intent(in) :: comm
    WINDOW :: window
    FILE :: file
    integer, asynchronous :: memory(5)
    integer(MPI_ADDRESS_KIND) :: bytes, base, there, place
    integer(MPI_OFFSET_KIND) :: offset
    integer :: rank, ranks, unit, key, got, job, code
    logical :: found
    character(40) :: name

    call MPI_Comm_rank(comm, rank, code)
    call MPI_Comm_size(comm, ranks, code)
    memory = -1
    unit = 4
    bytes = 20
    call MPI_Win_create(memory, bytes, unit, MPI_INFO_NULL, comm, window, code)
    call expect(code == MPI_SUCCESS, 'a window')
    call MPI_Get_address(memory, place, code)
    call MPI_Win_get_attr(window, MPI_WIN_BASE, base, found, code)
    call expect(found .and. base == place, 'the base')
    call MPI_Win_get_attr(window, MPI_WIN_SIZE, there, found, code)
    call expect(found .and. there == 20, 'the size')
    call MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, there, found, code)
    call expect(found .and. there == 4, 'the unit')
    call MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, there, found, code)
    call expect(found .and. there == MPI_WIN_FLAVOR_CREATE, 'the flavor')
    call MPI_Win_get_attr(window, MPI_WIN_MODEL, there, found, code)
    call expect(found .and. there == MPI_WIN_UNIFIED, 'the model')
    ! What the program keeps there is the MPI's affair.
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, bytes, code)
    call MPI_Win_get_attr(window, key, there, found, code)
    call expect(code == MPI_SUCCESS .and. .not. found, 'an attribute that is not there')
    there = 17
    call MPI_Win_set_attr(window, key, there, code)
    call MPI_Win_get_attr(window, key, there, found, code)
    call expect(found .and. there == 17, 'an attribute')
    call MPI_Win_fence(0, window, code)
    place = rank
    if (rank < 5) call MPI_Put(rank, 1, MPI_INTEGER, ranks - 1, place, 1, MPI_INTEGER, window, code)
    call MPI_Win_fence(0, window, code)
    if (rank == ranks - 1) call expect(memory(1) == 0 .and. memory(2) == 1, 'what was put')
    call MPI_Win_free(window, code)
    call MPI_Win_free_keyval(key, code)

    ! Other jobs of this program may be beside this one.
    job = getpid()
    call MPI_Bcast(job, 1, MPI_INTEGER, 0, comm, code)
    write (name, '(a,i0)') 'fortran_windows-', job
    call MPI_File_open(comm, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, code)
    call expect(code == MPI_SUCCESS, 'a file')
    offset = 4 * rank
    call MPI_File_write_at_all(file, offset, rank, 1, MPI_INTEGER, MPI_STATUS_IGNORE, code)
    call MPI_File_sync(file, code)
    call MPI_Barrier(comm, code)
    call MPI_File_sync(file, code)
    offset = 4 * (ranks - 1 - rank)
    got = -1
    call MPI_File_read_at_all(file, offset, got, 1, MPI_INTEGER, MPI_STATUS_IGNORE, code)
    call expect(got == ranks - 1 - rank, 'what was written')
    call MPI_File_close(file, code)
  end subroutine of_endpoint

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    integer :: code

    if (right) return
    print '(2a)', 'WRONG: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, code)
  end subroutine expect

end program windows
