// SPDX-License-Identifier: BSD-3-Clause
// MPI_Barrier (MPI-4.1 section 6.3).
#pragma once

#include "endpoints/collectives/collective.hpp"

namespace raddle::endpoints::collectives {

class Barrier final : public Collective {
 public:
  struct Arguments {};
  Barrier(Context& context, int rank, Arguments) : Collective(context, rank) {}
  int bring() { return MPI_SUCCESS; }
  int again() override {
    restart();
    return MPI_SUCCESS;
  }
  [[nodiscard]] bool can_exchange() override { return all_have_arrived(); }
  int exchange(Exchanged& exchanged) override { return PMPI_Ibarrier(context().processes(), exchanged.add()); }

 protected:
  [[nodiscard]] Call call() const override { return {.kind = Call::Kind::barrier}; }
  [[nodiscard]] bool looks_at(int) const override { return true; }
  [[nodiscard]] bool can_take() override { return all_have_arrived(); }
  bool take() override { return true; }
  [[nodiscard]] bool released() override { return true; }

  [[nodiscard]] bool can_meet_on_node() const override { return true; }
  void sit_on_node(std::uint64_t) override {}
  [[nodiscard]] bool awaits(int) const override { return true; }
  bool take_on_node(std::uint64_t) override { return true; }
  [[nodiscard]] bool released_on_node() override { return true; }
};

}  // namespace raddle::endpoints::collectives
