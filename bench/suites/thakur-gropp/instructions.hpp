// SPDX-License-Identifier: BSD-3-Clause
// Instructions that the calling thread executes in user mode, where the kernel lets us count them.
#pragma once

#include <cstdint>

namespace raddle::bench {

class InstructionCounter {
 public:
  InstructionCounter();
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;

  /// False where there is no such counter (virtual machines) or it is not permitted (perf_event_paranoid).
  [[nodiscard]] bool works() const noexcept { return file_ >= 0; }
  [[nodiscard]] std::uint64_t count() const noexcept;

 private:
  int file_;
};

}  // namespace raddle::bench
