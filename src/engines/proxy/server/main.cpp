// SPDX-License-Identifier: BSD-3-Clause
// The program of a proxy. A launcher has started it as a process of the program, before whose main libraddle has become
// this one (engines/proxy/join.cpp).
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "engines/proxy/area.hpp"
#include "engines/proxy/server/cpus.hpp"
#include "engines/proxy/server/server.hpp"
#include "node/alive.hpp"
#include "node/node_comm.hpp"
#include "node/shared_segment.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"

namespace raddle::proxy {
namespace {

/// The proxies of this node. Collective over all proxies. @param rank  in whose order they are
node::NodeComm proxies_here(int rank) {
  MPI_Comm proxies = MPI_COMM_NULL;
  platform::must("MPI_Comm_split", MPI_Comm_split(MPI_COMM_WORLD, 1, rank, &proxies));
  int code = MPI_SUCCESS;
  node::NodeComm here(proxies, node::of_processes, code);
  platform::must("MPI_Comm_split_type", code);
  platform::regardless(MPI_Comm_free(&proxies));
  return here;
}

void bind_to(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

/// Finds this proxy's place among those of its node. Collective over them. @returns what stands against it
std::string settle(const node::NodeComm& here, const Hello& hello, int proxies, bool& crowded) {
  NodeCpus cpus = look_at_node();
  const std::vector<cpu_set_t> all = here.gather(hello.cpus);
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(proxies)) cpus.processes.push_back(all[i]);
  cpus.proxies_each = proxies;
  const Placed placed = place_proxies(cpus, hello.proxy_cpus.data());
  crowded = placed.crowded;
  if (!placed.cpus.empty()) bind_to(placed.cpus[static_cast<std::size_t>(here.rank())]);
  if (placed.problem.empty() || hello.oversubscribe != 0) {
    // Where the launcher bound it there may be the program.
    if (placed.cpus.empty()) {
      cpu_set_t everywhere;
      CPU_ZERO(&everywhere);
      for (const int cpu : cpus.all) CPU_SET(cpu, &everywhere);
      sched_setaffinity(0, sizeof everywhere, &everywhere);
    }
    return "";
  }
  return placed.problem;
}

/// Whose proxy this is.
struct Job {
  MPI_Comm comm;  ///< with the process
  int at;         ///< the process's rank there
  int process;    ///< its rank in the program's MPI_COMM_WORLD
  int proxy;      ///< which of its proxies
  int each;       ///< how many it has
};

Job find_job(int each, MPI_Comm parent) {
  int rank = 0;
  platform::must("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  if (parent != MPI_COMM_NULL) return {parent, rank / each, rank / each, rank % each, each};
  const int group = 1 + each;
  return {MPI_COMM_WORLD, rank / group * group, rank / group, rank % group - 1, each};
}

/// @param each    proxies of each process
/// @param parent  who has spawned this one
int run(int each, MPI_Comm parent) {
  const Job job = find_job(each, parent);
  const node::NodeComm here = proxies_here(job.process * each + job.proxy);
  Hello hello;
  platform::must("MPI_Recv",
                 MPI_Recv(&hello, sizeof hello, MPI_BYTE, job.at, handshake_tag, job.comm, MPI_STATUS_IGNORE));
  Welcome welcome;
  bool crowded = false;
  std::string problem = settle(here, hello, each, crowded);
  welcome.crowded = crowded ? 1 : 0;
  std::optional<node::SharedSegment> memory;
  try {
    memory.emplace(node::SharedSegment::open(hello.address.data(), hello.bytes));
  } catch (const std::exception& error) {
    problem = std::string(error.what()) +
              "; proxies have to be on the node of their process: each node needs a "
              "multiple of " +
              std::to_string(1 + each) + " of the launcher's processes";
  }
  const Area area = memory ? Area(memory->bytes(), each) : Area();
  std::optional<node::Alive> alive;
  if (memory) alive.emplace(area.life(job.proxy));  // first, for the process waits for its end
  problem.copy(welcome.problem.data(), welcome.problem.size() - 1);
  welcome.ready = problem.empty() ? 1 : 0;
  platform::must("MPI_Send", MPI_Send(&welcome, sizeof welcome, MPI_BYTE, job.at, handshake_tag, job.comm));
  if (!problem.empty()) return 1;  // the process ends the job
  Server server(area, {.proxy = job.proxy, .process = job.process, .async = hello.async != 0, .crowded = crowded});
  const node::Watcher watcher(area.life(), [&server] { server.orphaned(); });
  server.serve();
  alive.reset();
  return 0;
}

}  // namespace
}  // namespace raddle::proxy

int main(int argc, char** argv) {
  // A launcher that preloads libraddle into all it starts does so into those that are spawned.
  if (dlsym(RTLD_DEFAULT, "Raddle_Get_version") != nullptr) {
    unsetenv("LD_PRELOAD");  // NOLINT(concurrency-mt-unsafe): there is one thread
    execv("/proc/self/exe", argv);
  }
  int provided = MPI_THREAD_SINGLE;
  raddle::platform::must("MPI_Init_thread", MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided));
  // Errors are the endpoint's: it is told of them.
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})
    raddle::platform::must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  MPI_Comm parent = MPI_COMM_NULL;
  raddle::platform::must("MPI_Comm_get_parent", MPI_Comm_get_parent(&parent));
  const bool spawned = parent != MPI_COMM_NULL && argc > 1;
  int code = 2;
  try {
    code = raddle::proxy::run(spawned ? std::stoi(argv[1]) : raddle::platform::settings().proxies,
                              spawned ? parent : MPI_COMM_NULL);
    if (spawned && code == 0) raddle::platform::must("MPI_Comm_disconnect", MPI_Comm_disconnect(&parent));
  } catch (const raddle::platform::SettingsError& error) {
    std::fprintf(stderr, "raddle: %s\n", error.what());
  } catch (const std::exception& error) {
    raddle::platform::end_job(std::string("a proxy: ") + error.what());
  }
  raddle::platform::must("MPI_Finalize", MPI_Finalize());
  return code;
}
