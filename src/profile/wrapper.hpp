// SPDX-License-Identifier: BSD-3-Clause
// What the generated wrappers call.
#pragma once

#include "profile/call.hpp"
#include "profile/communicators.hpp"
#include "profile/next.hpp"
#include "profile/process.hpp"

#define RADDLE_ENTRY [[gnu::visibility("default")]]
