// SPDX-License-Identifier: BSD-3-Clause
// The teams of benchmarks, by the names that their files give them (team = "..."). raddle/plan/teams.py says the same
// in Python: it starts as many processes.
#pragma once

#include "core/plan.hpp"
#include "core/team.hpp"

namespace raddle::bench::teams {

/// Contexts that communicate two by two: `threads` flows.
Team pairs(Contexts contexts, const PointSet& set);
/// Pairs; or contexts that are their own partners (`partner`).
Team partners(Contexts contexts, const PointSet& set);
/// `threads` flows of `parties` contexts.
Team groups(Contexts contexts, const PointSet& set);
/// One flow of all contexts: `threads` on each of `parties` sides, two where nothing is said of them.
Team sides(Contexts contexts, const PointSet& set);
/// Two flows. As threads both senders are in one process, and each receiver is in another.
Team short_long(Contexts contexts, const PointSet& set);
/// A context and its `neighbours`; whoever helps along (`progress`) is a thread beside each, save proxies.
Team ring(Contexts contexts, const PointSet& set);
/// Pairs, one of which is there for a collective.
Team collective_compute(Contexts contexts, const PointSet& set);
/// One flow: `threads` that send, and one that receives, or as many where both sides send (`order`).
Team partitioned(Contexts contexts, const PointSet& set);
/// One flow of `ranks`. As threads each of two processes has half of them, or one has all.
Team ranks(Contexts contexts, const PointSet& set);

}  // namespace raddle::bench::teams
