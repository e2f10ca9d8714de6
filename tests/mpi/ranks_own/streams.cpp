// SPDX-License-Identifier: BSD-3-Clause
// Ranks above 0 are kept quiet, in the ways that programs do it. What rank 0 says has to be heard (ranks.cmake).
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "ranks_own/cases.hpp"

namespace cases {

bool closed_stream(const World& world, int, char**) {
  if (world.rank != 0) {
    std::fclose(stdout);
    std::fclose(stderr);
  }
  world.meet();
  if (world.rank == 0) std::printf("heard ");
  return true;
}

bool reopened_stream(const World& world, int, char**) {
  if (world.rank != 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return false;
  world.meet();
  std::printf(world.rank == 0 ? "heard " : "NOT TO BE HEARD ");
  return true;
}

bool moved_descriptor(const World& world, int, char**) {
  if (world.rank != 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  world.meet();
  std::puts(world.rank == 0 ? "heard" : "NOT TO BE HEARD");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/echo", "echo", world.rank == 0 ? "by a child" : "NOT TO BE HEARD", static_cast<char*>(nullptr));
    _exit(1);
  }
  waitpid(child, nullptr, 0);
  const std::string text = world.rank == 0 ? "too " : "NOT TO BE HEARD ";
  return write(STDOUT_FILENO, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool silenced_stream(const World& world, int, char**) {
  if (world.rank != 0) std::cout.setstate(std::ios_base::failbit);
  world.meet();
  std::cout << (world.rank == 0 ? "heard " : "NOT TO BE HEARD ");
  // In the order of the calls, as long as nobody takes the streams of C++ and of C apart.
  if (world.rank == 0) std::printf("in ");
  if (world.rank == 0) std::cout << "order ";
  return true;
}

bool many_lines(const World& world, int, char**) {
  // Each rank's are whole in one pipe, which is read and counted (ranks.cmake).
  for (int line = 0; line < 5000; ++line)
    std::printf("%s\n", world.rank % 2 == 0 ? "a line of even ranks" : "a line of odd ones");
  return true;
}

bool input(const World& world, int, char**) {
  // A launcher gives stdin to one process, and the first rank of a process has it: two lines.
  world.meet();
  int lines = 0;
  for (char line[64]; std::fgets(line, sizeof line, stdin) != nullptr; world.meet()) ++lines;
  for (int i = lines; i < 2; ++i) world.meet();
  return lines == (world.rank == 0 ? 2 : 0) && std::getchar() == EOF;
}

}  // namespace cases
