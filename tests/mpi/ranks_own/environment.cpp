// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "ranks_own/cases.hpp"

namespace cases {
namespace {

bool is(const char* name, const char* value) {
  const char* const found = getenv(name);
  return value == nullptr ? found == nullptr : found != nullptr && std::strcmp(found, value) == 0;
}

bool listed(const std::string& entry) {
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    if (entry == *each) return true;
  }
  return false;
}

}  // namespace

bool environment(const World& world, int, char**) {
  const std::string own = std::to_string(world.rank);
  setenv("OWN", own.c_str(), 1);
  if (world.rank == 0) unsetenv("PATH");
  static char entry[] = "PUT=here";
  putenv(entry);
  world.meet();
  bool good = is("OWN", own.c_str()) && listed("OWN=" + own) && is("PUT", "here");
  good = good && (getenv("PATH") == nullptr) == (world.rank == 0);
  std::memcpy(entry, "PUT=gone", sizeof entry);
  good =
      good && is("PUT", "gone") && setenv("OWN", "not", 0) == 0 && is("OWN", own.c_str()) && setenv("A=B", "", 1) != 0;
  static char only[] = "ONLY=this";
  static char* table[] = {only, nullptr};
  if (world.rank == 0) environ = table;
  world.meet();
  good = good && (world.rank == 0 ? is("ONLY", "this") && is("OWN", nullptr) : is("OWN", own.c_str()));
  if (world.rank == 0) clearenv();
  world.meet();
  return good && is("OWN", world.rank == 0 ? nullptr : own.c_str());
}

bool environment_under_fire(const World& world, int, char**) {
  setenv("OWN", "kept", 1);
  bool good = true;
  for (int i = 0; i < 3000; ++i) {
    if (world.rank == 0) setenv(("NAME" + std::to_string(i)).c_str(), "value", 1);
    good = good && is("OWN", "kept");
  }
  return good;
}

bool environment_of_children(const World& world, int, char**) {
  setenv("OWN", std::to_string(10 + world.rank).c_str(), 1);
  world.meet();
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "exit $OWN", static_cast<char*>(nullptr));
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  bool good = WEXITSTATUS(status) == 10 + world.rank;
  good = good && WEXITSTATUS(std::system("exit $OWN")) == 10 + world.rank && std::system(nullptr) != 0;
  char line[16]{};
  FILE* const said = popen("echo $OWN", "r");
  good = good && said != nullptr && std::fgets(line, sizeof line, said) != nullptr && pclose(said) == 0;
  good = good && std::to_string(10 + world.rank) + "\n" == line;
  FILE* const heard = popen("read word && exit $word", "w");
  good = good && heard != nullptr && std::fprintf(heard, "%d\n", 20 + world.rank) > 0;
  return good && WEXITSTATUS(pclose(heard)) == 20 + world.rank;
}

}  // namespace cases
