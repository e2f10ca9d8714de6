// SPDX-License-Identifier: BSD-3-Clause
// Benchmarks that compare thread levels: the level is a parameter, and a launch must have been started with it.
#pragma once

#include "mpi/about_mpi.hpp"
#include "mpi/benchmark.hpp"

namespace raddle::bench {

/// As channel_arm; refuses to measure under one level what is called another.
template <typename ChannelWorker>
std::unique_ptr<Arm> levelled_arm(const std::string& variant, const Team& team, const Work& work) {
  if (const std::string& level = work.word("level"); level != requested_level()) {
    throw PlanError("this launch asked for thread level '" + requested_level() + "', and the set is about '" + level +
                    "'");
  }
  return channel_arm<ChannelWorker>(variant, team, work);
}

}  // namespace raddle::bench
