// SPDX-License-Identifier: BSD-3-Clause
// Exchanges whose messages are handed to a function of the program's.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <span>

#include "raddle/raddle.h"
#include "sparse/arrivals.hpp"
#include "sparse/calls/data.hpp"
#include "sparse/message.hpp"

namespace raddle::sparse {

/// A function of the program's that may fail: then it is not called any more, and what it has said or thrown comes out
/// at the end.
class Callee {
 public:
  [[nodiscard]] bool fit() const { return code_ == MPI_SUCCESS && thrown_ == nullptr; }

  template <typename Call>
  void call(Call&& it) {
    if (!fit()) return;
    try {
      code_ = it();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }

  /// @returns its code; throws what it has thrown
  [[nodiscard]] int outcome() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    return code_;
  }

 private:
  int code_ = MPI_SUCCESS;
  std::exception_ptr thrown_;
};

/// Hands over each message when it is all there.
class EachSink : public Sink {
 public:
  explicit EachSink(const Element& element) : element_(element), arena_(0) {}

  void expect(std::size_t messages, std::size_t bytes) final { arena_.expect(bytes + messages * aligned); }
  std::byte* room(int, std::size_t bytes) final {
    if (open_++ == 0) arena_.forget();
    return arena_.room((bytes + aligned - 1) / aligned * aligned);
  }
  void arrived(int source, std::span<const std::byte> bytes) override {
    --open_;
    const auto count = element_.count(bytes.size());
    if (!count) broken_ = true;
    if (broken_) return;
    callee_.call([&] {
      if (element_.plain()) return take(source, bytes.data(), *count);
      const Elements elements = element_.room(*count);
      element_.unpack(bytes, elements.data);
      return take(source, elements.data, *count);
    });
  }

  [[nodiscard]] int outcome() const { return callee_.outcome(); }
  /// Whether messages were none of its datatype.
  [[nodiscard]] bool broken() const { return broken_; }

 protected:
  ~EachSink() = default;

  /// @returns an MPI error code
  virtual int take(int source, const void* data, MPI_Count count) = 0;

 private:
  /// Elements of any type may begin there.
  static constexpr std::size_t aligned = alignof(std::max_align_t);

  const Element& element_;
  Arena arena_;
  std::size_t open_ = 0;  ///< rooms in use
  Callee callee_;
  bool broken_ = false;
};

}  // namespace raddle::sparse
