// SPDX-License-Identifier: BSD-3-Clause
// The numbers of handles behind which the MPI has nothing yet (own_handle.hpp, windows/window.cpp).
#pragma once

#include <cstddef>
#include <deque>

namespace raddle::endpoints::late {

/// From 1 on. One thread at a time. What was given back first is given out first, and only when many wait: a stale
/// handle stays wrong.
class Numbers {
 public:
  unsigned take() {
    if (free_.size() <= kept_back) return ++last_;
    const unsigned number = free_.front();
    free_.pop_front();
    return number;
  }
  void give_back(unsigned number) { free_.push_back(number); }

 private:
  static constexpr std::size_t kept_back = 64;

  unsigned last_ = 0;
  std::deque<unsigned> free_;
};

}  // namespace raddle::endpoints::late
