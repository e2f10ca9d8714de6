// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/trial.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "inspect/say.hpp"
#include "inspect/watchdog.hpp"

namespace raddle::inspect {
namespace {

using namespace std::chrono_literals;

std::map<std::string, Trial>& trials() {
  static std::map<std::string, Trial> map;
  return map;
}

[[noreturn]] void end_job(const std::string& name, const std::string& defect) {
  say_outcome(name, "wrong", defect);
  std::this_thread::sleep_for(100ms);  // for the launcher to pass it on
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

void run(const std::string& name, Trial trial, int rank) {
  MPI_Barrier(MPI_COMM_WORLD);  // some map shared memory only at the first message
  if (rank == 0) {
    say({{"type", "begin"}, {"trial", name}});
    std::this_thread::sleep_for(50ms);  // to be looked at: what a crash leaves behind can be removed then
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Watchdog watchdog(name);
  try {
    trial();
  } catch (const Defect& defect) {
    end_job(name, defect.what());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) say_outcome(name, "right");
}

}  // namespace

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Defect(std::string(call) + " failed: " + text.data());
}

RegisterTrial::RegisterTrial(const char* name, Trial trial) { trials().emplace(name, trial); }

void run_trials(const std::vector<std::string>& names) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const std::string& name : names) {
    const auto found = trials().find(name);
    if (found != trials().end()) {
      run(name, found->second, rank);
    } else if (rank == 0) {
      say_outcome(name, "absent", "this MPI does not have the functions");
    }
  }
}

}  // namespace raddle::inspect
