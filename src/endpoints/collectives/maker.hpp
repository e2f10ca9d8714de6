// SPDX-License-Identifier: BSD-3-Clause
// How an engine makes collectives itself, in place of those beside this file.
#pragma once

#include <mpi.h>

#include <memory>

#include "endpoints/collectives/collective.hpp"
#include "endpoints/collectives/held.hpp"
#include "endpoints/collectives/movement.hpp"
#include "endpoints/collectives/reduction.hpp"
#include "endpoints/requests/request.hpp"

namespace raddle::endpoints::collectives {

/// Of one endpoint.
class Maker {
 public:
  Maker(const Maker&) = delete;
  Maker& operator=(const Maker&) = delete;

  /// Whether it makes one with these arguments: alike on all ranks. Otherwise those beside this file do.
  [[nodiscard]] virtual bool makes(const Barrier::Arguments&) const { return true; }
  [[nodiscard]] virtual bool makes(const Movement::Arguments&) const { return true; }
  [[nodiscard]] virtual bool makes(const Reduction::Arguments& arguments) const = 0;

  enum class Lasts : bool { once, until_freed };
  /// A request that is started already, or one that is persistent and inactive (MPI-4.1 section 6.13).
  /// @param held  what the arguments need, if they do not last as long as the request
  /// @returns an MPI error code, and no request then
  virtual int make(const Barrier::Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts, Request*& made) = 0;
  virtual int make(const Movement::Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts, Request*& made) = 0;
  virtual int make(const Reduction::Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts, Request*& made) = 0;

 protected:
  Maker() = default;
  ~Maker() = default;
};

}  // namespace raddle::endpoints::collectives
