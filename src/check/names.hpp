// SPDX-License-Identifier: BSD-3-Clause
// Functions of the MPI by name.
#pragma once

#include <cstdint>

namespace raddle::check {

inline constexpr std::uint32_t no_function = ~0U;

/// `no_function`: this MPI does not have it.
std::uint32_t number_of(const char* name);

/// What comes next of that name, behind all wrappers; nullptr: this MPI does not have it.
void* function_named(const char* name);

}  // namespace raddle::check

/// A function of the MPI's, past all wrappers.
#define RADDLE_MPI(name) (reinterpret_cast<decltype(&(name))>(::raddle::check::function_named(#name)))
