// SPDX-License-Identifier: BSD-3-Clause
// The end of a run that has gone wrong.
#pragma once

#include <chrono>
#include <string>

namespace raddle::traffic {

/// What the last words begin with; a program's main.cpp names it.
extern const char* const program;

/// Says what is wrong, on stderr, and aborts the job. Of a process' threads only the first is heard.
/// @param patience time for other processes to speak as well
[[noreturn]] void abandon(const std::string& what, std::chrono::seconds patience = {});

}  // namespace raddle::traffic
