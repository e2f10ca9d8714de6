// SPDX-License-Identifier: BSD-3-Clause
#include "base.hpp"

#include "../traffic/communicators.hpp"

namespace raddle::collectives {

std::vector<MPI_Comm> make_base(const Options& options) {
  traffic::Options those;
  those.endpoints = those.threads = options.endpoints;
  those.uneven = options.uneven;
  those.default_handlers = options.default_handlers;
  those.per_process = options.per_process;
  return traffic::make_communicators(those);
}

}  // namespace raddle::collectives
