// SPDX-License-Identifier: BSD-3-Clause
// What is moved through a view, against bytes in memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "endpoints/files/transfer.hpp"

namespace raddle::endpoints {
namespace {

class FileTransfer : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string made = (std::filesystem::temp_directory_path() / "raddle-transfer-XXXXXX").string();
    const int descriptor = mkstemp(made.data());
    ASSERT_NE(descriptor, -1);
    close(descriptor);
    path_ = made;
    ASSERT_EQ(disk_.open(path_, Disk::Access::both), 0);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::vector<std::byte> random_bytes(std::size_t count) {
    std::vector<std::byte> made(count);
    for (std::byte& one : made) one = static_cast<std::byte>(random_() % 251);
    return made;
  }

  std::string path_;
  Disk disk_;
  std::mt19937 random_{20261127};
};

TEST_F(FileTransfer, MovesWhatIsSeenAndNothingElse) {
  const auto below = [&](std::size_t end) { return random_() % end; };
  std::vector<std::byte> model;
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t longest = trial % 10 == 0 ? 60000 : 40;  // long pieces and short ones go different ways
    std::vector<Piece> pieces;
    std::int64_t at = 0;
    for (std::size_t i = 1 + below(4); i > 0; --i) {
      const std::size_t bytes = 1 + below(longest);
      pieces.push_back({at, bytes});
      at += static_cast<std::int64_t>(bytes + below(longest));
    }
    const FileView view(static_cast<std::int64_t>(below(100)), Pieces(pieces), at + 1);
    const auto position = static_cast<std::int64_t>(below(200));
    const std::vector<std::byte> data = random_bytes(below(20 * longest));
    ASSERT_EQ(write_seen(disk_, view, position, data), 0);
    std::vector<std::byte> back(data.size() + below(100));
    std::vector<std::size_t> where;  // asked once: with ThreadSanitizer that is slow
    for (std::size_t i = 0; i < back.size(); ++i)
      where.push_back(static_cast<std::size_t>(view.offset(position + static_cast<std::int64_t>(i))));
    if (!data.empty()) model.resize(std::max(model.size(), where[data.size() - 1] + 1));
    for (std::size_t i = 0; i < data.size(); ++i) model[where[i]] = data[i];
    std::vector<std::byte> all(model.size() + 10);
    std::size_t done = 0;
    ASSERT_EQ(disk_.read(0, all, done), 0);
    all.resize(done);
    ASSERT_EQ(all, model);
    ASSERT_EQ(read_seen(disk_, view, position, back, done), 0);
    std::size_t there = 0;
    while (there < back.size() && where[there] < model.size()) ++there;
    ASSERT_EQ(done, there);
    for (std::size_t i = 0; i < there; ++i) ASSERT_EQ(back[i], model[where[i]]);
  }
}

TEST_F(FileTransfer, LocksKeepThreadsApart) {
  std::atomic<int> inside = 0;  // a lock of the kernel's tells ThreadSanitizer nothing
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      Disk own;
      ASSERT_EQ(own.open(path_, Disk::Access::both), 0);
      for (int turn = 0; turn < 200; ++turn) {
        const Disk::Lock lock(own, 0, 8, true);
        ASSERT_EQ(lock.error(), 0);
        const int seen = inside.load(std::memory_order_relaxed);
        std::this_thread::yield();
        inside.store(seen + 1, std::memory_order_relaxed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(inside, 800);
}

TEST_F(FileTransfer, SaysWhatIsWrong) {
  Disk other;
  EXPECT_EQ(other.open(path_ + "/not-there", Disk::Access::reads), ENOTDIR);
  ASSERT_EQ(other.open(path_, Disk::Access::reads), 0);
  EXPECT_EQ(write_seen(other, FileView(), 0, random_bytes(3)), EBADF);
  EXPECT_EQ(disk_.resize(10), 0);
  EXPECT_EQ(disk_.allocate(30), 0);
  std::int64_t bytes = 0;
  EXPECT_EQ(other.size(bytes), 0);
  EXPECT_EQ(bytes, 30);
}

}  // namespace
}  // namespace raddle::endpoints
