// SPDX-License-Identifier: BSD-3-Clause
// Makes a context for one persistent collective: persistent collectives may be started in any order (MPI-4.1 section
// 6.13), so each has a sequence of its own.
#pragma once

#include <memory>

#include "endpoints/collectives/collective.hpp"

namespace raddle::endpoints::collectives {

class Duplicate final : public Collective {
 public:
  using Collective::Collective;
  int again() override { return MPI_ERR_REQUEST; }
  [[nodiscard]] bool can_exchange() override { return all_have_arrived(); }
  int exchange(Exchanged& exchanged) override {
    return PMPI_Comm_idup(context().processes(), &exchanged.made, &exchanged.request);
  }
  [[nodiscard]] std::shared_ptr<Context> made() const { return made_; }

 protected:
  [[nodiscard]] bool can_take() override { return all_have_arrived(); }
  bool take() override {
    made_ = context().derived(number(), exchanged().made);
    return true;
  }
  [[nodiscard]] bool released() override { return true; }

 private:
  std::shared_ptr<Context> made_;
};

}  // namespace raddle::endpoints::collectives
