// SPDX-License-Identifier: BSD-3-Clause
#include "core/shared_memory.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

namespace raddle::bench {

void unlink_shared_memory() {
  std::ifstream maps("/proc/self/maps");
  for (std::string mapping; std::getline(maps, mapping);) {
    const std::size_t at = mapping.find("/dev/shm/");
    if (at != std::string::npos) unlink(mapping.c_str() + at);  // a name that is gone already is no matter
  }
}

}  // namespace raddle::bench
