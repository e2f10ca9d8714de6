// SPDX-License-Identifier: BSD-3-Clause
// A thread that takes part, and how it meets and reaches the others: all in which the versions differ.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <span>

#include "dslash/halo.hpp"
#include "dslash/operator.hpp"
#include "dslash/options.hpp"

namespace dslash {

/// What the threads of a domain have in common.
struct Part {
  Part(const Gauge& gauge, int rank, const Site& grid, const std::vector<Directory>& directories)
      : Part(gauge, rank, domain_of(rank, grid, gauge.lattice), directories) {}

  Operator dirac;
  std::vector<Spinor> x;
  std::vector<Spinor> y;
  std::vector<Spinor> image;

 private:
  Part(const Gauge& gauge, int rank, const Domain& domain, const std::vector<Directory>& directories)
      : dirac(rank, domain, links_of(gauge, domain), directories),
        x(random_spinors(gauge, 0, domain)),
        y(random_spinors(gauge, 1, domain)),
        image(x.size()) {}
};

class Member : public Crew {
 public:
  Member(int rank, int ranks, std::vector<Directory> directories, int index = 0, int count = 1)
      : Crew(index, count), rank_(rank), ranks_(ranks), directories_(std::move(directories)) {}

  /// Of the domain that it works on.
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  /// Of those who communicate for the domain.
  [[nodiscard]] const std::vector<Directory>& directories() const { return directories_; }
  /// The first member of the first domain speaks for all.
  [[nodiscard]] bool speaks() const { return rank_ == 0 && leads(); }

  /// Where the domain's part is; made by the one who leads.
  virtual std::unique_ptr<Part>& part() = 0;
  /// Combines what all members bring, and gives it to all of them.
  virtual void combine(std::span<double> values, MPI_Op operation) = 0;

  void sum(std::span<double> values) { combine(values, MPI_SUM); }

 private:
  int rank_;
  int ranks_;
  std::vector<Directory> directories_;
};

/// One that is a rank of a communicator, be it a process or an endpoint.
class RankMember final : public Member {
 public:
  explicit RankMember(MPI_Comm comm);
  std::unique_ptr<Part>& part() override { return part_; }
  void combine(std::span<double> values, MPI_Op operation) override;

 private:
  MPI_Comm comm_;
  std::unique_ptr<Part> part_;
};

/// Whether something was wrong, as a member sees it.
using Work = std::function<bool(Member&)>;

// The versions: each makes its members, lets every one of them work in a thread of its own, and tells whether one of
// this process has seen something wrong.
bool run_process(const Options& options, const Work& work);
bool run_master(const Options& options, const Work& work);
bool run_lane(const Options& options, const Work& work);
bool run_thread(const Options& options, const Work& work);
bool run_endpoint(const Options& options, const Work& work);

}  // namespace dslash
