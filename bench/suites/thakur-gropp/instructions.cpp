// SPDX-License-Identifier: BSD-3-Clause
#include "suites/thakur-gropp/instructions.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace raddle::bench {
namespace {

int open_counter() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

InstructionCounter::InstructionCounter() : file_(open_counter()) {}

InstructionCounter::~InstructionCounter() {
  if (works()) close(file_);
}

std::uint64_t InstructionCounter::count() const noexcept {
  std::uint64_t value = 0;
  return works() && read(file_, &value, sizeof value) == sizeof value ? value : 0;
}

}  // namespace raddle::bench
