// SPDX-License-Identifier: BSD-3-Clause

#include "interpose/always.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "endpoints/groups/group.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "endpoints/requests/polling.hpp"
#include "engines/creation.hpp"
#include "engines/engine.hpp"
#include "interpose/abi_draft.hpp"
#include "interpose/attached.hpp"
#include "interpose/parent.hpp"
#include "interpose/rendezvous.hpp"
#include "interpose/wrapper.hpp"
#include "platform/background.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"
#include "platform/waiting.hpp"
#include "raddle/raddle.h"
#include "sparse/attachment.hpp"
#include "sparse/exchange.hpp"

namespace raddle::interpose {

std::unique_lock<std::recursive_mutex> turn_to_look_up() {
  static auto& lookups = *new std::recursive_mutex;  // never destroyed
  const bool alone = endpoints::adopted != nullptr && platform::quirks().lookups_race;
  return alone ? std::unique_lock(lookups) : std::unique_lock<std::recursive_mutex>();
}

}  // namespace raddle::interpose

namespace raddle::interpose::always {
namespace {

template <typename Look>
void wait_until(Look&& look) {
  platform::Waiting waiting(false);
  while (!look()) {
    endpoints::Everything::progress();
    waiting.turn();
  }
}

void blocked_in_sparse(MPI_Comm comm) {
  if (endpoints::Endpoint* const endpoint = find<Kind::communicator>(comm)) endpoint->blocked("Raddle_Sparse_exchange");
}

bool ends_with_self = false;

/// MPI_Finalize deletes what hangs on MPI_COMM_SELF, the last first, and MPI is still there for it (MPI-4.1 section
/// 11.2.4): endpoints too, since what ends them is there before anything of the program.
void hang_on_self() {
  const auto at_the_end = [](MPI_Comm, int, void*, void*) -> int {
    end();
    return MPI_SUCCESS;
  };
  int key = MPI_KEYVAL_INVALID;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, nullptr) != MPI_SUCCESS) return;
  ends_with_self = PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
  platform::regardless(PMPI_Comm_free_keyval(&key));
}

}  // namespace

int thread_level(int wanted) {
  return platform::settings().thread_level == platform::ThreadLevel::multiple
             ? std::max<int>(wanted, MPI_THREAD_MULTIPLE)
             : wanted;
}

void tell_thread_level(int asked) {
  int rank = 0;
  int provided = MPI_THREAD_SINGLE;
  platform::must("MPI_Comm_rank", PMPI_Comm_rank(MPI_COMM_WORLD, &rank));
  platform::must("MPI_Query_thread", PMPI_Query_thread(&provided));
  if (rank != 0) return;
  const char* const levels[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                "MPI_THREAD_MULTIPLE"};
  const auto name = [&](int level) {
    constexpr int all[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
    return levels[std::find(all, all + 3, level) - all];
  };
  std::fprintf(stderr,
               "raddle: endpoints on several nodes need %s, and this MPI provides %s; they work on one node only.\n",
               name(asked), name(provided));
}

int begun() {
  static bool been_here = false;  // MPI_Init calls MPI_Init_thread, which is Raddle's as well
  if (std::exchange(been_here, true)) return MPI_SUCCESS;
  abi_draft::look();
  for (const auto step : {engines::Creation::progress_all, partitioned::progress_all, sparse::Attachment::progress_all,
                          endpoints::mpi_progress::step_meanwhile})
    endpoints::Everything::add(step);
  platform::Background::get().when_failed(
      [](const std::exception& error) { platform::end_relied_on("a thread of Raddle's", error); });
  endpoints::make_own_comms();
  hang_on_self();
  for (engines::Engine* engine : engines::engines()) engine->begin();
  sparse::surroundings = {endpoints::Everything::progress, blocked_in_sparse};
  if (const int code = attached::begin(); code != MPI_SUCCESS) return code;
  parent::join();
  return MPI_SUCCESS;
}

void* shared_memory(std::int64_t bytes) {
  engines::Engine* const engine = engines::with_memory();
  return engine == nullptr || bytes < 0
             ? nullptr
             : engine->allocate(static_cast<std::size_t>(bytes), engines::Engine::usual_alignment);
}

bool free_shared_memory(void* address) {
  return std::ranges::any_of(engines::engines(), [&](engines::Engine* engine) { return engine->free(address); });
}

void end_now() {
  platform::Background::get().end();
  // MPICH deletes what hangs on MPI_COMM_SELF when the last session ends.
  if (!ends_with_self || sessions::any_open()) end();
}

void end() {
  static bool ended = false;
  if (std::exchange(ended, true)) return;
  attached::end();
  sparse::Attachment::end();
  engines::Creation::end_all();
  endpoints::CompleteRequest::end_all();
  endpoints::free_message_handles();
  endpoints::late::forget_reserve();
  endpoints::mpi_progress::end();
  endpoints::forget_own_comms();
  endpoints::forget_processes();
  for (engines::Engine* engine : engines::engines()) engine->end();
}

void attached(void* buffer, std::int64_t bytes) { endpoints::buffered::account().attach(buffer, bytes); }

void detach(void*& buffer, std::int64_t& bytes) {
  wait_until([&] { return endpoints::buffered::account().detach(buffer, bytes); });
}

void flush() {
  const std::uint64_t before = endpoints::buffered::account().entered();
  wait_until([&] { return endpoints::buffered::account().out(before); });
}

int register_datarep(const char* name, const std::function<int()>& registers) {
  static std::mutex guard;
  static auto& known = *new std::map<std::string, std::set<const endpoints::Rank*>>;  // never destroyed
  const std::lock_guard lock(guard);
  std::set<const endpoints::Rank*>& ranks = known[name];
  if (ranks.contains(endpoints::adopted)) return raise_for_rank(MPI_ERR_DUP_DATAREP);
  if (ranks.empty()) {
    const int code = [&] {
      const endpoints::AsProcess process;  // ROMIO keeps its list of them until an attribute of MPI_COMM_SELF goes
      return registers();
    }();
    if (code != MPI_SUCCESS) return of_rank(code);
  }
  ranks.insert(endpoints::adopted);
  return MPI_SUCCESS;
}

int open_port(char* name) {
  const std::shared_ptr<rendezvous::Port> port = rendezvous::Port::open(name);
  if (!port || port->name().size() >= MPI_MAX_PORT_NAME) {
    if (*name != '\0') platform::regardless(PMPI_Close_port(name));
    return endpoints::raise(endpoints::without_communicator(),
                            endpoints::error_with(MPI_ERR_PORT, "Raddle: no socket for a port of endpoints"));
  }
  name[port->name().copy(name, port->name().size())] = '\0';
  rendezvous::keep(port);
  return MPI_SUCCESS;
}

std::string close_port(const char* name) {
  const std::shared_ptr<rendezvous::Port> port = rendezvous::find(name);
  rendezvous::forget(name);
  return port ? port->of_mpi() : std::string(name);
}

void start_flush(MPI_Request& request) {
  endpoints::buffered::Account& account = endpoints::buffered::account();
  endpoints::Endpoint* endpoint = nullptr;
  const auto hold = [&](endpoints::Endpoint& one) {
    one.communicator().hold();
    endpoint = &one;
  };
  if (!account.with_sender(hold)) {
    if (request != MPI_REQUEST_NULL) return;
    hold(*endpoints::adopted->self);  // a rank's, which has no request of the MPI's
  }
  request = std::make_unique<endpoints::FlushRequest>(*endpoint, account, request).release()->handle();
}

}  // namespace raddle::interpose::always

RADDLE_ENTRY void* Raddle_malloc(size_t bytes) try {
  raddle::engines::Engine* const engine = raddle::engines::with_memory();
  return engine != nullptr ? engine->allocate(bytes, raddle::engines::Engine::usual_alignment) : std::malloc(bytes);
} catch (...) {
  return nullptr;
}

RADDLE_ENTRY void* Raddle_memalign(size_t alignment, size_t bytes) try {
  if (!std::has_single_bit(alignment)) return nullptr;
  if (raddle::engines::Engine* const engine = raddle::engines::with_memory()) return engine->allocate(bytes, alignment);
  void* memory = nullptr;
  const size_t least = alignment < sizeof(void*) ? sizeof(void*) : alignment;
  return posix_memalign(&memory, least, bytes) == 0 ? memory : nullptr;
} catch (...) {
  return nullptr;
}

RADDLE_ENTRY void Raddle_free(void* memory) {
  if (!raddle::interpose::always::free_shared_memory(memory)) std::free(memory);
}
