// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/parent.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "endpoints/communicators/connected.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "engines/engine.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::parent {
namespace {

/// Of MPI_Comm_get_parent. Other endpoints may have the same handle when it has been freed.
struct Parents {
  MPI_Comm handle = MPI_COMM_NULL;
  std::uint64_t name = 0;
};

Parents parents;
bool has_parents = false;

/// One word of the shell.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      word += "'\\''";
    } else {
      word += letter;
    }
  }
  return word + "'";
}

/// The file of libraddle; empty if it is part of the program.
std::string own_file() {
  Dl_info about{};
  if (dladdr(reinterpret_cast<const void*>(&join), &about) == 0) return {};
  const std::string file = about.dli_fname;
  return file.find(".so") == std::string::npos ? std::string() : file;
}

/// Raddle's settings, as words of the shell: both sides have to agree on them, and not every MPI gives a program that
/// it starts the environment of the job.
std::string settings() {
  std::string words;
  for (char** next = environ; *next != nullptr; ++next) {
    const std::string_view entry(*next);
    const std::size_t equals = entry.find('=');
    const std::string_view name = entry.substr(0, equals);
    if (!name.starts_with("RADDLE_") || name == "RADDLE_ENGINE" || name == "RADDLE_PROXIES") continue;
    words.append(" ").append(name).append("=").append(quoted(std::string(entry.substr(equals + 1))));
  }
  return words;
}

}  // namespace

std::string script(const std::string& path) {
  // The job's engine and its proxies are not those of the program, which starts alone.
  std::string text = "unset RADDLE_ENGINE RADDLE_PROXIES; export ";
  text.append(variable).append("=endpoints").append(settings());
  if (const std::string file = own_file(); !file.empty())
    text += " LD_PRELOAD=" + quoted(file) + "${LD_PRELOAD:+:$LD_PRELOAD}";
  if (!path.empty()) text += " PATH=" + quoted(path) + ":\"$PATH\"";
  return text + "; exec \"$@\"";
}

void join() {
  // NOLINTBEGIN(concurrency-mt-unsafe): in MPI_Init, before which a program has hardly more than one thread
  if (std::getenv(variable) == nullptr) return;
  ::unsetenv(variable);  // what this process starts by itself has other parents
  // NOLINTEND(concurrency-mt-unsafe)
  MPI_Comm between = MPI_COMM_NULL;
  platform::must("MPI_Comm_get_parent", PMPI_Comm_get_parent(&between));
  if (between == MPI_COMM_NULL) return;
  int rank = 0;
  platform::must("MPI_Comm_rank", PMPI_Comm_rank(between, &rank));
  if (rank == 0) platform::must("MPI_Send", PMPI_Send(nullptr, 0, MPI_BYTE, 0, 0, between));
  endpoints::OwnHandles handle(MPI_COMM_WORLD, 1);
  if (handle.get().empty()) platform::end_relied_on("MPI_Init", endpoints::Failure(endpoints::no_communicators_left()));
  auto both = endpoints::connected(between, false, {{rank, 0}});
  parents = {handle.get().front(), both->name()};
  has_parents = true;
  try {
    engines::make_in_turn(engines::engine({}), std::move(both), handle.get());
  } catch (const std::exception& error) {
    platform::end_relied_on("MPI_Init", error);
  }
  handle.keep();
  platform::regardless(PMPI_Comm_set_name(endpoints::late::real(parents.handle), "MPI_COMM_PARENT"));
}

bool get(MPI_Comm* parent) {
  if (!has_parents) return false;
  const endpoints::Endpoint* const found = endpoints::find<endpoints::Kind::communicator>(parents.handle);
  const bool there = found != nullptr && found->communicator().name() == parents.name;
  *parent = there ? parents.handle : MPI_COMM_NULL;
  return true;
}

}  // namespace raddle::interpose::parent
