// SPDX-License-Identifier: BSD-3-Clause
#include "ranks_own/library.hpp"

#include <omp.h>

#include <stdexcept>

namespace {

int counted = 0;
thread_local int of_thread = 0;
int constructed = 0;
[[gnu::constructor]] void construct() { ++constructed; }

}  // namespace

int library_variable = -1;

int library_error(int value) { return value + 1; }
int library_names(int value) { return 100 * library_error(value) + program_tsearch(value); }

int library_count() { return ++counted; }
int library_sees() { return library_variable; }
int library_shares() { return shared_with_library<int>(); }
int library_constructed() { return constructed; }
int& library_thread_variable() { return of_thread; }
int library_thread_number() { return omp_get_thread_num(); }
void library_throws(const std::string& what) { throw std::runtime_error(what); }
