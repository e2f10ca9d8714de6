// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into a benchmark: counts the calls of POSIX locks in this process and passes them on. Locks that a library
// makes itself from atomic instructions do not pass here.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cstdint>

namespace {

std::atomic<std::uint64_t> taken{0};

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

/// Locks taken by this process so far.
__attribute__((visibility("default"))) std::uint64_t raddle_locks_taken() {
  return taken.load(std::memory_order_relaxed);
}

__attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static const auto real = next<int (*)(pthread_mutex_t*)>("pthread_mutex_lock");
  taken.fetch_add(1, std::memory_order_relaxed);
  return real(mutex);
}

__attribute__((visibility("default"))) int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  static const auto real = next<int (*)(pthread_mutex_t*)>("pthread_mutex_trylock");
  taken.fetch_add(1, std::memory_order_relaxed);
  return real(mutex);
}

__attribute__((visibility("default"))) int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  static const auto real = next<int (*)(pthread_spinlock_t*)>("pthread_spin_lock");
  taken.fetch_add(1, std::memory_order_relaxed);
  return real(lock);
}
}
