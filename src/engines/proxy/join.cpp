// SPDX-License-Identifier: BSD-3-Clause
// The beginning and the end of a process's work with its proxies; and before main, whether it is one of them.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "endpoints/handles/handles.hpp"
#include "endpoints/rank.hpp"
#include "engines/proxy/area.hpp"
#include "engines/proxy/proxies.hpp"
#include "platform/last_words.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"
#include "platform/own_copy.hpp"
#include "platform/settings.hpp"
#include "platform/waiting.hpp"

namespace raddle::proxy {

// Before main: whether this process is the program's or one of its proxies, which go on as a program of their own.

namespace {

/// Where launchers tell a process its rank: Hydra and PMI-1 or PMI-2, PRRTE, Slurm.
constexpr std::array rank_variables{"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"};

/// -1: no launcher has started it.
int rank_of_this_process() {
  for (const char* const name : rank_variables) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): there is one thread
    int rank = 0;
    if (value == nullptr) continue;
    const auto [end, error] = std::from_chars(value, value + std::strlen(value), rank);
    if (error == std::errc{} && *end == '\0') return rank;
  }
  return -1;
}

/// Of what is preloaded: proxies call their MPI as it is.
void leave_out(std::string_view library) {
  constexpr const char* name = "LD_PRELOAD";
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  if (value == nullptr) return;
  std::string others;
  std::string_view rest = value;
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of(": ");
    const std::string_view one = rest.substr(0, end);
    if (one != library && !one.empty()) others.append(others.empty() ? "" : ":").append(one);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  if (others.empty()) {
    unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
  } else {
    setenv(name, others.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
}

/// bin/raddle-proxy beside the lib/ that the library is in.
std::string program_of(std::string_view library) {
  const std::size_t file = library.rfind('/');
  const std::string lib(file == std::string_view::npos ? "." : library.substr(0, file));
  return lib + "/../bin/raddle-proxy";
}

}  // namespace

std::string program_beside(const void* library) {
  Dl_info found{};
  return dladdr(library, &found) == 0 ? "raddle-proxy" : program_of(found.dli_fname);
}

void become_proxy_if_it_is_one(const void* library) {
  int proxies = 0;
  try {
    const platform::Settings& settings = platform::settings();
    proxies = settings.proxy_start == platform::ProxyStart::split ? settings.proxies : 0;
  } catch (const platform::SettingsError&) {
    return;  // said when MPI begins
  }
  if (proxies == 0) return;
  const int rank = rank_of_this_process();
  Dl_info found{};
  if (rank < 0 || rank % (1 + proxies) == 0 || dladdr(library, &found) == 0) return;
  leave_out(found.dli_fname);
  const std::string program = program_of(found.dli_fname);
  char name[] = "raddle-proxy";
  char* const arguments[] = {name, nullptr};
  execv(program.c_str(), arguments);
  std::fprintf(stderr, "raddle: %s, the program of proxies, cannot be started: %s\n", program.c_str(),
               std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
  _exit(1);
}

namespace {

using platform::must;

constexpr std::size_t mebibyte = std::size_t{1} << 20U;
constexpr std::size_t least_heap = 64 * mebibyte;

std::unique_ptr<Proxies>& own() {
  static auto& lasting = *new std::unique_ptr<Proxies>;  // calls may come after the destructors of a program
  return lasting;
}

[[noreturn]] void end_the_job(const std::string& why) {
  platform::last_words("raddle: the proxy engine cannot begin: " + why + ".\n");
  platform::regardless(PMPI_Abort(MPI_COMM_WORLD, 1));
  _exit(1);
}

/// Pages come with the first touch, so that what is not used costs nothing.
node::SharedSegment make_memory(int proxies) {
  const std::size_t front = Area::front(proxies);
  if (const auto asked = platform::settings().proxy_heap) return node::SharedSegment::create(front + *asked * mebibyte);
  const auto memory =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t heap = std::max(least_heap, memory / 4 / mebibyte * mebibyte);
  try {
    return node::SharedSegment::create(front + heap);
  } catch (const std::system_error&) {  // memory with a name has a limit, and takes all pages at once
    return node::SharedSegment::create(front + least_heap);
  }
}

Hello hello_of(const node::SharedSegment& memory) {
  Hello hello;
  memory.address().copy(hello.address.data(), hello.address.size() - 1);
  hello.bytes = memory.bytes().size();
  sched_getaffinity(0, sizeof hello.cpus, &hello.cpus);
  const platform::Settings& settings = platform::settings();
  settings.proxy_cpus.copy(hello.proxy_cpus.data(), hello.proxy_cpus.size() - 1);
  hello.oversubscribe = settings.proxy_oversubscribe ? 1 : 0;
  hello.async = settings.proxy_progress == platform::ProxyProgress::async ? 1 : 0;
  return hello;
}

/// How a process reaches its proxies.
struct Way {
  MPI_Comm comm;   ///< with them
  int first;       ///< the first one's rank there
  int process;     ///< this one's rank in the program's world
  MPI_Comm world;  ///< that, if it is not MPI_COMM_WORLD
  Proxies::Numbering numbering;
};

/// They are ranks of MPI_COMM_WORLD, behind their process. Collective, with them.
Way split(int each, int rank, int size) {
  if (size % (1 + each) != 0 || rank % (1 + each) != 0) {
    end_the_job("with RADDLE_PROXIES=" + std::to_string(each) + " each process of the program comes with " +
                std::to_string(each) + " proxies behind it, and of the job's " + std::to_string(size) +
                " processes number " + std::to_string(rank) +
                " is one of the program's; start it with raddle exec --engine proxy");
  }
  MPI_Comm world = MPI_COMM_NULL;
  must("MPI_Comm_split", PMPI_Comm_split(MPI_COMM_WORLD, 0, rank, &world));
  platform::regardless(PMPI_Comm_set_name(world, "MPI_COMM_WORLD"));
  return {MPI_COMM_WORLD, rank + 1, rank / (1 + each), world, {1 + each, 1}};
}

/// They are started now, all together. Collective.
Way spawn(int each, int rank, int size) {
  if (platform::quirks().spawn_crashes) {
    end_the_job("MPI_Comm_spawn crashes with " + std::string(platform::quirks().name) +
                " MPI; have the launcher start the proxies (RADDLE_PROXY_START=split, raddle exec --engine proxy)");
  }
  const std::string program = program_beside(reinterpret_cast<const void*>(&join));
  std::string number = std::to_string(each);
  char* arguments[] = {number.data(), nullptr};
  MPI_Comm comm = MPI_COMM_NULL;
  int copied = MPI_SUCCESS;
  MPI_Comm all = platform::own_copy(MPI_COMM_WORLD, copied);
  const int code = all == MPI_COMM_NULL ? MPI_ERR_SPAWN
                                        : PMPI_Comm_spawn(program.c_str(), arguments, size * each, MPI_INFO_NULL, 0,
                                                          all, &comm, MPI_ERRCODES_IGNORE);
  if (all != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&all));
  if (code != MPI_SUCCESS) {
    end_the_job("MPI_Comm_spawn could not start " + std::to_string(size * each) +
                " proxies; have the launcher start them (RADDLE_PROXY_START=split, raddle exec --engine proxy)");
  }
  return {comm, rank * each, rank, MPI_COMM_NULL, {each, 0}};
}

MPI_Comm spawned_proxies = MPI_COMM_NULL;
/// For the last commands: by then the program may have used up the heap.
Answer* last_answer = nullptr;

}  // namespace

Proxies* Proxies::get() { return own().get(); }

void join() {
  const int each = platform::settings().proxies;
  if (each == 0) return;
  int rank = 0;
  int size = 0;
  must("MPI_Comm_rank", PMPI_Comm_rank(MPI_COMM_WORLD, &rank));
  must("MPI_Comm_size", PMPI_Comm_size(MPI_COMM_WORLD, &size));
  const bool spawned = platform::settings().proxy_start == platform::ProxyStart::spawn;
  const Way way = spawned ? spawn(each, rank, size) : split(each, rank, size);
  try {
    node::SharedSegment memory = make_memory(each);
    const Hello hello = hello_of(memory);
    own() = std::make_unique<Proxies>(each, way.numbering, std::move(memory));
    last_answer = own()->take_answer();
    for (int proxy = 0; proxy < each; ++proxy)
      must("MPI_Send", PMPI_Send(&hello, sizeof hello, MPI_BYTE, way.first + proxy, handshake_tag, way.comm));
  } catch (const std::system_error& error) {
    end_the_job(error.what());
  }
  for (int proxy = 0; proxy < each; ++proxy) {
    Welcome welcome;
    must("MPI_Recv",
         PMPI_Recv(&welcome, sizeof welcome, MPI_BYTE, way.first + proxy, handshake_tag, way.comm, MPI_STATUS_IGNORE));
    if (welcome.ready == 0) end_the_job(welcome.problem.data());
    own()->set_crowded(welcome.crowded != 0);
  }
  own()->begin(way.process);
  if (way.world == MPI_COMM_NULL) {
    spawned_proxies = way.comm;
    return;
  }
  endpoints::program_world = way.world;
  endpoints::gate.fetch_or(endpoints::split_world, std::memory_order_release);
}

void leave() {
  if (!own()) return;
  Proxies& proxies = *own();
  for (int proxy = 0; proxy < proxies.each(); ++proxy) {
    Command command;
    command.op = Op::finish;
    last_answer->end.store(endpoints::Ended::no, std::memory_order_relaxed);
    command.answer = proxies.area().place_of(last_answer);
    proxies.post(proxy, command);
    platform::Waiting waiting(proxies.crowded());
    while (last_answer->end.load(std::memory_order_acquire) == endpoints::Ended::no) {
      proxies.wake(proxy);
      waiting.turn();
    }
  }
  proxies.end();
  if (spawned_proxies != MPI_COMM_NULL) {
    must("MPI_Comm_disconnect", PMPI_Comm_disconnect(&spawned_proxies));
  } else {
    endpoints::gate.fetch_and(~endpoints::split_world, std::memory_order_relaxed);
    must("MPI_Comm_free", PMPI_Comm_free(&endpoints::program_world));
    endpoints::program_world = MPI_COMM_NULL;
  }
  std::ignore = own().release();  // the program may still look at memory that it had from there
}

}  // namespace raddle::proxy
