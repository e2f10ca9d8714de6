// SPDX-License-Identifier: BSD-3-Clause
// What a collective operation promises a rank: what its buffers hold before and after, in blocks of elements. Where
// these lie in memory is decided elsewhere.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "content.hpp"
#include "script.hpp"

namespace raddle::collectives {

struct Part {
  std::size_t units = 0;
  std::optional<Content> before{};
  std::optional<Content> after{};  ///< nothing: as before
  bool open = false;               ///< MPI does not say what is there afterwards
};

struct Side {
  enum class Use {
    normal,
    in_place,  ///< MPI_IN_PLACE stands for it
    none,      ///< MPI must not look at it
  };
  Use use = Use::none;
  bool many = false;  ///< a block for each rank or neighbour, and not one
  std::vector<Part> parts{};
};

struct Plan {
  Side send;
  Side recv;
};

Plan make_plan(const Call& call, int rank);

}  // namespace raddle::collectives
