// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/file_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace raddle::ranks {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw NotLoadable(path + " cannot be read: " + why);
}

}  // namespace

FileBytes::FileBytes(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse(path, std::generic_category().message(errno));
  if (map(file)) {
    descriptor_ = file;
    return;
  }
  try {
    read_from(file, path);
  } catch (...) {
    close(file);
    throw;
  }
  close(file);
}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      read_(std::move(other.read_)) {}

FileBytes::~FileBytes() {
  if (descriptor_ < 0) return;
  munmap(bytes_.data(), bytes_.size());
  close(descriptor_);
}

/// What has no size, as in /proc, may have bytes all the same.
bool FileBytes::map(int file) {
  struct stat about{};
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0) return false;
  const auto size = static_cast<std::size_t>(about.st_size);
  void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (mapped == MAP_FAILED) return false;
  bytes_ = {static_cast<char*>(mapped), size};
  return true;
}

void FileBytes::read_from(int file, const std::string& path) {
  constexpr std::size_t part = std::size_t{64} << 10U;
  std::size_t all = 0;
  for (;;) {
    read_.resize(all + part);
    const ssize_t count = read(file, read_.data() + all, part);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path, errno == EISDIR ? "it is a directory" : std::generic_category().message(errno));
    if (count == 0) break;
    all += static_cast<std::size_t>(count);
  }
  if (all == 0) refuse(path, "it is empty");
  read_.resize(all);
  bytes_ = read_;
}

}  // namespace raddle::ranks
