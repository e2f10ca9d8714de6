// SPDX-License-Identifier: BSD-3-Clause
// What the program and libraries that it loads while it runs have of each other.
#pragma once

extern "C" {
// The program's.
extern int program_constructed;
int program_answers(int value);
// The first library's.
int plugin_count();
int plugin_asks(int value);
int plugin_random();
const void* plugin_place();
// The second one's.
int plugin_takes();
}
