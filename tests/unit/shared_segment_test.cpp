// SPDX-License-Identifier: BSD-3-Clause
#include "node/shared_segment.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "child.hpp"

namespace raddle::node {
namespace {

using test::Child;
using Kind = SharedSegment::Kind;
constexpr std::size_t size = 3 * 4096 + 8;

template <typename Action>
std::error_code refusal(Action&& action) {
  try {
    action();
  } catch (const std::system_error& error) {
    return error.code();
  }
  return {};
}

std::string file_of(const SharedSegment& segment) {
  return segment.address().starts_with("/proc/") ? segment.address().substr(0, segment.address().find(':'))
                                                 : "/dev/shm" + segment.address();
}

class SharedSegments : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, SharedSegments, testing::Values(Kind::nameless, Kind::named),
                         [](const auto& kind) { return kind.param == Kind::named ? "named" : "nameless"; });

TEST_P(SharedSegments, AreTheSameMemoryInAnotherProcess) {
  SharedSegment mine = SharedSegment::create(size, GetParam());
  ASSERT_EQ(mine.bytes().size(), size);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mine.bytes().data()) % 4096, 0U);
  EXPECT_TRUE(std::ranges::all_of(mine.bytes(), [](std::byte b) { return b == std::byte{0}; }));
  EXPECT_LE(mine.address().size(), 60U);
  mine.bytes().front() = std::byte{7};
  const std::string& address = mine.address();
  Child child([&address] {
    const SharedSegment theirs = SharedSegment::open(address, size);
    if (theirs.bytes().size() != size || theirs.bytes().front() != std::byte{7}) return 1;
    theirs.bytes().back() = std::byte{9};
    return theirs.named() ? 2 : 0;
  });
  EXPECT_EQ(child.join(), 0);
  EXPECT_EQ(mine.bytes().back(), std::byte{9});
}

TEST_P(SharedSegments, AreLongerOnlyWhereThatCostsNothing) {
  constexpr std::size_t spare = std::size_t{1} << 30U;
  const std::size_t expected = GetParam() == Kind::named ? size : size + spare;
  SharedSegment mine = SharedSegment::create(size, GetParam(), spare);
  ASSERT_EQ(mine.bytes().size(), expected);
  mine.bytes().back() = std::byte{7};
  const std::string& address = mine.address();
  Child child([&address, expected] {
    const SharedSegment theirs = SharedSegment::open(address, size, spare);
    return theirs.bytes().size() == expected && theirs.bytes().back() == std::byte{7} ? 0 : 1;
  });
  EXPECT_EQ(child.join(), 0);
}

TEST_P(SharedSegments, AreTheirUsersOnly) {
  const SharedSegment segment = SharedSegment::create(size, GetParam());
  struct stat status{};
  ASSERT_EQ(stat(file_of(segment).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  EXPECT_EQ(status.st_uid, geteuid());
}

TEST_P(SharedSegments, StayForWhoHasThemOpenAndForNobodyElse) {
  std::optional<SharedSegment> first = SharedSegment::create(size, GetParam());
  const std::string address = first->address();
  const std::string file = file_of(*first);
  const SharedSegment second = SharedSegment::open(address, size);
  first.reset();
  EXPECT_NE(access(file.c_str(), F_OK), 0);
  EXPECT_NE(refusal([&] { SharedSegment::open(address, size); }), std::error_code{});
  second.bytes().front() = std::byte{1};  // still there
}

TEST_P(SharedSegments, MoveWithWhatTheyOwn) {
  SharedSegment from = SharedSegment::create(size, GetParam());
  const std::string file = file_of(from);
  const std::byte* const start = from.bytes().data();
  SharedSegment to(std::move(from));
  EXPECT_EQ(to.bytes().data(), start);
  EXPECT_EQ(access(file.c_str(), F_OK), 0);
  to = SharedSegment::create(2 * size, GetParam());
  EXPECT_EQ(to.bytes().size(), 2 * size);
  if (GetParam() == Kind::named) {
    EXPECT_NE(access(file.c_str(), F_OK), 0);  // nameless: the new one has the descriptor of the old
  }
  SharedSegment& same = to;
  to = std::move(same);
  EXPECT_EQ(to.bytes().size(), 2 * size);
}

TEST(SharedSegment, IsZerosWhereItIsForOneProcessAlone) {
  SharedSegment segment = SharedSegment::alone(size);
  ASSERT_EQ(segment.bytes().size(), size);
  for (const std::byte byte : segment.bytes()) ASSERT_EQ(byte, std::byte{0});
  EXPECT_FALSE(segment.named());
  segment.all_have_it();
  segment.bytes().back() = std::byte{1};  // still there
  EXPECT_NE(refusal([] { SharedSegment::alone(~std::size_t{0}); }), std::error_code{});
}

TEST_P(SharedSegments, AreNotOpenedForAnotherSize) {
  const SharedSegment segment = SharedSegment::create(size, GetParam());
  EXPECT_EQ(refusal([&] { SharedSegment::open(segment.address(), size + 1); }).value(), ESTALE);
  EXPECT_EQ(refusal([&] { SharedSegment::open(segment.address(), size - 1); }).value(), ESTALE);
}

TEST_P(SharedSegments, AreRefusedAtCreationWhereTheyExceedALimit) {
  Child child([] {
    const rlimit limit{1U << 20U, 1U << 20U};
    setrlimit(RLIMIT_FSIZE, &limit);
    if (refusal([] { SharedSegment::create((1U << 20U) + 1, GetParam()); }).value() != EFBIG) return 1;
    return refusal([] { SharedSegment::create(1U << 20U, GetParam()); }) == std::error_code{} ? 0 : 2;
  });
  EXPECT_EQ(child.join(), 0);
  EXPECT_EQ(refusal([] { SharedSegment::create(0, GetParam()); }).value(), EINVAL);
  EXPECT_NE(refusal([] { SharedSegment::create(~std::size_t{0}, GetParam()); }), std::error_code{});
}

TEST_P(SharedSegments, AreRefusedWithoutADescriptor) {
  if (test::needs_descriptors) GTEST_SKIP() << "the sanitizer needs descriptors";
  Child child([] {
    const rlimit limit{0, 0};
    setrlimit(RLIMIT_NOFILE, &limit);
    return refusal([] { SharedSegment::create(size, GetParam()); }).value() == EMFILE ? 0 : 1;
  });
  EXPECT_EQ(child.join(), 0);
}

TEST(SharedSegment, EndsWithItsProcessHoweverThatEnds) {
  const SharedSegment told = SharedSegment::create(size);  // where the child writes its own one's address
  Child child([&told] {
    const SharedSegment segment = SharedSegment::create(size);
    if (segment.named()) return 1;
    segment.address().copy(reinterpret_cast<char*>(told.bytes().data()), size);
    return raise(SIGKILL);
  });
  child.await_end();
  const std::string address = reinterpret_cast<const char*>(told.bytes().data());
  ASSERT_TRUE(address.starts_with("/proc/" + std::to_string(child.pid()) + "/fd/")) << address;
  EXPECT_NE(refusal([&] { SharedSegment::open(address, size); }), std::error_code{});
}

TEST(SharedSegment, LosesItsNameWhenItsCreatorSays) {
  SharedSegment creators = SharedSegment::create(size, Kind::named);
  ASSERT_TRUE(creators.named());
  SharedSegment others = SharedSegment::open(creators.address(), size);
  others.all_have_it();
  EXPECT_EQ(access(file_of(creators).c_str(), F_OK), 0);
  creators.all_have_it();
  EXPECT_FALSE(creators.named());
  EXPECT_NE(access(file_of(creators).c_str(), F_OK), 0);
  EXPECT_EQ(refusal([&] { SharedSegment::open(creators.address(), size); }).value(), ENOENT);
  others.bytes().front() = std::byte{5};
  EXPECT_EQ(creators.bytes().front(), std::byte{5});
}

TEST(SharedSegment, HoldsNoFileOnceAllHaveIt) {
  SharedSegment creators = SharedSegment::create(size);
  const std::string address = creators.address();
  SharedSegment others = SharedSegment::open(address, size);
  creators.all_have_it();
  EXPECT_NE(refusal([&] { SharedSegment::open(address, size); }), std::error_code{});
  others.bytes().front() = std::byte{5};
  EXPECT_EQ(creators.bytes().front(), std::byte{5});
}

TEST(SharedSegment, IsNotTakenForAnotherFileThatHasItsDescriptor) {
  const SharedSegment segment = SharedSegment::create(size);
  ASSERT_FALSE(segment.named());
  const std::string& address = segment.address();
  EXPECT_EQ(refusal([&] { SharedSegment::open(address.substr(0, address.size() - 1) + "x", size); }).value(), ESTALE);
  EXPECT_EQ(refusal([&] { SharedSegment::open(file_of(segment) + ":", size); }).value(), ESTALE);
}

TEST(SharedSegment, IsRefusedAtCreationWhereDevShmHasNoRoom) {
  struct statvfs room{};
  if (statvfs("/dev/shm", &room) != 0 || room.f_blocks == 0) GTEST_SKIP() << "/dev/shm has no limit";
  const std::size_t too_much = (room.f_blocks + 1) * room.f_frsize;
  try {
    SharedSegment::create(too_much, Kind::named);
    ADD_FAILURE() << "created";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOSPC);
    EXPECT_NE(std::string(error.what()).find("posix_fallocate of " + std::to_string(too_much) + " bytes for /raddle-"),
              std::string::npos)
        << error.what();
  }
  struct statvfs after{};
  ASSERT_EQ(statvfs("/dev/shm", &after), 0);
  EXPECT_EQ(after.f_files - after.f_ffree, room.f_files - room.f_ffree);  // no file more than before
}

}  // namespace
}  // namespace raddle::node
