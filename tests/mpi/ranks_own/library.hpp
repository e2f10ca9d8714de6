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

/// One variable for the program and the library.
template <typename Type>
Type& shared_with_library() {
  static Type counted{};
  return counted;
}
