// SPDX-License-Identifier: BSD-3-Clause
// A library of the program's, which has a state.
#pragma once

#include <string>

extern int library_variable;

int library_count();
/// What the library finds in its variable.
int library_sees();
int library_shares();
int library_constructed();
int& library_thread_variable();
int library_thread_number();
void library_throws(const std::string& what);

// Named as functions of the C library: a process finds the program's, then the library's.
int library_error(int value) __asm__("error");
int program_tsearch(int value) __asm__("tsearch");
/// Calls both.
int library_names(int value);

/// One variable for the program and the library.
template <typename Type>
Type& shared_with_library() {
  static Type counted{};
  return counted;
}
