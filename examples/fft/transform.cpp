// SPDX-License-Identifier: BSD-3-Clause
#include "transform.hpp"

namespace fft {
namespace {

/// Measures from mark to mark.
class Watch {
 public:
  void add_to(double& seconds) {
    const double now = MPI_Wtime();
    seconds += now - last_;
    last_ = now;
  }

 private:
  double last_ = MPI_Wtime();
};

void exchange(Worker& worker, const Complex* out, const Blocks& leaving, Complex* in, const Blocks& arriving) {
  if (worker.count == 1) {
    worker.exchange.move(out, leaving, in, arriving);
    return;
  }
#pragma omp barrier  // all of the part is packed
#pragma omp master
  worker.exchange.move(out, leaving, in, arriving);
#pragma omp barrier  // and has arrived
}

}  // namespace

// No barrier but those: a worker's planes, and after the transpose its rows, are nobody else's.

void forward(Worker& worker) {
  Slab& slab = worker.slab;
  const Range planes = share(slab.planes.size(), worker.index, worker.count);
  const Range rows = share(slab.rows.size(), worker.index, worker.count);
  Watch watch;
  for (int i = planes.begin; i < planes.end; ++i) worker.plans.plane(Direction::forward, slab.plane(i));
  watch.add_to(worker.times.fft);
  slab.pack_planes(planes);
  watch.add_to(worker.times.copies);
  exchange(worker, slab.plane_packed.get(), slab.plane_blocks, slab.row_packed.get(), slab.row_blocks);
  watch.add_to(worker.times.communication);
  slab.unpack_rows(rows);
  watch.add_to(worker.times.copies);
  for (int i = rows.begin; i < rows.end; ++i) worker.plans.columns(Direction::forward, slab.columns(i));
  watch.add_to(worker.times.fft);
}

void inverse(Worker& worker) {
  Slab& slab = worker.slab;
  const Range planes = share(slab.planes.size(), worker.index, worker.count);
  const Range rows = share(slab.rows.size(), worker.index, worker.count);
  const std::size_t plane_cells = slab.grid.rows() * slab.grid.length();
  const double scale = 1.0 / static_cast<double>(slab.grid.cells());
  Watch watch;
  for (int i = rows.begin; i < rows.end; ++i) worker.plans.columns(Direction::inverse, slab.columns(i));
  watch.add_to(worker.times.fft);
  slab.pack_rows(rows);
  watch.add_to(worker.times.copies);
  exchange(worker, slab.row_packed.get(), slab.row_blocks, slab.plane_packed.get(), slab.plane_blocks);
  watch.add_to(worker.times.communication);
  slab.unpack_planes(planes);
  watch.add_to(worker.times.copies);
  for (int i = planes.begin; i < planes.end; ++i) {
    worker.plans.plane(Direction::inverse, slab.plane(i));
    for (std::size_t c = 0; c < plane_cells; ++c) slab.plane(i)[c] *= scale;
  }
  watch.add_to(worker.times.fft);
}

}  // namespace fft
