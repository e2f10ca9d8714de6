// SPDX-License-Identifier: BSD-3-Clause
// The system's own locks, past the functions that stand before them here.
#pragma once

#include <pthread.h>

namespace raddle::profile {

void lock_apart(pthread_mutex_t* lock);
void unlock_apart(pthread_mutex_t* lock);

extern pthread_mutex_t of_the_process;  ///< what is rare and about the whole process

/// While it lives no other thread is where one of these is.
class Alone {
 public:
  Alone() { lock_apart(&of_the_process); }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
  ~Alone() { unlock_apart(&of_the_process); }
};

}  // namespace raddle::profile
