// SPDX-License-Identifier: BSD-3-Clause
// What these versions of MPIs get wrong, so that --spare leaves it out and all else can be tested on them.
// docs/evidence/mpi-notes.md tells more.
#pragma once

#include "operation.hpp"
#include "script.hpp"

namespace raddle::collectives {

/// Takes from a call what makes it fail.
void tame(Call& call);
/// Whether it fails all the same.
bool excepted(const Call& call);
bool spared_from_testall(const Operation* operation);

}  // namespace raddle::collectives
