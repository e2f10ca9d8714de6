// SPDX-License-Identifier: BSD-3-Clause
// The engines there are.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "endpoints/communicator.hpp"
#include "platform/settings.hpp"

namespace raddle::engines {

/// Collective over the processes of `communicator`, by one thread of each: endpoints of this engine.
/// @param handles  of those of this process, by index; the caller's again if this throws
/// @throws endpoints::Failure, on all processes or none
void make(platform::Engine engine, std::unique_ptr<endpoints::Communicator> communicator,
          const std::vector<MPI_Comm>& handles);

}  // namespace raddle::engines
