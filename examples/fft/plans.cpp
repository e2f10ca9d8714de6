// SPDX-License-Identifier: BSD-3-Clause
#include "plans.hpp"

#include "array.hpp"

namespace fft {
namespace {

// Planes do not all begin where vectors of the CPU would like them to.
constexpr unsigned how = FFTW_ESTIMATE | FFTW_UNALIGNED;

int sign_of(Direction direction) { return direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD; }
std::size_t index_of(Direction direction) { return static_cast<std::size_t>(direction); }

}  // namespace

Plans::Plans(const Grid& grid) : planes_{}, columns_{} {
  const Array plane = make_array(grid.rows() * grid.length());
  const Array columns = make_array(static_cast<std::size_t>(grid.n0) * grid.length());
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const int sign = sign_of(direction);
    planes_[index_of(direction)] = fftw_plan_dft_2d(grid.n1, grid.n2, raw(plane.get()), raw(plane.get()), sign, how);
    columns_[index_of(direction)] = fftw_plan_many_dft(1, &grid.n0, grid.n2, raw(columns.get()), nullptr, grid.n2, 1,
                                                       raw(columns.get()), nullptr, grid.n2, 1, sign, how);
  }
}

Plans::~Plans() {
  for (const fftw_plan plan : {planes_[0], planes_[1], columns_[0], columns_[1]}) fftw_destroy_plan(plan);
}

void Plans::plane(Direction direction, Complex* plane) const {
  fftw_execute_dft(planes_[index_of(direction)], raw(plane), raw(plane));
}

void Plans::columns(Direction direction, Complex* columns) const {
  fftw_execute_dft(columns_[index_of(direction)], raw(columns), raw(columns));
}

void transform_serially(const Grid& grid, Complex* whole) {
  const fftw_plan plan =
      fftw_plan_dft_3d(grid.n0, grid.n1, grid.n2, raw(whole), raw(whole), FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

}  // namespace fft
