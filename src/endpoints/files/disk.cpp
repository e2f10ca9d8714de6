// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/files/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace raddle::endpoints {
namespace {

/// Of a call that returns -1 and sets errno; again where a signal has come.
template <typename Call>
auto again(Call&& call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

int outcome(int result) { return result == -1 ? errno : 0; }

}  // namespace

int Disk::open(const std::string& path, Access access) {
  access_ = access;
  const int flags = access == Access::both ? O_RDWR : access == Access::writes ? O_WRONLY : O_RDONLY;
  descriptor_ = again([&] { return ::open(path.c_str(), flags | O_CLOEXEC); });
  return outcome(descriptor_);
}

void Disk::close() {
  if (descriptor_ != -1) ::close(std::exchange(descriptor_, -1));
}

int Disk::read(std::int64_t offset, std::span<std::byte> room, std::size_t& done) const {
  for (done = 0; done < room.size();) {
    const ssize_t more = again([&] {
      return ::pread(descriptor_, room.data() + done, room.size() - done, offset + static_cast<std::int64_t>(done));
    });
    if (more == -1) return errno;
    if (more == 0) return 0;
    done += static_cast<std::size_t>(more);
  }
  return 0;
}

int Disk::write(std::int64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t more = again([&] { return ::pwrite(descriptor_, bytes.data(), bytes.size(), offset); });
    if (more == -1) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(more));
    offset += more;
  }
  return 0;
}

int Disk::size(std::int64_t& bytes) const {
  struct stat found{};
  if (::fstat(descriptor_, &found) == -1) return errno;
  bytes = found.st_size;
  return 0;
}

int Disk::resize(std::int64_t bytes) const {
  return outcome(again([&] { return ::ftruncate(descriptor_, bytes); }));
}

int Disk::allocate(std::int64_t bytes) const {
  int error = EINTR;
  while (bytes > 0 && error == EINTR) error = ::posix_fallocate(descriptor_, 0, bytes);
  return bytes > 0 ? error : 0;
}

int Disk::sync() const {
  // Network file systems look for what others have written when a lock is taken.
  const Lock all(*this, 0, 0, access_ != Access::reads);
  return access_ == Access::reads ? 0 : outcome(again([&] { return ::fsync(descriptor_); }));
}

int Disk::lock(int type, std::int64_t offset, std::int64_t bytes) const {
  struct flock range{};
  range.l_type = static_cast<short>(type);
  range.l_whence = SEEK_SET;
  range.l_start = offset;
  range.l_len = bytes;
  // Of the open file and not of the process: threads exclude each other.
  return outcome(again([&] { return ::fcntl(descriptor_, F_OFD_SETLKW, &range); }));
}

Disk::Lock::Lock(const Disk& disk, std::int64_t offset, std::int64_t bytes, bool writes)
    : disk_(disk), offset_(offset), bytes_(bytes), error_(disk.lock(writes ? F_WRLCK : F_RDLCK, offset, bytes)) {}

Disk::Lock::~Lock() {
  if (error_ == 0) static_cast<void>(disk_.lock(F_UNLCK, offset_, bytes_));
}

}  // namespace raddle::endpoints
