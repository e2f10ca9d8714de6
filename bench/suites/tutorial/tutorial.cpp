// SPDX-License-Identifier: BSD-3-Clause
// The program of the tutorial, a step in time after the other (docs/use/tutorial.md): its own files
// (examples/tutorial), by step of the tutorial. A variant says what an MPI has to be told for it.
#include "declared/tutorial.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "core/clock.hpp"
#include "core/registry.hpp"
#include "core/text.hpp"
#include "core/whereabouts.hpp"
#include "mpi/check.hpp"

extern "C" {
#include "tutorial/step.h"
}

namespace raddle::bench {
namespace {

/// So many steps in time before anything is timed, whose outcome is compared.
constexpr int checked = 40;

struct NamedStep {
  const char* word;
  const Step* step;
  const char* variant;
};

/// Step 1 is no other code, but what the MPI is told before it starts.
const std::array steps{NamedStep{"slow", &slow, "thread"},
                       NamedStep{"settings", &slow, "thread"},
                       NamedStep{"lanes", &lanes, "lane"},
                       NamedStep{"endpoints", &endpoints, "endpoint-direct"},
                       NamedStep{"partitioned", &partitioned, "endpoint-direct"},
                       NamedStep{"sparse", &sparse, "endpoint-direct"}};

/// What the threads of a process share.
struct SharedByThreads {
  const Step* step;
  Strip strip{};
  std::atomic<unsigned long long> checksum = 0;
  std::atomic<int> time = 0;  ///< the same for all threads, whenever one asks
};

class TutorialWorker final : public Worker {
 public:
  TutorialWorker(SharedByThreads& shared, const Seat& seat) : shared_(shared) {
    make_part(&part_, &shared.strip, seat.thread);
  }
  ~TutorialWorker() override { end_part(&part_); }
  TutorialWorker(const TutorialWorker&) = delete;
  TutorialWorker& operator=(const TutorialWorker&) = delete;

  Span sample(std::int64_t iterations) override {
    run(1);  // all are here from now on
    const Nanoseconds begin = now();
    run(static_cast<int>(iterations));
    return {begin, now()};
  }

  /// One thread of each process compares, what all have.
  Validation validate() override {
    run(checked);
    shared_.checksum += checksum(&part_, time_);
#pragma omp barrier
    if (part_.thread != 0) return {};
    unsigned long long own = shared_.checksum;
    unsigned long long all = 0;
    check(MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD), "MPI_Allreduce");
    const auto bytes = static_cast<std::int64_t>(shared_.strip.count * sizeof(Row));
    return {bytes, all == checksum_alone(time_) ? 0 : bytes};
  }

 private:
  void run(int times) {
    where_.enter("a step in time of the tutorial");
    for (int i = 0; i < times; ++i) advance(shared_.step, &part_, time_++);
    shared_.time = time_;
  }

  SharedByThreads& shared_;
  Part part_{};
  int time_ = 0;
  Whereabouts& where_ = here();
};

class TutorialArm final : public Arm {
 public:
  TutorialArm(const Step* step, const Team& team) : team_(team), shared_{.step = step} {}
  void begin() override {
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    make_strip(&shared_.strip, rank, team_.processes(), team_.most_threads());
    shared_.step->begin(&shared_.strip);
  }
  std::unique_ptr<Worker> join(const Seat& seat) override { return std::make_unique<TutorialWorker>(shared_, seat); }
  void end() override {
    shared_.step->end(&shared_.strip, shared_.time);
    end_strip(&shared_.strip);
  }

 private:
  Team team_;
  SharedByThreads shared_;
};

std::unique_ptr<Arm> step_arm(const std::string& variant, const Team& team, const Work& work) {
  const std::string word = work.word("step");
  const auto* const found = std::ranges::find_if(steps, [&](const NamedStep& each) { return each.word == word; });
  if (variant != found->variant) throw Unavailable(text("step ", word, " is for variant ", found->variant));
  if (variant == "endpoint-direct" && dlsym(RTLD_DEFAULT, "Raddle_Sparse_exchange") == nullptr)
    throw Unavailable("libraddle, whose functions it calls, is not preloaded (docs/use/exec.md)");
  return std::make_unique<TutorialArm>(found->step, team);
}

void check_step(const PointSet& set) {
  if (set.placement == Placement::one_process) throw PlanError("the tutorial's program has two processes of threads");
  if (columns % set.work.threads != 0) throw PlanError(text("'threads' must divide ", static_cast<int>(columns)));
}

const Register of_tutorial(Benchmark{declared::tutorial(), {.kind = Kind::time, .arm = step_arm, .check = check_step}});

}  // namespace
}  // namespace raddle::bench
