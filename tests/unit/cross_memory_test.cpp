// SPDX-License-Identifier: BSD-3-Clause
#include "node/cross_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "child.hpp"

namespace raddle::node {
namespace {

using test::Child;
constexpr std::size_t page = 4096;
constexpr std::uint64_t known = 0x72616464'6c650001U;

template <typename Pointer>
std::uintptr_t address(Pointer* at) {
  return reinterpret_cast<std::uintptr_t>(at);
}

/// Two pages that a child inherits and can give up one of.
class TwoPages {
 public:
  TwoPages()
      : start_(static_cast<std::byte*>(
            mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  TwoPages(const TwoPages&) = delete;
  TwoPages& operator=(const TwoPages&) = delete;
  ~TwoPages() { munmap(start_, 2 * page); }
  [[nodiscard]] std::byte* start() const { return start_; }
  void drop_second() const { munmap(start_ + page, page); }

 private:
  std::byte* start_;
};

/// Empty if this process may look into the other one's memory.
std::string obstacle(const Child& child) {
  if (can_reach(child.pid(), address(&known), known)) return {};
  return "not allowed here: " + std::generic_category().message(errno);
}

TEST(CrossMemory, ReadsAndWritesAnotherProcess) {
  std::vector<std::byte> memory(100'000, std::byte{1});
  const Child child(test::wait_for_the_end);   // its memory is a copy of this process's
  memory.assign(memory.size(), std::byte{2});  // here only
  if (const std::string why = obstacle(child); !why.empty()) GTEST_SKIP() << why;
  std::vector<std::byte> theirs(memory.size());
  ASSERT_TRUE(read_memory(child.pid(), address(memory.data()), theirs));
  EXPECT_EQ(theirs, std::vector<std::byte>(memory.size(), std::byte{1}));
  memory.back() = std::byte{3};
  ASSERT_TRUE(write_memory(child.pid(), address(memory.data()), memory));
  ASSERT_TRUE(read_memory(child.pid(), address(memory.data()), theirs));
  EXPECT_EQ(theirs, memory);
  EXPECT_TRUE(read_memory(child.pid(), 0, {}));  // nothing is nowhere
}

TEST(CrossMemory, TellsThatNotAllOfItIsThere) {
  const TwoPages pages;
  const Child child([&pages] {
    pages.drop_second();
    std::memset(pages.start(), 1, page);
    return test::wait_for_the_end();
  });
  if (const std::string why = obstacle(child); !why.empty()) GTEST_SKIP() << why;
  std::vector<std::byte> both(2 * page);
  for (int tries = 0; both[0] != std::byte{1} && tries < 1000; ++tries) {  // until the child has done it
    usleep(1000);
    ASSERT_TRUE(read_memory(child.pid(), address(pages.start()), std::span(both).first(page)));
  }
  errno = 0;
  EXPECT_FALSE(read_memory(child.pid(), address(pages.start()), both));
  EXPECT_EQ(errno, EFAULT);
  errno = 0;
  EXPECT_FALSE(write_memory(child.pid(), address(pages.start()), both));
  EXPECT_EQ(errno, EFAULT);
  EXPECT_TRUE(read_memory(child.pid(), address(pages.start()), std::span(both).first(page)));
}

TEST(CrossMemory, ReachesNobodyElseByMistake) {
  std::uint64_t value = known;
  EXPECT_TRUE(can_reach(getpid(), address(&value), known));
  EXPECT_FALSE(can_reach(getpid(), address(&value), known + 1));  // as if the pid were another process's
  EXPECT_FALSE(can_reach(getpid(), page / 2, known));
  Child ended([] { return 0; });
  ended.await_end();
  errno = 0;
  EXPECT_FALSE(can_reach(ended.pid(), address(&value), known));
  EXPECT_EQ(errno, ESRCH);
}

TEST(CrossMemory, IsRefusedToOtherUsers) {
  constexpr uid_t nobody = 65534;
  Child child([] {
    const pid_t other = getuid() == 0 ? getppid() : 1;
    if (getuid() == 0 && setresuid(nobody, nobody, nobody) != 0) return 1;
    errno = 0;
    return !can_reach(other, address(&known), known) && errno == EPERM ? 0 : 2;
  });
  EXPECT_EQ(child.join(), 0);
}

TEST(CrossMemory, LetsSiblingsInOnceTheyAreAllowed) {
  Child first([] {
    allow_tracers();
    return test::wait_for_the_end();
  });
  Child second([&first] {
    for (int tries = 0; tries < 2000; ++tries) {
      if (can_reach(first.pid(), address(&known), known)) return 0;
      usleep(1000);
    }
    return errno == EPERM ? 1 : 2;
  });
  const int result = second.join();
  if (result == 1) GTEST_SKIP() << "forbidden by the administrator";
  EXPECT_EQ(result, 0);
}

}  // namespace
}  // namespace raddle::node
