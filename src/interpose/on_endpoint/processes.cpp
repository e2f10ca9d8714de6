// SPDX-License-Identifier: BSD-3-Clause
// Processes that endpoints start, and how they part again: MPI-4.1 sections 11.8 and 11.10.4. One thread of each
// process calls the MPI's function for its endpoints; what the MPI makes is an intercommunicator of processes, and
// those are the ranks of one of endpoints.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "endpoints/communicators/derive.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "interpose/on_endpoint/meet.hpp"
#include "interpose/parent.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Agreement;
using endpoints::Failure;
using endpoints::raise;
using platform::must;

/// What the info key says; empty: nothing.
std::string value_of(MPI_Info info, const char* key) {
  std::array<char, 4096> value{};
  int there = 0;
  if (info != MPI_INFO_NULL)
    endpoints::check(PMPI_Info_get(info, key, static_cast<int>(value.size()) - 1, value.data(), &there));
  return there != 0 ? std::string(value.data()) : std::string();
}

/// Whether this host has such a program. @param path  directories, with a colon between them
bool is_program(const std::string& command, const std::string& path) {
  if (command.find('/') != std::string::npos) return access(command.c_str(), X_OK) == 0;
  for (const auto part : std::views::split(path, ':')) {
    const std::string_view directory(part.begin(), part.end());
    if (access((std::string(directory) + "/" + command).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// A program to be started, as the MPI is told: through the shell, which tells it who its parents are. What is no
/// program the MPI is told as it is, so that it says what is wrong.
class Program {
 public:
  /// @param arguments  ends with a null pointer, or MPI_ARGV_NULL
  Program(const char* command, char** arguments, int processes, MPI_Info info) : processes_(processes), info_(info) {
    const std::string path = value_of(info, "path");
    const char* const usual = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): a rank's own, or nobody's to set
    const std::string all = path + ":" + (usual == nullptr ? "" : usual);
    if (is_program(command, all) || !value_of(info, "wdir").empty()) {
      words_ = {shell, "-c", parent::script(path), command, command};
      if (!path.empty()) leave_out_path();  // there is no shell
    } else {
      words_ = {command};
    }
    for (char** next = arguments; next != MPI_ARGV_NULL && next != nullptr && *next != nullptr; ++next)
      words_.emplace_back(*next);
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  Program(Program&&) noexcept = default;
  Program& operator=(Program&&) noexcept = default;
  ~Program() = default;

  [[nodiscard]] char* command() const { return pointers_.front(); }
  [[nodiscard]] char** arguments() { return pointers_.data() + 1; }
  [[nodiscard]] int processes() const { return processes_; }
  [[nodiscard]] MPI_Info info() const { return info_; }

 private:
  static constexpr const char* shell = "/bin/sh";

  void leave_out_path() {
    const auto free = [](MPI_Info* info) {
      platform::regardless(PMPI_Info_free(info));
      delete info;
    };
    own_info_ = {new MPI_Info(MPI_INFO_NULL), free};
    must("MPI_Info_dup", PMPI_Info_dup(info_, own_info_.get()));
    must("MPI_Info_delete", PMPI_Info_delete(*own_info_, "path"));
    info_ = *own_info_;
  }

  int processes_;
  MPI_Info info_;
  std::shared_ptr<MPI_Info> own_info_;  ///< the same without the key "path"
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

/// A rank that starts programs: the root has them.
struct Starter : Newcomer {
  std::vector<Program> programs;
  bool several = false;         ///< MPI_Comm_spawn_multiple
  std::vector<int> ended_with;  ///< by process that was to be started: an error code
};

/// Of the MPI's: what it makes, or an error code.
struct Started {
  MPI_Comm between = MPI_COMM_NULL;
  int code = MPI_SUCCESS;
  std::vector<int> codes;
};

/// Collective over `processes`. @param starter  of the root, where it is
Started start(MPI_Comm processes, int root, Starter* starter) {
  Started started;
  int count = 0;
  if (starter != nullptr) {
    for (const Program& one : starter->programs) count += one.processes();
  }
  must("MPI_Bcast", PMPI_Bcast(&count, 1, MPI_INT, root, processes));
  started.codes.assign(static_cast<std::size_t>(count), MPI_SUCCESS);
  std::vector<char*> commands;
  std::vector<char**> arguments;
  std::vector<int> counts;
  std::vector<MPI_Info> infos;
  for (Program& one : starter != nullptr ? std::span(starter->programs) : std::span<Program>()) {
    commands.push_back(one.command());
    arguments.push_back(one.arguments());
    counts.push_back(one.processes());
    infos.push_back(one.info());
  }
  const bool several = starter != nullptr && starter->several;
  int all_several = several ? 1 : 0;
  must("MPI_Bcast", PMPI_Bcast(&all_several, 1, MPI_INT, root, processes));
  started.code = all_several != 0 ? PMPI_Comm_spawn_multiple(static_cast<int>(commands.size()), commands.data(),
                                                             arguments.data(), counts.data(), infos.data(), root,
                                                             processes, &started.between, started.codes.data())
                                  : PMPI_Comm_spawn(commands.empty() ? "" : commands.front(),
                                                    arguments.empty() ? MPI_ARGV_NULL : arguments.front(), count,
                                                    infos.empty() ? MPI_INFO_NULL : infos.front(), root, processes,
                                                    &started.between, started.codes.data());
  return started;
}

/// A program that has not libraddle never answers.
void wait_for_first(MPI_Comm between) {
  Patience patience("what MPI_Comm_spawn has started has not met its parents, which are endpoints, for " +
                    std::to_string(Patience::limit) +
                    " s. It has to be a program that is linked with this MPI as a shared library, and that calls "
                    "MPI_Init.");
  for (int there = 0; there == 0;) {
    must("MPI_Iprobe", PMPI_Iprobe(0, 0, between, &there, MPI_STATUS_IGNORE));
    if (there != 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    patience.wait();
  }
  must("MPI_Recv", PMPI_Recv(nullptr, 0, MPI_BYTE, 0, 0, between, MPI_STATUS_IGNORE));
}

/// What one thread does for all ranks of its process. @throws Failure, on all processes
void start_and_meet(Endpoint& endpoint, const Agreement& agreement) {
  // Threads that start programs at the same time.
  static std::mutex guard;
  const std::lock_guard lock(guard);
  meet(endpoint, agreement, true, [&](MPI_Comm processes, int root, Newcomer* of_root) {
    Started started = start(processes, root, static_cast<Starter*>(of_root));
    for (const auto& [rank, newcomer] : agreement.newcomers())
      static_cast<Starter*>(newcomer)->ended_with = started.codes;
    if (started.code != MPI_SUCCESS || started.between == MPI_COMM_NULL)
      throw Failure(started.code != MPI_SUCCESS ? started.code : MPI_ERR_SPAWN);
    int own = 0;
    must("MPI_Comm_rank", PMPI_Comm_rank(started.between, &own));
    if (own == 0) wait_for_first(started.between);
    return Connection{started.between};
  });
}

/// The same, as derive.hpp has it.
void start_once(Endpoint& endpoint, const Agreement& agreement) {
  for_all(agreement, [&] { start_and_meet(endpoint, agreement); });
}

/// @param programs  makes them, at the root; throws Failure for bad arguments
template <typename Programs>
int spawn(Endpoint& endpoint, const char* call, bool several, int root, MPI_Comm* made, int* codes,
          Programs&& programs) {
  *made = MPI_COMM_NULL;
  if (platform::quirks().spawn_crashes) {
    return raise(endpoint.comm, endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                                      std::string("Raddle: ") + call + " crashes with this MPI (" +
                                                          std::string(platform::quirks().name) + ")"));
  }
  Starter starter;
  starter.several = several;
  starter.given.colour = root;
  if (!is_rank(endpoint, root)) {
    say(starter, MPI_ERR_ROOT);
  } else if (endpoint.rank() == root) {
    try {
      starter.programs = programs();
    } catch (const Failure& failure) {
      say(starter, failure.code);
    }
  }
  const int code = come_together(endpoint, call, starter, start_once, made);
  if (codes != MPI_ERRCODES_IGNORE && codes != nullptr) std::ranges::copy(starter.ended_with, codes);
  return code;
}

void check_program(const char* command, int processes) {
  if (command == nullptr || processes < 0) throw Failure(MPI_ERR_ARG);
}

}  // namespace

int Comm_spawn(const char* command, char** arguments, int processes, MPI_Info info, int root, Endpoint& endpoint,
               MPI_Comm* made, int* codes) {
  return spawn(endpoint, "MPI_Comm_spawn", false, root, made, codes, [&] {
    check_program(command, processes);
    std::vector<Program> programs;
    programs.emplace_back(command, arguments, processes, info);
    return programs;
  });
}

int Comm_spawn_multiple(int count, char** commands, char*** arguments, const int* processes, const MPI_Info* infos,
                        int root, Endpoint& endpoint, MPI_Comm* made, int* codes) {
  return spawn(endpoint, "MPI_Comm_spawn_multiple", true, root, made, codes, [&] {
    if (count < 1 || commands == nullptr || processes == nullptr || infos == nullptr) throw Failure(MPI_ERR_ARG);
    std::vector<Program> programs;
    for (int i = 0; i < count; ++i) {
      check_program(commands[i], processes[i]);
      programs.emplace_back(commands[i], arguments == MPI_ARGVS_NULL ? MPI_ARGV_NULL : arguments[i], processes[i],
                            infos[i]);
    }
    return programs;
  });
}

int Comm_disconnect(Endpoint& endpoint, MPI_Comm* comm) {
  if (*comm != endpoint.comm) return raise(endpoint.comm, MPI_ERR_COMM);  // a rank's MPI_COMM_WORLD or MPI_COMM_SELF
  // All that is pending there has to come to its end, on both sides.
  endpoints::progress_until(endpoint, "MPI_Comm_disconnect", [&] { return endpoint.owes_nothing(); });
  if (const int code = Barrier(endpoint); code != MPI_SUCCESS) return code;
  return Comm_free(endpoint, comm);
}

}  // namespace raddle::interpose::on_endpoint
