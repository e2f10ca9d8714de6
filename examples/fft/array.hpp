// SPDX-License-Identifier: BSD-3-Clause
// Memory as FFTW likes it.
#pragma once

#include <fftw3.h>

#include <algorithm>
#include <memory>
#include <new>

#include "grid.hpp"

namespace fft {

inline fftw_complex* raw(Complex* values) { return reinterpret_cast<fftw_complex*>(values); }

struct FreeArray {
  void operator()(Complex* values) const { fftw_free(values); }
};
using Array = std::unique_ptr<Complex[], FreeArray>;

/// `count` zeros. @throws std::bad_alloc
inline Array make_array(std::size_t count) {
  auto* const values = static_cast<Complex*>(fftw_malloc(std::max<std::size_t>(count, 1) * sizeof(Complex)));
  if (values == nullptr) throw std::bad_alloc();
  std::uninitialized_fill_n(values, count, Complex{});
  return Array(values);
}

}  // namespace fft
