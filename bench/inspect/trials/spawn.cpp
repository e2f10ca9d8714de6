// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/trials/spawn.hpp"

#include <array>
#include <string>

#include "inspect/trial.hpp"
#include "inspect/watchdog.hpp"

namespace raddle::inspect {
namespace {

constexpr int greeting = 42;

std::string& program() {
  static std::string path;
  return path;
}

void spawn() {
  std::string word = child_word;
  std::array<char*, 2> arguments{word.data(), nullptr};
  MPI_Comm child = MPI_COMM_NULL;
  int code = MPI_SUCCESS;
  check(MPI_Comm_spawn(program().c_str(), arguments.data(), 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &child, &code),
        "MPI_Comm_spawn");
  int said = 0;
  check(MPI_Recv(&said, 1, MPI_INT, 0, 0, child, MPI_STATUS_IGNORE), "MPI_Recv from the child");
  if (said != greeting) throw Defect("the child's message arrived changed");
  check(MPI_Comm_disconnect(&child), "MPI_Comm_disconnect");
}

const RegisterTrial registered("spawn", spawn);

}  // namespace

void set_program(const char* path) { program() = path; }

void answer_parent() {
  const Watchdog watchdog("spawn");
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) return;
  MPI_Send(&greeting, 1, MPI_INT, 0, 0, parent);
  MPI_Comm_disconnect(&parent);
}

}  // namespace raddle::inspect
