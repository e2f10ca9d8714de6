// SPDX-License-Identifier: BSD-3-Clause
// How processes that share memory learn at once that one of them has ended: by a robust lock that a thread of it holds
// for as long as it lives. Whatever ends a process, the kernel hands its robust locks on before it closes the process's
// files; so who waits for the lock can still speak before the launcher, which sees the files closed, ends everything.
#pragma once

#include <pthread.h>

#include <functional>
#include <future>
#include <thread>
#include <utility>

#include "platform/background.hpp"

namespace raddle::node {

/// In shared memory.
class alignas(64) LifeLock {
 public:
  /// By one process, before others look.
  LifeLock() {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  LifeLock(const LifeLock&) = delete;
  LifeLock& operator=(const LifeLock&) = delete;

 private:
  friend class Alive;
  friend class Watcher;
  pthread_mutex_t mutex_{};
};

/// While it lives this process does. Its end says that the process ends as it should.
class Alive {
 public:
  explicit Alive(LifeLock& lock) {
    std::promise<void> held;
    std::future<void> holds = held.get_future();
    thread_ = platform::quiet_thread([&lock, this, held = std::move(held)]() mutable {
      pthread_mutex_lock(&lock.mutex_);
      held.set_value();
      end_.get_future().wait();
      pthread_mutex_unlock(&lock.mutex_);
    });
    holds.wait();
  }
  Alive(const Alive&) = delete;
  Alive& operator=(const Alive&) = delete;
  ~Alive() {
    end_.set_value();
    thread_.join();
  }

 private:
  std::promise<void> end_;
  std::thread thread_;
};

/// Waits for the end of a process that is Alive.
class Watcher {
 public:
  /// @param died  called by a thread of this class if the process ends otherwise than as it should
  Watcher(LifeLock& lock, std::function<void()> died)
      : thread_(platform::quiet_thread([&lock, died = std::move(died)] {
          if (pthread_mutex_lock(&lock.mutex_) == 0) {
            pthread_mutex_unlock(&lock.mutex_);
          } else {
            died();
          }
        })) {}
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  /// Once the process has ended.
  ~Watcher() { thread_.join(); }

 private:
  std::thread thread_;
};

}  // namespace raddle::node
