! SPDX-License-Identifier: BSD-3-Clause
! The calls of a Fortran program on endpoints, on lanes and in sparse exchanges. Compiled for handles that are integers
! and, where the MPI has mpi_f08, for those with types.
#ifdef TYPED_HANDLES
#define MPI_MODULE mpi_f08
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, n) type(MPI_Status) :: name(n)
#define SOURCE_OF(status) status%MPI_SOURCE
#define OPERATOR_HANDLE type(MPI_Op)
#define ERRHANDLER type(MPI_Errhandler)
#else
#define MPI_MODULE mpi
#define COMM integer
#define REQUEST integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, n) integer :: name(MPI_STATUS_SIZE, n)
#define SOURCE_OF(status) status(MPI_SOURCE)
#define OPERATOR_HANDLE integer
#define ERRHANDLER integer
#endif

module checks
  use MPI_MODULE
  implicit none

contains

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    integer :: code

    if (right) return
    print '(2a)', 'WRONG: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, code)
  end subroutine expect

#ifdef TYPED_HANDLES
  subroutine add(in, inout, length, datatype)
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: left(:), right(:)

    call c_f_pointer(in, left, [length])
    call c_f_pointer(inout, right, [length])
#else
  subroutine add(left, right, length, datatype)
    integer :: length, datatype
    integer :: left(length), right(length)
#endif

    call expect(datatype == MPI_INTEGER, 'the datatype that an operator is given')
    right = left + right
  end subroutine add

end module checks

program calls
  use MPI_MODULE
  use omp_lib
  use raddle
  use checks
  implicit none

  integer, parameter :: threads = 2
  COMM :: endpoints(threads), lanes(threads)
  integer :: provided, i, code, major, minor, patch

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, code)
  call Raddle_Get_version(major, minor, patch)
  call expect(all([major, minor, patch] == [RADDLE_VERSION_MAJOR, RADDLE_VERSION_MINOR, RADDLE_VERSION_PATCH]), &
              'version')

  call MPIX_Comm_create_endpoints(MPI_COMM_WORLD, threads, MPI_INFO_NULL, endpoints, code)
  call expect(code == MPI_SUCCESS, 'endpoints')
  !$omp parallel num_threads(threads)
  call point_to_point(endpoints(omp_get_thread_num() + 1))
  call persistent(endpoints(omp_get_thread_num() + 1))
  call collectives(endpoints(omp_get_thread_num() + 1))
  call sparse(endpoints(omp_get_thread_num() + 1))
  !$omp end parallel
  call failures(endpoints(1))
  do i = 1, threads
    call MPI_Comm_free(endpoints(i), code)
    call expect(endpoints(i) == MPI_COMM_NULL, 'a freed endpoint')
  end do

  call Raddle_Lanes_create(MPI_COMM_WORLD, threads, MPI_INFO_NULL, lanes)
  !$omp parallel num_threads(threads)
  call point_to_point(lanes(omp_get_thread_num() + 1))
  !$omp end parallel
  call Raddle_Lanes_free(threads, lanes, code)
  call expect(code == MPI_SUCCESS .and. all([(lanes(i) == MPI_COMM_NULL, i=1, threads)]), 'freed lanes')

  call Raddle_Sparse_attach(MPI_COMM_WORLD, code)
  call expect(code == MPI_SUCCESS, 'attach')
  call sparse(MPI_COMM_WORLD)
  call MPI_Comm_rank(MPI_COMM_WORLD, i, code)
  if (i == 0) print '(a)', 'all good'
  call MPI_Finalize(code)

contains

  subroutine place(comm, left, me, right, size)
    COMM, intent(in) :: comm
    integer, intent(out) :: left, me, right, size
    integer :: code

    call MPI_Comm_rank(comm, me, code)
    call MPI_Comm_size(comm, size, code)
    left = modulo(me - 1, size)
    right = modulo(me + 1, size)
  end subroutine place

  subroutine point_to_point(comm)
    COMM, intent(in) :: comm
    REQUEST :: requests(2)
    STATUS(status)
    STATUSES(statuses, 2)
    integer, asynchronous :: got(3), mine(3)  ! calls that do not name them change them
    integer :: left, me, right, size, n, code
    logical :: there

    call place(comm, left, me, right, size)
    mine = me
    call MPI_Sendrecv(mine, 2, MPI_INTEGER, right, 1, got, 3, MPI_INTEGER, MPI_ANY_SOURCE, 1, comm, status, code)
    call MPI_Get_count(status, MPI_INTEGER, n, code)
    call expect(n == 2 .and. SOURCE_OF(status) == left .and. all(got(:2) == left), 'Sendrecv')
    call MPI_Irecv(got, 3, MPI_INTEGER, left, 2, comm, requests(1), code)
    call MPI_Isend(mine, 3, MPI_INTEGER, right, 2, comm, requests(2), code)
    call MPI_Waitall(2, requests, statuses, code)
    call expect(requests(1) == MPI_REQUEST_NULL .and. requests(2) == MPI_REQUEST_NULL .and. all(got == left), 'Waitall')
    call MPI_Isend(mine, 1, MPI_INTEGER, right, 3, comm, requests(1), code)
    there = .false.
    do while (.not. there)
      call MPI_Iprobe(left, 3, comm, there, status, code)
    end do
    call MPI_Recv(got, 1, MPI_INTEGER, SOURCE_OF(status), 3, comm, MPI_STATUS_IGNORE, code)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, code)
    call expect(requests(1) == MPI_REQUEST_NULL .and. got(1) == left, 'Iprobe')
  end subroutine point_to_point

  subroutine persistent(comm)
    COMM, intent(in) :: comm
    REQUEST :: requests(2)
    STATUSES(statuses, 2)
    STATUS(status)
    integer, asynchronous :: got(1), mine(1)
    integer :: left, me, right, size, round, index, code
    logical :: there

    call place(comm, left, me, right, size)
    call MPI_Recv_init(got, 1, MPI_INTEGER, left, 4, comm, requests(1), code)
    call MPI_Send_init(mine, 1, MPI_INTEGER, right, 4, comm, requests(2), code)
    do round = 1, 3
      mine = 10*me + round
      call MPI_Startall(2, requests, code)
      there = .false.
      do while (.not. there)
        if (round == 1) call MPI_Testall(2, requests, there, statuses, code)
        if (round == 2) call MPI_Test(requests(1), there, status, code)
        if (round == 3) call MPI_Testany(1, requests, index, there, status, code)
      end do
      if (round > 1) call MPI_Wait(requests(2), MPI_STATUS_IGNORE, code)
      call expect(got(1) == 10*left + round .and. requests(1) /= MPI_REQUEST_NULL, 'a persistent request')
    end do
    call MPI_Request_free(requests(1), code)
    call MPI_Request_free(requests(2), code)
    call expect(requests(1) == MPI_REQUEST_NULL, 'a freed request')
  end subroutine persistent

  subroutine collectives(comm)
    COMM, intent(in) :: comm
    COMM :: copy
    OPERATOR_HANDLE :: plus
    REQUEST :: request
    integer, asynchronous :: n(2), sums(2)
    integer :: left, me, right, size, code

    call place(comm, left, me, right, size)
    n = [me, 1]
    call MPI_Allreduce(MPI_IN_PLACE, n, 2, MPI_INTEGER, MPI_SUM, comm, code)
    call expect(n(1) == size*(size - 1)/2 .and. n(2) == size, 'Allreduce')
    call MPI_Op_create(add, .true., plus, code)
    call MPI_Comm_dup(comm, copy, code)
    n = [me, 2]
    call MPI_Iallreduce(n, sums, 2, MPI_INTEGER, plus, copy, request, code)
    call MPI_Wait(request, MPI_STATUS_IGNORE, code)
    call expect(sums(1) == size*(size - 1)/2 .and. sums(2) == 2*size, 'Iallreduce with an operator of the program')
    call MPI_Op_free(plus, code)
    call MPI_Comm_free(copy, code)
  end subroutine collectives

  ! To each of the next two ranks as many numbers as it has above it, and none to oneself.
  subroutine sparse(comm)
    COMM, intent(in) :: comm
    type(Raddle_Sparse_messages) :: got
    integer(MPI_COUNT_KIND) :: offsets(4)
    integer :: left, me, right, size, data(5), dests(3), i, code
    integer, pointer :: values(:)
    character(16) :: algorithm

    call place(comm, left, me, right, size)
    data = [me, me, me, 7*me, 8*me]
    dests = [right, me, right]
    offsets = [0, 3, 3, 5]
    call Raddle_Sparse_exchange(data, 3, dests, offsets, MPI_INTEGER, MPI_INTEGER, MPI_INFO_NULL, comm, got, code)
    call Raddle_Sparse_data(got, values)
    call expect(code == MPI_SUCCESS .and. got%count == 3 .and. ubound(values, 1) == 5, 'what has arrived')
    call expect(sum(got%ranks) == 2*left + me .and. sum(values) == 18*left, 'from whom')
    do i = 1, got%count
      associate (message => values(got%offsets(i) + 1:got%offsets(i + 1)))
        if (ubound(message, 1) == 3) call expect(all(message == left), 'the first message')
        if (ubound(message, 1) == 2) call expect(all(message == [7, 8]*left), 'the second message')
      end associate
    end do
    call Raddle_Sparse_free(got, code)
    call expect(code == MPI_SUCCESS .and. got%count == 0 .and. .not. associated(got%ranks), 'freed messages')
    call Raddle_Sparse_exchange(data, 0, dests, offsets, MPI_INTEGER, MPI_INTEGER, MPI_INFO_NULL, comm, got, code)
    call Raddle_Sparse_data(got, values)
    call expect(got%count == 0 .and. ubound(values, 1) == 0 .and. got%offsets(1) == 0, 'nothing')
    call Raddle_Sparse_free(got)
    call Raddle_Sparse_algorithm(comm, algorithm)
    call expect(algorithm /= '', 'the algorithm')
  end subroutine sparse

  subroutine failures(endpoint)
    COMM, intent(in) :: endpoint
    COMM :: made(1), lanes(1)
    type(Raddle_Sparse_messages) :: got
    ERRHANDLER :: handler
    integer(MPI_COUNT_KIND) :: offsets(2)
    integer :: length, error_class, nobody(1), code

    call MPI_Comm_set_errhandler(endpoint, MPI_ERRORS_RETURN, code)
    call MPI_Comm_get_errhandler(endpoint, handler, code)
    call expect(handler == MPI_ERRORS_RETURN, 'the error handler of an endpoint')
    call MPI_Errhandler_free(handler, code)
    call MPIX_Comm_create_endpoints(endpoint, 1, MPI_INFO_NULL, made, code)
    call MPI_Error_class(code, error_class, length)
    call expect(error_class == MPI_ERR_UNSUPPORTED_OPERATION .and. made(1) == MPI_COMM_NULL, 'endpoints of an endpoint')
    offsets = 0
    nobody = 1000
    call Raddle_Sparse_exchange(nobody, 1, nobody, offsets, MPI_INTEGER, MPI_INTEGER, MPI_INFO_NULL, endpoint, got, &
                                code)
    call MPI_Error_class(code, error_class, length)
    call expect(error_class == MPI_ERR_RANK .and. got%count == 0, 'a rank that is none')
    call MPI_Comm_accept('nowhere', MPI_INFO_NULL, 0, endpoint, made(1), code)
    call MPI_Error_class(code, error_class, length)
    call expect(error_class == MPI_ERR_PORT, 'a port that nobody has opened')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, code)
    call Raddle_Lanes_create(MPI_COMM_WORLD, -1, MPI_INFO_NULL, lanes, code)
    call MPI_Error_class(code, error_class, length)
    call expect(error_class == MPI_ERR_ARG, 'a negative number of lanes')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, code)
  end subroutine failures

end program calls
