// SPDX-License-Identifier: BSD-3-Clause
// The beginning and the end of the layer in a process.
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>

#include "engines/creation.hpp"
#include "engines/engine.hpp"
#include "interpose/wrapper.hpp"
#include "platform/last_words.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"

namespace raddle::interpose {

bool calls_pass = false;

namespace {

using Count = std::atomic<std::uint64_t>;

/// By entry; made when counting begins, never freed, since calls may still come while the process ends.
std::atomic<Count*> counts{nullptr};

/// Children of fork() have a copy of all there is here, and do not end a job.
pid_t this_process = 0;

/// With what the process exits, as soon as it does.
int exit_status = 0;

std::string name_of(int entry) { return std::string(entry % 2 == 0 ? "" : "P") + names[entry / 2]; }

/// Before any code that calls MPI. A function that mpi.h declares may be missing in the library: in any, since headers
/// promise too much, and in one of several with the same ABI.
[[gnu::constructor(101)]] void find_next() {
  this_process = getpid();
  for (engines::Engine* engine : engines::engines()) engine->before_main(&counts);
  for (int entry = 0; entry < 2 * functions; ++entry) {
    void* const found = dlsym(RTLD_NEXT, name_of(entry).c_str());
    calls_pass = calls_pass || found != nullptr;
    next[entry] = found != nullptr ? found : reinterpret_cast<void*>(lacking[entry]);
  }
}

/// Where the file is loaded that has something at `address`.
const void* file_with(const void* address) {
  Dl_info about{};
  return dladdr(address, &about) == 0 ? nullptr : about.dli_fbase;
}

/// Whether it is the MPI that has called exit(), as MPI_Abort and fatal errors do with some: then the launcher knows.
/// Of the calls that are underway its own is the first that is of none of these: this library, the loader, and the C
/// library or whoever stands in for its exit().
bool mpi_exits() {
  const std::array<const void*, 4> on_the_way{file_with(&calls_pass), reinterpret_cast<const void*>(getauxval(AT_BASE)),
                                              file_with(dlsym(RTLD_NEXT, "exit")),
                                              file_with(dlsym(RTLD_DEFAULT, "exit"))};
  std::array<void*, 32> calls{};
  const auto end = calls.begin() + backtrace(calls.data(), static_cast<int>(calls.size()));
  const auto caller = std::find_if(calls.begin(), end, [&](const void* call) {
    return std::ranges::find(on_the_way, file_with(call)) == on_the_way.end();
  });
  return caller != end && file_with(*caller) == file_with(dlsym(RTLD_NEXT, "PMPI_Abort"));
}

/// A process that exits without MPI_Finalize would leave others waiting for its endpoints: not every launcher ends a
/// job for an exit that looks well.
[[gnu::destructor]] void end_with_the_process() {
  if (getpid() != this_process) return;
  const endpoints::AsProcess process;  // the thread that calls exit may be a rank
  int finalized = 1;
  const bool awaited = engines::Creation::any_alive() ||
                       std::ranges::any_of(engines::engines(), [](engines::Engine* one) { return one->is_awaited(); });
  if (!awaited || PMPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0) return;
  if (mpi_exits()) return;
  platform::last_words(
      "raddle: process " + std::to_string(getpid()) +
      " exits without MPI_Finalize, and there are endpoints of it, or proxies, that others may wait for. Ending the "
      "job.\n");
  platform::regardless(PMPI_Abort(MPI_COMM_WORLD, exit_status == 0 ? 1 : exit_status));
}

[[gnu::destructor]] void report() {
  const Count* counted = counts.load(std::memory_order_acquire);
  if (counted == nullptr) return;
  std::string line = "raddle: process " + std::to_string(getpid()) + " called";
  for (int entry = 0; entry < 2 * functions; ++entry) {
    const std::uint64_t calls = counted[entry].load(std::memory_order_relaxed);
    if (calls > 0) line.append(" ").append(name_of(entry)).append("=").append(std::to_string(calls));
  }
  line += '\n';
  std::fputs(line.c_str(), stderr);  // in one piece, for other processes write there too
}

}  // namespace

void lack(int entry) {
  platform::last_words("raddle: " + name_of(entry) +
                       " is called, and the MPI library of this process has no such function\n");
  std::abort();
}

void begin() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Not before main: the loader's functions at the end, which call ours, would come first.
    on_exit([](int status, void*) { exit_status = status & 0xff; }, nullptr);
    try {
      if (!platform::settings().count_calls) return;
    } catch (const platform::SettingsError& error) {
      std::fprintf(stderr, "raddle: %s\n", error.what());
      std::exit(2);  // NOLINT(concurrency-mt-unsafe): MPI has not begun, so there is one thread
    }
    counts.store(new Count[2 * static_cast<std::size_t>(functions)]{}, std::memory_order_release);
    endpoints::gate.fetch_or(counting, std::memory_order_relaxed);
  });
}

void count_call(int entry) {
  if (Count* counted = counts.load(std::memory_order_acquire)) counted[entry].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace raddle::interpose
