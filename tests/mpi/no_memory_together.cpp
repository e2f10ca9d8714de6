// SPDX-License-Identifier: BSD-3-Clause
// Every allocation of one rank's fails in turn in calls that others wait for. Either the call returns MPI_ERR_NO_MEM
// before anybody counts on it, and can be made again; or the job ends, and says why. Nobody waits for ever.
//
// Each allocation has a process of its own, forked from one that has begun MPI: two ranks, which are threads.
#include <mpi.h>
#include <raddle/raddle.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <thread>
#include <utility>

namespace {

constexpr int well = 0;
constexpr int none_failed = 10;
constexpr int ended_by_name = 11;
constexpr int wrong = 12;
constexpr unsigned too_long = 20;  // seconds
long tried = 0;

thread_local long left = -1;  // allocations of this thread until one fails; < 0: none does
thread_local bool failed = false;

void* get(std::size_t bytes) {
  if (left >= 0 && left-- == 0) {
    failed = true;
    return nullptr;
  }
  return std::malloc(bytes > 0 ? bytes : 1);
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* const got = get(bytes)) return got;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

// What libraddle ends a job by comes here: it ends this process alone.
extern "C" int PMPI_Abort(MPI_Comm, int) { _exit(ended_by_name); }

namespace {

/// A call of a rank, and what is to be so afterwards. @returns an MPI error code, or `bad`
using Call = std::function<int(MPI_Comm, int)>;
constexpr int bad = -1;

int check(int code, bool right) { return code != MPI_SUCCESS || right ? code : bad; }

int wait(int code, MPI_Request& request) {
  if (code != MPI_SUCCESS) return code;
  left = -1;  // what is tried is how it begins; how it goes on, by the blocking ones
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int bcast(MPI_Comm comm, int rank) {
  std::array<int, 4> data{rank == 0 ? 7 : 0};
  const int code = MPI_Bcast(data.data(), 4, MPI_INT, 0, comm);
  return check(code, data[0] == 7);
}

int spread_bcast(MPI_Comm comm, int rank) {
  static MPI_Datatype type = [] {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_vector(300, 1, 2, MPI_INT, &made);
    MPI_Type_commit(&made);
    return made;
  }();
  static thread_local std::array<int, 600> data;
  data.fill(rank == 0 ? 7 : 0);
  const int code = MPI_Bcast(data.data(), 1, type, 0, comm);
  return check(code, data[598] == 7);
}

int allreduce(MPI_Comm comm, int rank) {
  int mine = rank + 1;
  int sum = 0;
  const int code = MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  return check(code, sum == 3);
}

int alltoall(MPI_Comm comm, int rank) {
  std::array<int, 2> out{10 * rank, 10 * rank + 1};
  std::array<int, 2> in{};
  const int code = MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, comm);
  return check(code, in[1] == 10 + rank);
}

int iallgather(MPI_Comm comm, int rank) {
  std::array<int, 2> in{};
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = wait(MPI_Iallgather(&rank, 1, MPI_INT, in.data(), 1, MPI_INT, comm, &request), request);
  return check(code, in[1] == 1);
}

int persistent(MPI_Comm comm, int rank) {
#if MPI_VERSION >= 4
  int sum = 0;
  int mine = rank + 1;
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
  if (code != MPI_SUCCESS) return code;
  left = -1;
  MPI_Start(&request);
  code = wait(code, request);
  MPI_Request_free(&request);
  return check(code, sum == 3);
#else
  return allreduce(comm, rank);
#endif
}

int duplicate(MPI_Comm comm, int rank) {
  MPI_Comm made = MPI_COMM_NULL;
  const int code = MPI_Comm_dup(comm, &made);
  if (code != MPI_SUCCESS) return code;
  left = -1;
  const int used = allreduce(made, rank);
  MPI_Comm_free(&made);
  return used;
}

int idup(MPI_Comm comm, int rank) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = wait(MPI_Comm_idup(comm, &made, &request), request);
  if (code != MPI_SUCCESS) return code;
  const int used = allreduce(made, rank);
  MPI_Comm_free(&made);
  return used;
}

int split(MPI_Comm comm, int rank) {
  MPI_Comm made = MPI_COMM_NULL;
  const int code = MPI_Comm_split(comm, 0, -rank, &made);
  if (code != MPI_SUCCESS) return code;
  left = -1;
  int place = -1;
  MPI_Comm_rank(made, &place);
  MPI_Comm_free(&made);
  return check(code, place == 1 - rank);
}

int neighbours(MPI_Comm comm, int rank) {
  static thread_local MPI_Comm ring = MPI_COMM_NULL;
  if (ring == MPI_COMM_NULL) {
    const long kept = std::exchange(left, -1);
    const int size = 2;
    const int periodic = 1;
    MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
    left = kept;
  }
  std::array<int, 2> in{};
  const int code = MPI_Neighbor_allgather(&rank, 1, MPI_INT, in.data(), 1, MPI_INT, ring);
  return check(code, in[0] == 1 - rank);
}

int exchange(MPI_Comm comm, int rank) {
  const int other = 1 - rank;
  const std::array<MPI_Count, 2> offsets{0, 1};
  Raddle_Sparse_messages received{};
  const int code =
      Raddle_Sparse_exchange(&rank, 1, &other, offsets.data(), MPI_INT, MPI_INT, MPI_INFO_NULL, comm, &received);
  if (code != MPI_SUCCESS) return code;
  left = -1;
  const bool right = received.count == 1 && static_cast<const int*>(received.data)[0] == other;
  Raddle_Sparse_free(&received);
  return check(code, right);
}

int iexchange(MPI_Comm comm, int rank) {
  const int other = 1 - rank;
  const std::array<MPI_Count, 2> offsets{0, 1};
  Raddle_Sparse_messages received{};
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = wait(Raddle_Sparse_iexchange(&rank, 1, &other, offsets.data(), MPI_INT, MPI_INT, MPI_INFO_NULL, comm,
                                                &received, &request),
                        request);
  if (code != MPI_SUCCESS) return code;
  const bool right = received.count == 1 && static_cast<const int*>(received.data)[0] == other;
  Raddle_Sparse_free(&received);
  return check(code, right);
}

int lanes(MPI_Comm comm, int) {
  std::array<MPI_Comm, 2> made{};
  const int code = Raddle_Lanes_create(comm, 2, MPI_INFO_NULL, made.data());
  if (code != MPI_SUCCESS) return code;
  left = -1;
  return Raddle_Lanes_free(2, made.data());
}

/// One rank. Of rank 0 the allocation with this number fails. @returns how it went
int run(const Call& call, MPI_Comm comm, int rank, long at) {
  left = rank == 0 ? at : -1;
  int code = call(comm, rank);
  left = -1;
  const bool once = failed;
  int error_class = MPI_SUCCESS;
  if (code != MPI_SUCCESS && code != bad) MPI_Error_class(code, &error_class);
  if (error_class == MPI_ERR_NO_MEM && failed) code = call(comm, rank);
  if (code == MPI_SUCCESS) code = call(comm, rank);  // nothing is left behind
  if (code != MPI_SUCCESS) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    std::printf("rank %d: %s\n", rank, code == bad ? "wrong data" : text.data());
    return wrong;
  }
  return rank == 0 && !once ? none_failed : well;
}

int two_ranks(const Call& call, long at) {
  std::array<MPI_Comm, 2> comms{};
  if (MPIX_Comm_create_endpoints(MPI_COMM_SELF, 2, MPI_INFO_NULL, comms.data()) != MPI_SUCCESS) return wrong;
  std::array<int, 2> how{};
  std::thread other([&] { how[1] = run(call, comms[1], 1, at); });
  how[0] = run(call, comms[0], 0, at);
  other.join();
  return how[1] == wrong ? wrong : how[0];
}

/// Makes endpoints while one allocation fails, and then some that are used. @returns how it went
int create(long at) {
  std::array<MPI_Comm, 2> comms{};
  left = at;
  const int code = MPIX_Comm_create_endpoints(MPI_COMM_SELF, 2, MPI_INFO_NULL, comms.data());
  left = -1;
  const bool once = std::exchange(failed, false);
  int error_class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &error_class);
  if (error_class != MPI_SUCCESS && (error_class != MPI_ERR_NO_MEM || !once)) {  // some it can do without
    std::printf("class %d\n", error_class);
    return wrong;
  }
  if (two_ranks(allreduce, -1) != none_failed) return wrong;
  return once ? well : none_failed;
}

/// In a process of its own. @returns how it went, or -1 - a signal
template <typename Body>
int forked(Body&& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(too_long);
    const int how = body();
    std::fflush(nullptr);
    _exit(how);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1 - WTERMSIG(status);
}

/// @returns whether all went as it should
template <typename Body>
bool each(const char* name, Body&& body) {
  long returned = 0;
  long ended = 0;
  for (long at = 0; at < 1000; ++at) {
    const int how = forked([&] { return body(at); });
    if (how == none_failed) {
      std::printf("%s: %ld times memory was missed, %ld times the job ended\n", name, returned, ended);
      tried += returned + ended;
      return true;
    }
    if (how == well)
      ++returned;
    else if (how == ended_by_name)
      ++ended;
    else {
      std::printf("%s: allocation %ld: %s %d\n", name, at, how < 0 ? "signal" : "status", how < 0 ? -1 - how : how);
      return false;
    }
  }
  std::printf("%s: too many allocations\n", name);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const std::pair<const char*, Call> calls[] = {{"bcast", bcast},
                                                {"bcast of a vector", spread_bcast},
                                                {"allreduce", allreduce},
                                                {"alltoall", alltoall},
                                                {"iallgather", iallgather},
                                                {"allreduce_init", persistent},
                                                {"dup", duplicate},
                                                {"idup", idup},
                                                {"split", split},
                                                {"neighbours", neighbours},
                                                {"exchange", exchange},
                                                {"iexchange", iexchange},
                                                {"lanes", lanes}};
  bool good = true;
  for (const auto& [name, call] : calls) {
    if (argc > 1 && std::strcmp(argv[1], name) != 0) continue;
    good = each(name, [&, made = call](long at) { return two_ranks(made, at); }) && good;
  }
  if (argc == 1 || std::strcmp(argv[1], "create") == 0) good = each("create", create) && good;
  MPI_Finalize();
  good = good && (tried > 50 || argc > 1);
  std::printf("no memory together: %s\n", good ? "all good" : "wrong");
  return good ? 0 : 1;
}
