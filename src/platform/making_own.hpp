// SPDX-License-Identifier: BSD-3-Clause
// Raddle makes communicators for itself by the names that programs use, since they may be of endpoints. What is done
// with those that programs make is not done with these.
#pragma once

namespace raddle::platform {

/// While one lives, the calling thread makes communicators for Raddle.
class MakingOwn {
 public:
  MakingOwn() noexcept { ++depth_; }
  MakingOwn(const MakingOwn&) = delete;
  MakingOwn& operator=(const MakingOwn&) = delete;
  ~MakingOwn() { --depth_; }

  [[nodiscard]] static bool now() noexcept { return depth_ != 0; }

 private:
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local int depth_ = 0;
};

}  // namespace raddle::platform
