// SPDX-License-Identifier: BSD-3-Clause
// CPUs that this process may use; of those of a node: the bitwise or of all sets' bytes.
//
// The calling thread's affinity does not say: OpenMP binds the first thread to its own place when it is told to bind
// threads (OMP_PROC_BIND), often before any other thread is there. So it is what any thread may use, and what OpenMP's
// places have.
#pragma once

#include <sched.h>

#include <array>
#include <cstddef>

namespace raddle::node {

class CpuSet {
 public:
  static constexpr int size = 1024;  ///< bytes: more CPUs than systems have
  using Words = std::array<unsigned long, static_cast<std::size_t>(size) / sizeof(unsigned long)>;

  /// Of this process.
  CpuSet();
  /// Of those whose words() these are.
  explicit CpuSet(const Words& words) : words_(words) {}
  /// One that is not older than a tenth of a second, for those who ask often: a look takes a call for each thread.
  static CpuSet lately();

  [[nodiscard]] void* bytes() { return words_.data(); }
  [[nodiscard]] const Words& words() const { return words_; }
  void add(const Words& others) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others[i];
  }

  [[nodiscard]] int count() const { return CPU_COUNT_S(sizeof words_, set()); }
  [[nodiscard]] bool has(int cpu) const { return CPU_ISSET_S(cpu, sizeof words_, set()) != 0; }

 private:
  [[nodiscard]] const cpu_set_t* set() const { return reinterpret_cast<const cpu_set_t*>(words_.data()); }
  void add(int cpu) { CPU_SET_S(cpu, sizeof words_, reinterpret_cast<cpu_set_t*>(words_.data())); }
  void add_threads();
  void add_openmp_places();

  Words words_{};
};

}  // namespace raddle::node
