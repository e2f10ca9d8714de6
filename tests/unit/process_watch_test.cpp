// SPDX-License-Identifier: BSD-3-Clause
#include "node/process_watch.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "child.hpp"

namespace raddle::node {
namespace {

using test::Child;
using Means = ProcessWatch::Means;

/// A child that waits, and who it says it is.
class Peer {
 public:
  explicit Peer(void (*before)() = [] {}) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return;
    child_ = std::make_unique<Child>([ends, before] {
      before();
      const ProcessId self = this_process();
      if (write(ends[1], &self, sizeof self) != sizeof self) return 1;
      return test::wait_for_the_end();
    });
    close(ends[1]);
    if (read(ends[0], &process_, sizeof process_) != sizeof process_) process_.pid = -1;
    close(ends[0]);
  }
  [[nodiscard]] const ProcessId& process() const { return process_; }
  [[nodiscard]] Child& child() const { return *child_; }

 private:
  std::unique_ptr<Child> child_;
  ProcessId process_{};
};

class ProcessWatches : public testing::TestWithParam<Means> {};
INSTANTIATE_TEST_SUITE_P(Means, ProcessWatches, testing::Values(Means::pidfd, Means::proc),
                         [](const auto& means) { return means.param == Means::proc ? "proc" : "pidfd"; });

TEST(ProcessWatch, KnowsWhoItIs) {
  const Peer peer;
  EXPECT_EQ(peer.process().pid, peer.child().pid());
  EXPECT_EQ(this_process().pid, getpid());
  EXPECT_GT(this_process().started, 0U);
  EXPECT_GE(peer.process().started, this_process().started);
}

TEST_P(ProcessWatches, SeeTheOneThatEndsAlsoWhileItIsAZombie) {
  const std::array<Peer, 3> peers;
  const std::vector<ProcessId> processes{this_process(), peers[0].process(), peers[1].process(), peers[2].process()};
  ProcessWatch watch(processes, GetParam());
  for (int look = 0; look < 3; ++look) EXPECT_EQ(watch.ended(), std::nullopt);
  peers[1].child().end();
  peers[1].child().await_end();
  EXPECT_EQ(watch.ended(), 2U);
  peers[1].child().join();
  EXPECT_EQ(watch.ended(), 2U);
  ProcessWatch late(processes, GetParam());
  EXPECT_EQ(late.ended(), 2U);
}

TEST_P(ProcessWatches, ForgetOneAndSeeTheNext) {
  const std::array<Peer, 3> peers;
  const std::vector<ProcessId> processes{peers[0].process(), peers[1].process(), peers[2].process()};
  ProcessWatch watch(processes, GetParam());
  peers[0].child().end();
  peers[0].child().await_end();
  EXPECT_EQ(watch.ended(), 0U);
  watch.forget(0);
  EXPECT_EQ(watch.ended(), std::nullopt);
  peers[2].child().end();
  peers[2].child().await_end();
  EXPECT_EQ(watch.ended(), 2U);
  ProcessWatch late(processes, GetParam());  // to which both have gone before it began
  for (int gone = 0; gone < 2; ++gone) {
    const std::optional<std::size_t> found = late.ended();
    ASSERT_TRUE(found == 0U || found == 2U);
    late.forget(*found);
  }
  EXPECT_EQ(late.ended(), std::nullopt);
}

TEST_P(ProcessWatches, AreNotDeceivedByOneThatGotThePidOfAnother) {
  const Peer peer;
  const ProcessId before{peer.process().pid, peer.process().started - 1};
  ProcessWatch deceived(std::vector{before}, GetParam());
  EXPECT_EQ(deceived.ended(), 0U);
  const ProcessId unknown{peer.process().pid, 0};
  ProcessWatch trusting(std::vector{unknown}, GetParam());
  EXPECT_EQ(trusting.ended(), std::nullopt);
}

TEST_P(ProcessWatches, ReadTheStateOfAProcessWithAnyName) {
  const Peer peer([] { prctl(PR_SET_NAME, "a) Z 1 (b"); });
  ProcessWatch watch(std::vector{peer.process()}, GetParam());
  EXPECT_GT(peer.process().started, 0U);
  EXPECT_EQ(watch.ended(), std::nullopt);
}

TEST_P(ProcessWatches, LetAProcessLiveWhoseFirstThreadHasEnded) {
  Child child([] {
    std::thread(test::wait_for_the_end).detach();
    return static_cast<int>(syscall(SYS_exit, 0));  // as pthread_exit, which unwinds what is below the test
  });
  // Until its first thread is a zombie: nothing else tells.
  const std::string state = "/proc/" + std::to_string(child.pid()) + "/stat";
  char letter = '?';
  for (int tries = 0; letter != 'Z' && tries < 5000; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::ifstream file(state);
    std::string line;
    std::getline(file, line);
    letter = line.empty() ? '?' : line[line.rfind(')') + 2];
  }
  ASSERT_EQ(letter, 'Z');
  ProcessWatch watch(std::vector{ProcessId{child.pid(), 0}}, GetParam());
  EXPECT_EQ(watch.ended(), std::nullopt);
  child.end();
  child.await_end();
  EXPECT_EQ(watch.ended(), 0U);
}

TEST_P(ProcessWatches, WatchNobody) {
  ProcessWatch watch({}, GetParam());
  EXPECT_EQ(watch.ended(), std::nullopt);
}

TEST(ProcessWatch, DoesWithoutDescriptorsWhereThereAreNotEnough) {
  if (test::needs_descriptors) GTEST_SKIP() << "the sanitizer needs descriptors";
  const Peer peer;
  Child child([&peer] {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const int next = dup(0);
    close(next);
    limit.rlim_cur = static_cast<rlim_t>(next) + 1;  // one more, which /proc needs
    setrlimit(RLIMIT_NOFILE, &limit);
    ProcessWatch watch(std::vector{peer.process(), peer.process()});
    if (watch.ended()) return 1;
    peer.child().end();
    for (int tries = 0; tries < 5000; ++tries) {
      if (watch.ended()) return 0;  // either: it may end between the two looks
      usleep(1000);
    }
    return 2;
  });
  EXPECT_EQ(child.join(), 0);
}

}  // namespace
}  // namespace raddle::node
