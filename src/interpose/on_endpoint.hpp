// SPDX-License-Identifier: BSD-3-Clause
// What MPI functions do on an endpoint: those that endpoint_functions.toml lists as `endpoint` or `collectives`. Each
// gets what stands behind the first handle of an endpoint among its arguments, then all arguments.
#pragma once

#include "generated/collectives.hpp"
#include "interpose/on_endpoint/buffer.hpp"
#include "interpose/on_endpoint/communicator.hpp"
#include "interpose/on_endpoint/completion.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "interpose/on_endpoint/group.hpp"
#include "interpose/on_endpoint/partitioned.hpp"
#include "interpose/on_endpoint/point_to_point.hpp"
#include "interpose/on_endpoint/topology.hpp"
