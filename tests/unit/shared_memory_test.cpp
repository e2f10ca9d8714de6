// SPDX-License-Identifier: BSD-3-Clause
#include "core/shared_memory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

namespace raddle::bench {
namespace {

TEST(SharedMemory, LosesItsNameWhereThisProcessHasItMapped) {
  const std::string mapped = "/raddle-test-mapped-" + std::to_string(getpid());
  const std::string other = "/raddle-test-other-" + std::to_string(getpid());
  const int file = shm_open(mapped.c_str(), O_CREAT | O_RDWR, 0600);
  const int foreign = shm_open(other.c_str(), O_CREAT | O_RDWR, 0600);
  ASSERT_GE(file, 0);
  ASSERT_GE(foreign, 0);
  ASSERT_EQ(ftruncate(file, 4096), 0);
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(memory, MAP_FAILED);
  unlink_shared_memory();
  EXPECT_NE(access(("/dev/shm" + mapped).c_str(), F_OK), 0);
  EXPECT_EQ(access(("/dev/shm" + other).c_str(), F_OK), 0);
  *static_cast<char*>(memory) = 1;  // still there for who has it
  munmap(memory, 4096);
  close(file);
  close(foreign);
  shm_unlink(other.c_str());
}

}  // namespace
}  // namespace raddle::bench
