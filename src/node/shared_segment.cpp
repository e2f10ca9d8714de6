// SPDX-License-Identifier: BSD-3-Clause
#include "node/shared_segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <random>
#include <sstream>
#include <system_error>
#include <utility>

namespace raddle::node {
namespace {

constexpr mode_t owner_only = 0600;

[[noreturn]] void fail(int error, const std::string& tried) {
  throw std::system_error(error, std::generic_category(), "Raddle: shared memory: " + tried);
}

std::string random_name() {
  std::random_device random;
  std::ostringstream name;
  name << "raddle-" << std::hex << random() << random();
  return name.str();
}

/// Whether the file behind `path` is the nameless segment that was given `name`. Asked before it is opened: with pids
/// that mean other processes it may be any file.
bool is_memfd(const std::string& path, const std::string& name) {
  std::array<char, 128> target{};
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  if (length < 0) return false;
  return std::string_view(target.data(), static_cast<std::size_t>(length)) == "/memfd:" + name + " (deleted)";
}

/// @returns a descriptor, or throws
int open_file(const std::string& address) {
  int file = -1;
  if (!SharedSegment::is_nameless(address)) {
    file = shm_open(address.c_str(), O_RDWR | O_CLOEXEC, 0);
  } else {
    const std::size_t colon = address.find(':');
    const std::string path = address.substr(0, colon);
    errno = 0;
    if (!is_memfd(path, address.substr(colon + 1))) {
      fail(errno == 0 ? ESTALE : errno, path + " is not the segment " + address.substr(colon + 1));
    }
    file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  }
  if (file < 0) fail(errno, "opening " + address);
  return file;
}

}  // namespace

SharedSegment SharedSegment::create(std::size_t bytes, Kind kind, std::size_t spare) {
  SharedSegment made;
  if (kind == Kind::named || !made.make_nameless()) made.make_named();
  if (!made.named()) bytes += spare;
  made.resize(bytes);
  made.map(bytes);
  return made;
}

SharedSegment SharedSegment::alone(std::size_t bytes) {
  SharedSegment made;
  constexpr int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind, -1, 0);
  if (start == MAP_FAILED) fail(errno, "mmap of " + std::to_string(bytes) + " bytes");
  made.memory_ = {static_cast<std::byte*>(start), bytes};
  return made;
}

SharedSegment SharedSegment::open(const std::string& address, std::size_t bytes, std::size_t spare) {
  if (is_nameless(address)) bytes += spare;
  SharedSegment opened;
  opened.address_ = address;
  opened.file_ = open_file(address);
  opened.map(bytes);
  close(std::exchange(opened.file_, -1));
  return opened;
}

/// @returns false if the system has none that others could open, or refuses this one as it then will a named one
bool SharedSegment::make_nameless() {
  const std::string name = random_name();
  file_ = memfd_create(name.c_str(), MFD_CLOEXEC);
  if (file_ < 0) return false;
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
  address_ = path + ":" + name;
  if (is_memfd(path, name)) return true;
  close(std::exchange(file_, -1));
  return false;
}

void SharedSegment::make_named() {
  address_ = "/" + random_name();
  file_ = shm_open(address_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, owner_only);
  if (file_ < 0) fail(errno, "shm_open of " + address_);
  name_ = address_;
}

void SharedSegment::resize(std::size_t bytes) {
  const std::string size = std::to_string(bytes) + " bytes for " + address_;
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);  // asked, since exceeding it is a signal that ends the process
  if (limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur) fail(EFBIG, "RLIMIT_FSIZE is below " + size);
  if (fchmod(file_, owner_only) != 0) fail(errno, "fchmod of " + address_);
  if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) fail(errno, "ftruncate to " + size);
  if (!named()) return;
  int error = 0;
  do {
    error = posix_fallocate(file_, 0, static_cast<off_t>(bytes));
  } while (error == EINTR);
  if (error != 0) fail(error, "posix_fallocate of " + size);
}

void SharedSegment::map(std::size_t bytes) {
  struct stat status{};
  if (fstat(file_, &status) != 0) fail(errno, "fstat of " + address_);
  if (status.st_uid != geteuid() || static_cast<std::size_t>(status.st_size) != bytes) {
    fail(ESTALE, address_ + " is another user's or has not " + std::to_string(bytes) + " bytes");
  }
  void* const start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (start == MAP_FAILED) fail(errno, "mmap of " + std::to_string(bytes) + " bytes of " + address_);
  memory_ = {static_cast<std::byte*>(start), bytes};
}

SharedSegment::SharedSegment(SharedSegment&& other) noexcept { swap(other); }

SharedSegment& SharedSegment::operator=(SharedSegment&& other) noexcept {
  SharedSegment taken(std::move(other));
  swap(taken);
  return *this;
}

SharedSegment::~SharedSegment() {
  all_have_it();
  if (!memory_.empty()) munmap(memory_.data(), memory_.size());
}

void SharedSegment::all_have_it() noexcept {
  if (file_ >= 0) close(std::exchange(file_, -1));
  if (!named()) return;
  shm_unlink(name_.c_str());  // gone already is no matter
  name_.clear();
}

void SharedSegment::swap(SharedSegment& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(address_, other.address_);
  std::swap(name_, other.name_);
  std::swap(file_, other.file_);
}

}  // namespace raddle::node
