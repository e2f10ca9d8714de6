// SPDX-License-Identifier: BSD-3-Clause
// The beginning and the end of a process's work with its proxies.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "endpoints/handles.hpp"
#include "endpoints/world.hpp"
#include "engines/proxy/handshake.hpp"
#include "engines/proxy/proxies.hpp"
#include "platform/last_words.hpp"
#include "platform/settings.hpp"
#include "platform/waiting.hpp"

namespace raddle::proxy {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;
constexpr std::size_t least_heap = 64 * mebibyte;

std::unique_ptr<Proxies>& own() {
  static auto& lasting = *new std::unique_ptr<Proxies>;  // calls may come after the destructors of a program
  return lasting;
}

[[noreturn]] void end_the_job(const std::string& why) {
  platform::last_words("raddle: the proxy engine cannot begin: " + why + ".\n");
  PMPI_Abort(MPI_COMM_WORLD, 1);
  _exit(1);
}

/// Pages come with the first touch, so that what is not used costs nothing.
platform::SharedSegment make_memory(int proxies) {
  const std::size_t front = Area::front(proxies);
  if (const auto asked = platform::settings().proxy_heap)
    return platform::SharedSegment::create(front + *asked * mebibyte);
  const auto memory =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t heap = std::max(least_heap, memory / 4 / mebibyte * mebibyte);
  try {
    return platform::SharedSegment::create(front + heap);
  } catch (const std::system_error&) {  // memory with a name has a limit, and takes all pages at once
    return platform::SharedSegment::create(front + least_heap);
  }
}

Hello hello_of(const platform::SharedSegment& memory) {
  Hello hello;
  memory.address().copy(hello.address.data(), hello.address.size() - 1);
  hello.bytes = memory.bytes().size();
  sched_getaffinity(0, sizeof hello.cpus, &hello.cpus);
  return hello;
}

}  // namespace

Proxies* Proxies::get() { return own().get(); }

void join() {
  const int each = platform::settings().proxies;
  if (each == 0) return;
  int rank = 0;
  int size = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size % (1 + each) != 0 || rank % (1 + each) != 0) {
    end_the_job("with RADDLE_PROXIES=" + std::to_string(each) + " each process of the program comes with " +
                std::to_string(each) + " proxies behind it, and of the job's " + std::to_string(size) +
                " processes number " + std::to_string(rank) +
                " is one of the program's; start it with raddle exec --engine proxy");
  }
  MPI_Comm world = MPI_COMM_NULL;
  PMPI_Comm_split(MPI_COMM_WORLD, 0, rank, &world);
  PMPI_Comm_set_name(world, "MPI_COMM_WORLD");
  try {
    platform::SharedSegment memory = make_memory(each);
    const Hello hello = hello_of(memory);
    own() = std::make_unique<Proxies>(each, std::move(memory));
    for (int proxy = 0; proxy < each; ++proxy)
      PMPI_Send(&hello, sizeof hello, MPI_BYTE, rank + 1 + proxy, handshake_tag, MPI_COMM_WORLD);
  } catch (const std::system_error& error) {
    end_the_job(error.what());
  }
  for (int proxy = 0; proxy < each; ++proxy) {
    Welcome welcome;
    PMPI_Recv(&welcome, sizeof welcome, MPI_BYTE, rank + 1 + proxy, handshake_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (welcome.ready == 0) end_the_job(welcome.problem.data());
    own()->set_crowded(welcome.crowded != 0);
  }
  own()->begin(rank / (1 + each));
  endpoints::program_world = world;
  endpoints::gate.fetch_or(endpoints::split_world, std::memory_order_release);
}

void leave() {
  if (!own()) return;
  Proxies& proxies = *own();
  for (int proxy = 0; proxy < proxies.each(); ++proxy) {
    Command command;
    command.op = Op::finish;
    Answer* const answer = proxies.take_answer();
    if (answer == nullptr) end_the_job("its heap is exhausted, so that it cannot end either");
    answer->end.store(endpoints::Ended::no, std::memory_order_relaxed);
    command.answer = proxies.area().place_of(answer);
    proxies.post(proxy, command);
    platform::Waiting waiting(proxies.crowded());
    while (answer->end.load(std::memory_order_acquire) == endpoints::Ended::no) {
      proxies.wake(proxy);
      waiting.turn();
    }
    proxies.give_back(answer);
  }
  proxies.end();
  endpoints::gate.fetch_and(~endpoints::split_world, std::memory_order_relaxed);
  PMPI_Comm_free(&endpoints::program_world);
  endpoints::program_world = MPI_COMM_NULL;
  static_cast<void>(own().release());  // the program may still look at memory that it had from there
}

}  // namespace raddle::proxy
