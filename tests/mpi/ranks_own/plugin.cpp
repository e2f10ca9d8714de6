// SPDX-License-Identifier: BSD-3-Clause
// A library that the program loads while it runs. Built three times: for itself, with what it takes from the first one,
// and with what nobody has.
#include "ranks_own/plugin.hpp"

#include <cstdlib>

#if defined(PLUGIN_LACKS)
extern "C" int plugin_of_nobody();
extern "C" int plugin_lacks() { return plugin_of_nobody(); }
#elif defined(PLUGIN_TAKES)
extern "C" int plugin_takes() { return plugin_count(); }
#else
namespace {

int counted = 0;
[[gnu::constructor]] void construct() { ++program_constructed; }

}  // namespace

int plugin_count() { return ++counted; }
int plugin_asks(int value) { return program_answers(value) + program_constructed; }
int plugin_random() { return std::rand(); }
const void* plugin_place() { return &counted; }
#endif
