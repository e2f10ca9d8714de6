// SPDX-License-Identifier: BSD-3-Clause
#include "run.hpp"

#include <mpi.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "check.hpp"
#include "raddle/raddle.h"
#include "transform.hpp"

namespace fft {
namespace {

/// Who is there, and what falls to whom.
class Job {
 public:
  explicit Job(const Options& options) : options_(options) {
    MPI_Comm_rank(MPI_COMM_WORLD, &process_);
    MPI_Comm_size(MPI_COMM_WORLD, &processes_);
    MPI_Type_contiguous(2 * options.grid.n2, MPI_DOUBLE, &row_);
    MPI_Type_commit(&row_);
    if (options.version == Version::endpoint) {
      endpoints_.assign(static_cast<std::size_t>(options.threads), MPI_COMM_NULL);
      MPIX_Comm_create_endpoints(MPI_COMM_WORLD, options.threads, MPI_INFO_NULL, endpoints_.data());
    }
    for (int i = 0; i < own_parts(); ++i) {
      slabs_.push_back(std::make_unique<Slab>(options.grid, process_ * own_parts() + i, processes_ * own_parts()));
      exchanges_.push_back(make_exchange(i));
      if (options.fault == 0) continue;
      right_.push_back(std::move(exchanges_.back()));
      exchanges_.back() = std::make_unique<SwappedBlocks>(*right_.back(), options.fault, options.grid.length());
    }
  }
  ~Job() {
    for (MPI_Comm& endpoint : endpoints_) MPI_Comm_free(&endpoint);
    MPI_Type_free(&row_);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] int process() const { return process_; }
  [[nodiscard]] int processes() const { return processes_; }
  [[nodiscard]] bool threads_share_a_part() const { return options_.version == Version::master; }
  [[nodiscard]] int own_parts() const { return threads_share_a_part() ? 1 : options_.threads; }
  [[nodiscard]] Slab& slab(int part) { return *slabs_[static_cast<std::size_t>(part)]; }

  Worker worker(int thread, const Plans& plans) {
    const int part = threads_share_a_part() ? 0 : thread;
    return {slab(part),
            *exchanges_[static_cast<std::size_t>(part)],
            plans,
            threads_share_a_part() ? thread : 0,
            threads_share_a_part() ? options_.threads : 1,
            {}};
  }

 private:
  [[nodiscard]] std::unique_ptr<Exchange> make_exchange(int part) const {
    switch (options_.version) {
      case Version::endpoint:
        return std::make_unique<AllToAll>(endpoints_[static_cast<std::size_t>(part)], row_);
      case Version::thread:
        return std::make_unique<Messages>(MPI_COMM_WORLD, row_, part, options_.threads, options_.grid.length());
      default:
        return std::make_unique<AllToAll>(MPI_COMM_WORLD, row_);
    }
  }

  Options options_;
  int process_ = 0;
  int processes_ = 1;
  MPI_Datatype row_ = MPI_DATATYPE_NULL;
  std::vector<MPI_Comm> endpoints_;
  std::vector<std::unique_ptr<Slab>> slabs_;
  std::vector<std::unique_ptr<Exchange>> exchanges_;
  std::vector<std::unique_ptr<Exchange>> right_;  ///< what faulty ones rely on
};

/// Every thread of the process at its part: so many times there and back, or once there only.
Times transform(Job& job, const Options& options, const Plans& plans, int round_trips) {
  Times most;
#pragma omp parallel num_threads(options.threads)
  {
    if (omp_get_num_threads() != options.threads) MPI_Abort(MPI_COMM_WORLD, 3);  // parts would have nobody
    Worker worker = job.worker(omp_get_thread_num(), plans);
    if (round_trips == 0) forward(worker);
    for (int i = 0; i < round_trips; ++i) {
      forward(worker);
      inverse(worker);
    }
#pragma omp critical
    {
      most.fft = std::max(most.fft, worker.times.fft);
      most.copies = std::max(most.copies, worker.times.copies);
      most.communication = std::max(most.communication, worker.times.communication);
    }
  }
  return most;
}

void fill(Job& job) {
  for (int part = 0; part < job.own_parts(); ++part) {
    Slab& slab = job.slab(part);
    const std::size_t plane = slab.grid.rows() * slab.grid.length();
    const std::size_t first = static_cast<std::size_t>(slab.planes.begin) * plane;
    for (std::size_t c = 0; c < static_cast<std::size_t>(slab.planes.size()) * plane; ++c)
      slab.by_plane[c] = input(first + c);
  }
}

template <typename Compare>
Difference of_all_parts(Job& job, Compare compare) {
  Difference sum;
  for (int part = 0; part < job.own_parts(); ++part) {
    const Difference its = compare(job.slab(part));
    sum = {sum.error + its.error, sum.size + its.size, sum.cells + its.cells};
  }
  return sum;
}

void tell(const Job& job, const Options& options, const Times& own) {
  const double mine[] = {own.fft, own.copies, own.communication};
  double most[3] = {};
  MPI_Reduce(mine, most, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (job.process() != 0) return;
  const double each = 1e3 / (2.0 * options.repeats);
  std::printf("fft: %s, grid of %dx%dx%d, %d parts: %d processes of %d threads\n", name_of(options.version),
              options.grid.n0, options.grid.n1, options.grid.n2, job.processes() * job.own_parts(), job.processes(),
              options.threads);
  std::printf("  most of any thread, for one transform: FFT %.3f ms, copies %.3f ms, communication %.3f ms\n",
              each * most[0], each * most[1], each * most[2]);
}

}  // namespace

bool run(const Options& options) {
  omp_set_dynamic(0);
  Job job(options);
  const Plans plans(options.grid);
  // Two computations are compared, each with rounding errors of its own.
  const double bound = 2 * error_bound(options.grid);

  fill(job);
  transform(job, options, plans, 0);
  const Array spectrum = expected_spectrum(options.grid);
  const Difference there = of_all_parts(job, [&](Slab& slab) { return compare_spectrum(slab, spectrum.get()); });

  fill(job);
  transform(job, options, plans, 1);  // for the caches, and for what an MPI makes at the first message
  MPI_Barrier(MPI_COMM_WORLD);
  const Times times = transform(job, options, plans, options.repeats);
  const Difference back = of_all_parts(job, compare_input);

  tell(job, options, times);
  const bool forward_right = judge("forward", there, options.grid, bound);
  const bool both_right = judge("there and back, all times", back, options.grid, bound * (options.repeats + 1));
  return forward_right && both_right;
}

}  // namespace fft
