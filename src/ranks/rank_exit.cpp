// SPDX-License-Identifier: BSD-3-Clause
// Exported by the executable, so that programs loaded into it find this one and not the C library's. So do all
// libraries: an MPI that ends its process must go on doing so, and only programs end a rank, themselves or by their
// language's STOP.
#include "ranks/rank_exit.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace {

constexpr std::array<std::string_view, 4> speak_for_programs{"/proc/self/fd/",  // how copies of a program are loaded
                                                             "/libgfortran.so", "/libifcore", "/libflang"};

bool is_of_a_program(const void* caller) {
  Dl_info about{};
  if (dladdr(caller, &about) == 0 || about.dli_fname == nullptr) return false;
  const std::string_view name(about.dli_fname);
  return std::ranges::any_of(speak_for_programs,
                             [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void exit(int status) {
  if (raddle::ranks::status_of_rank != nullptr && is_of_a_program(__builtin_return_address(0))) {
    *raddle::ranks::status_of_rank = status & 0xff;
    pthread_exit(nullptr);
  }
  reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "exit"))(status);
  std::abort();  // never: but a pointer cannot say that what it points to does not return
}
