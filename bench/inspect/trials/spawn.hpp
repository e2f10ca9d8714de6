// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_spawn starts this program again; the child greets its parent.
#pragma once

namespace raddle::inspect {

/// The one argument that a child is started with.
inline constexpr const char* child_word = "answer-parent";

/// What the trial spawns: this program.
void set_program(const char* path);

/// What a child does.
void answer_parent();

}  // namespace raddle::inspect
