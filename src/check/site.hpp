// SPDX-License-Identifier: BSD-3-Clause
// Where in the program a call stands: a module and an offset in it, which are the same in each run.
#pragma once

#include <cstdint>
#include <string>

namespace raddle::check {

struct ModuleOffset {
  std::string module;    ///< "": nobody knows
  std::uint64_t offset;  ///< what addr2line takes; of the instruction behind the call
};
ModuleOffset module_offset_of(const void* caller);

/// Where the program has called: past the MPI's functions for Fortran and C++. nullptr: the MPI, or libraddle, has
/// called itself, which is no call of the program.
const void* caller_in_program(const void* caller);

}  // namespace raddle::check
