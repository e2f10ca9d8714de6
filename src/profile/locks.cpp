// SPDX-License-Identifier: BSD-3-Clause
// The locks of the C library, in front of it: inside a call of the MPI a thread tries first, and what it waits for is
// measured. Everywhere else they cost a look at a variable of the thread.
//
// A wait for a condition, or for a semaphore, is a wait for somebody's work and no conflict, so it is kept apart.
#include "profile/locks.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <atomic>

#include "profile/clock.hpp"
#include "profile/local.hpp"
#include "profile/table.hpp"

#define RADDLE_ENTRY [[gnu::visibility("default")]]

namespace raddle::profile {

pthread_mutex_t of_the_process = PTHREAD_MUTEX_INITIALIZER;

namespace {

/// The C library's own. Looked for at the first call, which may come before any constructor.
template <typename Function>
struct Real {
  const char* name;
  const char* version;
  Function found;

  Function operator()() {
    if (found == nullptr) [[unlikely]] {
      void* address = version == nullptr ? nullptr : dlvsym(RTLD_NEXT, name, version);
      if (address == nullptr) address = dlsym(RTLD_NEXT, name);
      __atomic_store_n(&found, reinterpret_cast<Function>(address), __ATOMIC_RELAXED);
    }
    return __atomic_load_n(&found, __ATOMIC_RELAXED);
  }
};

// There are older functions for conditions under the same names, with other conditions.
#if defined(__x86_64__)
constexpr const char* of_conditions = "GLIBC_2.3.2";
#else
constexpr const char* of_conditions = nullptr;
#endif

// Of the attributes of those functions nothing is needed here.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#define RADDLE_REAL(name, version) \
  constinit Real<decltype(&::name)> real_##name { #name, version, nullptr }

RADDLE_REAL(pthread_mutex_lock, nullptr);
RADDLE_REAL(pthread_mutex_trylock, nullptr);
RADDLE_REAL(pthread_mutex_unlock, nullptr);
RADDLE_REAL(pthread_spin_lock, nullptr);
RADDLE_REAL(pthread_spin_trylock, nullptr);
RADDLE_REAL(pthread_rwlock_rdlock, nullptr);
RADDLE_REAL(pthread_rwlock_tryrdlock, nullptr);
RADDLE_REAL(pthread_rwlock_wrlock, nullptr);
RADDLE_REAL(pthread_rwlock_trywrlock, nullptr);
RADDLE_REAL(sem_wait, nullptr);
RADDLE_REAL(sem_trywait, nullptr);
RADDLE_REAL(sem_timedwait, nullptr);
RADDLE_REAL(pthread_cond_wait, of_conditions);
RADDLE_REAL(pthread_cond_timedwait, of_conditions);

#undef RADDLE_REAL
#pragma GCC diagnostic pop

/// Which thread got a lock last while it was inside the MPI: the lock's address above 16 bits, the number of the thread
/// plus 1 below. Each on a line of its own, as the lock itself mostly is.
struct alignas(64) Holder {
  std::atomic<std::uint64_t> who;
};
Holder holders[1024];

std::atomic<std::uint64_t>& holder_of(const volatile void* lock) {
  return holders[spread(reinterpret_cast<std::uintptr_t>(lock)) >> 54U].who;
}

std::uint64_t named(const volatile void* lock) {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(lock)) << 16U;
}

/// Where it is the same thread again nothing is written.
void got(const Local& local, const volatile void* lock) {
  std::atomic<std::uint64_t>& who = holder_of(lock);
  const std::uint64_t wanted = named(lock) | (local.number + 1U);
  if (who.load(std::memory_order_relaxed) != wanted) who.store(wanted, std::memory_order_relaxed);
}

/// The number of the thread that holds it, plus 1; 0: not known.
std::uint32_t held_by(const Local& local, const volatile void* lock) {
  const std::uint64_t who = holder_of(lock).load(std::memory_order_relaxed);
  const auto number = static_cast<std::uint32_t>(who & 0xffffU);
  return (who ^ named(lock)) >> 16U == 0 && number != local.number + 1U ? number : 0;
}

void waited(Local& local, std::uint32_t holder, LockKind kind, std::uint64_t from) {
  const std::uint64_t until = now();
  ThreadArea& area = *local.area;
  LockWaits& waits = area.locks[holder <= most_threads ? holder : 0][static_cast<std::uint32_t>(kind)];
  ++waits.waits;
  waits.ticks += until - from;
  if (kind == LockKind::condition || kind == LockKind::semaphore) return;
  ++local.lock_waits;
  local.lock_ticks += until - from;
  area.timeline.add(1, from, until);
}

[[gnu::always_inline]] inline Local* inside() {
  Local* const local = mine;
  return local != nullptr && local->depth != 0 ? local : nullptr;
}

/// Tries, and waits where that does not get it.
template <typename Lock, typename Wait, typename Try>
int get(Local& local, Lock* lock, LockKind kind, Wait wait, Try attempt) {
  int code = attempt(lock);
  if (code != EBUSY && code != EAGAIN) {
    got(local, lock);
    return code;
  }
  const std::uint32_t holder = held_by(local, lock);
  const std::uint64_t from = now();
  code = wait(lock);
  waited(local, holder, kind, from);
  got(local, lock);
  return code;
}

/// A wait that is measured as it is.
template <typename Wait>
int measured(Local& local, LockKind kind, Wait wait) {
  const std::uint64_t from = now();
  const int code = wait();
  const int why = errno;
  waited(local, 0, kind, from);
  errno = why;
  return code;
}

}  // namespace

void lock_apart(pthread_mutex_t* lock) { real_pthread_mutex_lock()(lock); }
void unlock_apart(pthread_mutex_t* lock) { real_pthread_mutex_unlock()(lock); }

}  // namespace raddle::profile

extern "C" {

using namespace raddle::profile;  // NOLINT(google-build-using-namespace): these are the C library's names

RADDLE_ENTRY int pthread_mutex_lock(pthread_mutex_t* lock) noexcept {
  Local* const local = inside();
  if (local == nullptr) return real_pthread_mutex_lock()(lock);
  return get(*local, lock, LockKind::mutex, real_pthread_mutex_lock(), real_pthread_mutex_trylock());
}

RADDLE_ENTRY int pthread_mutex_trylock(pthread_mutex_t* lock) noexcept {
  const int code = real_pthread_mutex_trylock()(lock);
  if (Local* const local = inside(); local != nullptr && code == 0) got(*local, lock);
  return code;
}

RADDLE_ENTRY int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  Local* const local = inside();
  if (local == nullptr) return real_pthread_spin_lock()(lock);
  return get(*local, lock, LockKind::spin, real_pthread_spin_lock(), real_pthread_spin_trylock());
}

RADDLE_ENTRY int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  Local* const local = inside();
  if (local == nullptr) return real_pthread_rwlock_rdlock()(lock);
  return get(*local, lock, LockKind::rwlock, real_pthread_rwlock_rdlock(), real_pthread_rwlock_tryrdlock());
}

RADDLE_ENTRY int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  Local* const local = inside();
  if (local == nullptr) return real_pthread_rwlock_wrlock()(lock);
  return get(*local, lock, LockKind::rwlock, real_pthread_rwlock_wrlock(), real_pthread_rwlock_trywrlock());
}

RADDLE_ENTRY int sem_wait(sem_t* semaphore) {
  Local* const local = inside();
  if (local == nullptr) return real_sem_wait()(semaphore);
  const int why = errno;
  if (real_sem_trywait()(semaphore) == 0) return 0;
  errno = why;
  return measured(*local, LockKind::semaphore, [&] { return real_sem_wait()(semaphore); });
}

RADDLE_ENTRY int sem_timedwait(sem_t* semaphore, const timespec* until) {
  Local* const local = inside();
  if (local == nullptr) return real_sem_timedwait()(semaphore, until);
  return measured(*local, LockKind::semaphore, [&] { return real_sem_timedwait()(semaphore, until); });
}

RADDLE_ENTRY int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* lock) {
  Local* const local = inside();
  if (local == nullptr) return real_pthread_cond_wait()(condition, lock);
  const int code = measured(*local, LockKind::condition, [&] { return real_pthread_cond_wait()(condition, lock); });
  got(*local, lock);
  return code;
}

RADDLE_ENTRY int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* lock, const timespec* until) {
  Local* const local = inside();
  if (local == nullptr) return real_pthread_cond_timedwait()(condition, lock, until);
  const int code =
      measured(*local, LockKind::condition, [&] { return real_pthread_cond_timedwait()(condition, lock, until); });
  got(*local, lock);
  return code;
}

}  // extern "C"
