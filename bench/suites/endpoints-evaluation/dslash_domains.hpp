// SPDX-License-Identifier: BSD-3-Clause
// The domains of a lattice, for each variant: whose they are, and how messages get from one to another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/arm.hpp"
#include "core/barrier.hpp"
#include "dslash/operator.hpp"

namespace raddle::bench {

struct DslashDomain {
  DslashDomain(int rank, const dslash::Domain& domain, const dslash::Gauge& gauge,
               const std::vector<dslash::Directory>& directories)
      : dirac(rank, domain, dslash::links_of(gauge, domain), directories),
        in(dslash::random_spinors(gauge, 0, domain)),
        out(in.size()) {}

  dslash::Operator dirac;
  std::vector<dslash::Spinor> in;
  std::vector<dslash::Spinor> out;
};

/// A thread and the domain that it works on, its own or one that all threads of its process share.
class DslashCrew final : public dslash::Crew {
 public:
  /// @param together  of the threads that share the domain, or none
  DslashCrew(int index, int count, std::shared_ptr<DslashDomain> domain, ThreadBarrier* together)
      : Crew(index, count), domain_(std::move(domain)), together_(together) {}

  [[nodiscard]] DslashDomain& domain() { return *domain_; }
  void meet() override {
    if (together_ != nullptr) together_->arrive_and_wait();
  }

 private:
  std::shared_ptr<DslashDomain> domain_;
  ThreadBarrier* together_;
};

/// As Arm: begin and end run on thread 0 of every process, join and quit on every thread.
class DslashDomains {
 public:
  virtual ~DslashDomains() = default;
  virtual void begin() {}
  virtual std::unique_ptr<DslashCrew> join(const Seat& seat) = 0;
  virtual void quit(const Seat& /*seat*/) {}
  virtual void end() {}
};

/// @throws Unavailable
std::unique_ptr<DslashDomains> make_dslash_domains(const std::string& variant, const Team& team,
                                                   const dslash::Gauge& gauge);

}  // namespace raddle::bench
