// SPDX-License-Identifier: BSD-3-Clause
// The office of an ordinary communicator.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "endpoints/mover.hpp"
#include "partitioned/mpi_carrier.hpp"
#include "partitioned/office.hpp"

namespace raddle::partitioned {

class NativeOffice final : public endpoints::Mover {
 public:
  /// Collective over `comm`. @throws endpoints::Failure: the MPI has no communicators left
  static std::unique_ptr<NativeOffice> make(MPI_Comm comm);
  /// By this process alone, where others do the same: with what can be found out so. @param lane  as MpiCarrier's
  static std::unique_ptr<NativeOffice> make_alone(MPI_Comm comm, MPI_Comm lane);
  /// @param lanes  of its own, and who is reached: as MpiCarrier's
  NativeOffice(MPI_Comm comm, std::vector<MPI_Comm> lanes, std::vector<bool> reached, bool crowded);
  ~NativeOffice();

  /// The communicator is being freed, by this process: requests of it that are left raise their errors elsewhere.
  void leave();
  /// Then: a step towards its end, which comes when all processes have left it and no request is left; until then it
  /// moves those that are. @returns whether it has come: there is nothing of it in the MPI
  [[nodiscard]] bool ended();
  /// The same where requests that are left will not be used any more.
  [[nodiscard]] bool ended_with_requests();

  [[nodiscard]] Office& office() { return office_; }
  /// A communicator of its own, for what its processes do together.
  [[nodiscard]] MPI_Comm control() const { return control_; }
  [[nodiscard]] int size() const { return size_; }
  /// Whether anything of it is under way.
  [[nodiscard]] bool active() const { return active_.load(std::memory_order_relaxed) != 0; }

  [[nodiscard]] bool crowded() const override { return crowded_; }
  void meanwhile() override;
  void blocked(const char*) override {}  // processes that have ended are the MPI's to find

 private:
  void progress_messages() override { office_.progress(); }

  MPI_Comm control_;
  int size_;
  bool crowded_;
  MpiCarrier* carrier_;
  std::atomic<std::uint32_t> active_{0};
  Office office_;
  MPI_Comm stand_in_ = MPI_COMM_NULL;  ///< for the communicator that has been freed before its requests
  bool ending_ = false;
};

}  // namespace raddle::partitioned
