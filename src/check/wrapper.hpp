// SPDX-License-Identifier: BSD-3-Clause
// What the generated wrappers call.
#pragma once

#include "check/call.hpp"
#include "check/process.hpp"

#define RADDLE_ENTRY [[gnu::visibility("default")]]
