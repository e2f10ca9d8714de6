// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a program's buffer in one piece, for what cannot move those that lie in several.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "endpoints/datatypes/body.hpp"

namespace raddle::endpoints {

/// The bytes themselves, or a copy of those that lie in several pieces.
class Staged {
 public:
  /// @param body   stays as long as this
  /// @param reads  the copy has what is in the buffer
  Staged(const Body& body, bool reads) : body_(body), bytes_(body.data, body.bytes) {
    if (body.scattered == nullptr) return;
    copy_.resize(body.bytes);
    if (reads) copy_out(body, copy_.data());
    bytes_ = copy_;
  }
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;
  ~Staged() = default;

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  /// The first of them have been written.
  void put_back(std::size_t bytes) const {
    if (body_.scattered != nullptr) copy_in(body_, 0, bytes_.first(bytes));
  }
  void put_back() const { put_back(bytes_.size()); }

 private:
  const Body& body_;
  std::vector<std::byte> copy_;
  std::span<std::byte> bytes_;
};

}  // namespace raddle::endpoints
