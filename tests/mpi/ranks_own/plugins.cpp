// SPDX-License-Identifier: BSD-3-Clause
// Libraries that a rank loads while it runs (dlopen).
#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

#include "ranks_own/cases.hpp"
#include "ranks_own/plugin.hpp"

int program_constructed = 0;
int program_answers(int value) { return 10 * value; }

namespace cases {
namespace {

template <typename Function>
Function* found(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

bool ends(const char* text, std::string_view end) { return text != nullptr && std::string_view(text).ends_with(end); }

}  // namespace

bool plugins(const World& world, int, char**) {
  if (dlopen(RANKS_OWN_PLUGIN, RTLD_NOW | RTLD_NOLOAD) != nullptr) return false;
  void* const plugin = dlopen(RANKS_OWN_PLUGIN, RTLD_NOW | RTLD_GLOBAL);
  if (plugin == nullptr) return false;
  const auto count = found<decltype(plugin_count)>(plugin, "plugin_count");
  for (int i = 0; i < 1000; ++i) count();
  std::srand(static_cast<unsigned>(world.rank));
  const int drawn = std::rand();
  std::srand(static_cast<unsigned>(world.rank));
  world.meet();
  const bool own = count() == 1001 &&
                   found<decltype(plugin_asks)>(plugin, "plugin_asks")(world.rank) == 10 * world.rank + 1 &&
                   found<decltype(plugin_random)>(plugin, "plugin_random")() == drawn;
  // Again it is the same, and it stays as long as one has it.
  void* const again = dlopen(RANKS_OWN_PLUGIN, RTLD_LAZY);
  const bool same = again == plugin && dlclose(again) == 0 && program_constructed == 1 && count() == 1002;
  // One that takes from the first one, and the program's own things by their names.
  void* const second = dlopen(RANKS_OWN_PLUGIN_TAKES, RTLD_NOW);
  const bool takes = second != nullptr && found<decltype(plugin_takes)>(second, "plugin_takes")() == 1003;
  void* const program = dlopen(nullptr, RTLD_LAZY);
  const bool finds = dlsym(program, "program_answers") == reinterpret_cast<void*>(program_answers) &&
                     dlsym(RTLD_DEFAULT, "program_constructed") == &program_constructed &&
                     dlsym(RTLD_DEFAULT, "plugin_count") == reinterpret_cast<void*>(count) &&
                     dlsym(program, "program_nothing") == nullptr;
  Dl_info info{};
  const bool told = dladdr(found<decltype(plugin_place)>(plugin, "plugin_place")(), &info) != 0 &&
                    std::string_view(info.dli_fname) == RANKS_OWN_PLUGIN;
  // What nobody has is missed at once, or when it is called.
  const bool lacks = dlopen(RANKS_OWN_PLUGIN_LACKS, RTLD_NOW) == nullptr && ends(dlerror(), "plugin_of_nobody");
  const bool lazy = dlopen(RANKS_OWN_PLUGIN_LACKS, RTLD_LAZY) != nullptr;
  const bool nowhere = dlopen("/nowhere/at/all.so", RTLD_NOW) == nullptr && dlerror() != nullptr;
  return own && same && takes && finds && told && lacks && lazy && nowhere;
}

}  // namespace cases
