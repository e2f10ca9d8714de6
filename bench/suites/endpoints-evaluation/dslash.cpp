// SPDX-License-Identifier: BSD-3-Clause
// Wilson Dslash on a lattice that stays the same, by number of contexts, after the evaluation of the endpoints library
// (docs/evidence/evaluation.md). Operator and halo exchange are the example's (examples/dslash); what differs by
// variant is who has a domain and how messages reach the others (dslash_domains.hpp).
#include "declared/dslash.hpp"

#include <cmath>
#include <stdexcept>

#include "core/clock.hpp"
#include "core/registry.hpp"
#include "core/whereabouts.hpp"
#include "dslash/reference.hpp"
#include "suites/endpoints-evaluation/dslash_domains.hpp"

namespace raddle::bench {
namespace {

/// Rounding errors that operator and reference may have together, in units of their terms (examples/dslash/checks.cpp).
constexpr double tolerance = 128 * 0x1p-53;

dslash::Gauge gauge_of(const Work& work) {
  const int extent = static_cast<int>(work.whole("extent"));
  return {{{extent, extent, extent, 2 * extent}}};
}

double sites_of(const Work& work) { return static_cast<double>(dslash::volume(gauge_of(work).lattice.extent)); }

int contexts_of(const Work& work) { return work.threads * static_cast<int>(work.whole("parties")); }

class DslashWorker final : public Worker {
 public:
  DslashWorker(std::unique_ptr<DslashCrew> crew, const Work& work)
      : crew_(std::move(crew)), domain_(crew_->domain()), gauge_(gauge_of(work)) {}

  Span sample(std::int64_t iterations) override {
    apply();  // the neighbours are here from now on
    times_ = {};
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) apply();
    const Nanoseconds end = now();
    for (double& phase : times_) phase *= 1e6 / static_cast<double>(iterations);
    return {begin, end};
  }

  Validation validate() override {
    Validation result;
    const long first = crew_->first_of(domain_.dirac.sites());
    const long last = crew_->last_of(domain_.dirac.sites());
    for (long i = first; i < last; ++i) domain_.out[static_cast<std::size_t>(i)] = {};
    crew_->meet();
    apply();
    const auto in = [&](const dslash::Site& there) { return dslash::random_spinor(gauge_, 0, there); };
    for (long i = first; i < last; ++i) {
      const dslash::Domain& domain = domain_.dirac.domain();
      const dslash::Site site = dslash::global(domain, dslash::site_of(i, domain.extent));
      const bool right = agree(domain_.out[static_cast<std::size_t>(i)], dslash::reference(gauge_, in, site));
      result.wrong += right ? 0 : static_cast<std::int64_t>(sizeof(dslash::Spinor));
      result.bytes += static_cast<std::int64_t>(sizeof(dslash::Spinor));
    }
    crew_->meet();  // nobody goes on to write what others still read
    return result;
  }

  [[nodiscard]] Readings readings() const override {
    return {dslash::communication(times_) / dslash::total(times_),
            times_[dslash::pack],
            times_[dslash::post],
            times_[dslash::interior],
            times_[dslash::wait],
            times_[dslash::boundary]};
  }

 private:
  void apply() {
    where_.enter("the halo exchange of Dslash");
    domain_.dirac.apply(domain_.in.data(), domain_.out.data(), *crew_, times_);
  }

  static bool agree(const dslash::Spinor& computed, const dslash::Bounded& expected) {
    for (std::size_t s = 0; s < dslash::spins; ++s) {
      for (std::size_t c = 0; c < dslash::colours; ++c) {
        const dslash::Complex error = computed[s][c] - expected.value[s][c];
        const double bound = tolerance * expected.terms[s][c];
        if (!(std::fabs(error.re) <= bound && std::fabs(error.im) <= bound)) return false;  // a NaN is none either
      }
    }
    return true;
  }

  std::unique_ptr<DslashCrew> crew_;
  DslashDomain& domain_;
  const dslash::Gauge gauge_;
  dslash::Times times_{};  ///< microseconds of an application, in the last sample
  Whereabouts& where_ = here();
};

class DslashArm final : public Arm {
 public:
  DslashArm(const std::string& variant, const Team& team, const Work& work)
      : domains_(make_dslash_domains(variant, team, gauge_of(work))), work_(work) {}
  void begin() override { domains_->begin(); }
  std::unique_ptr<Worker> join(const Seat& seat) override {
    return std::make_unique<DslashWorker>(domains_->join(seat), work_);
  }
  void quit(const Seat& seat) override { domains_->quit(seat); }
  void end() override { domains_->end(); }

 private:
  std::unique_ptr<DslashDomains> domains_;
  Work work_;
};

std::unique_ptr<Arm> dslash_arm(const std::string& variant, const Team& team, const Work& work) {
  return std::make_unique<DslashArm>(variant, team, work);
}

void check_dslash(const PointSet& set) {
  try {
    static_cast<void>(dslash::choose_grid(contexts_of(set.work), gauge_of(set.work).lattice.extent));
  } catch (const std::invalid_argument& error) {
    throw PlanError(error.what());
  }
}

const Register of_dslash(Benchmark{
    declared::dslash(),
    {.kind = Kind::rate,
     .work_per_operation =
         [](const Work& work) { return 1e-9 * dslash::flops_per_site * sites_of(work) / contexts_of(work); },
     .arm = dslash_arm,
     .readings = {{"communication"}, {"pack"}, {"post"}, {"interior"}, {"wait"}, {"boundary"}},
     .check = check_dslash}});

}  // namespace
}  // namespace raddle::bench
