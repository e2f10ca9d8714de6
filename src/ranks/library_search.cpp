// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/library_search.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

#include "ranks/not_loadable.hpp"

namespace raddle::ranks {
namespace {

namespace fs = std::filesystem;

/// What ldconfig(8) writes of each library: where its name and its path are, from the beginning of the index.
struct Indexed {
  std::int32_t flags;
  std::uint32_t name;
  std::uint32_t path;
  std::uint32_t system;
  std::uint64_t capabilities;
};
constexpr std::string_view index_mark = "glibc-ld.so.cache1.1";
constexpr std::size_t index_head = 48;
constexpr std::int32_t kind_of_library = 0xff00;
#if defined(__x86_64__)
constexpr std::int32_t own_kind = 0x0300;
#else
constexpr std::int32_t own_kind = 0x0a00;  // AArch64
#endif

std::map<std::string, std::string, std::less<>> read_index() {
  std::map<std::string, std::string, std::less<>> found;
  std::ifstream file("/etc/ld.so.cache", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = all.find(index_mark);  // an index of an older kind may come first
  if (begin == std::string::npos || all.size() - begin < index_head) return found;
  const char* const index = all.data() + begin;
  const std::size_t bytes = all.size() - begin;
  std::uint32_t count = 0;
  std::memcpy(&count, index + index_mark.size(), sizeof count);
  if (count > (bytes - index_head) / sizeof(Indexed)) return found;
  for (std::uint32_t i = 0; i < count; ++i) {
    Indexed entry{};
    std::memcpy(&entry, index + index_head + i * sizeof entry, sizeof entry);
    // Of several, those for special processors come first: any does, and the plain one is the last.
    if ((entry.flags & kind_of_library) != own_kind || entry.name >= bytes || entry.path >= bytes) continue;
    found[index + entry.name] = index + entry.path;
  }
  return found;
}

std::optional<std::string> in_directories(std::string_view path, const std::string& name) {
  while (!path.empty()) {
    const std::size_t end = path.find_first_of(":;");
    const std::string directory(path.substr(0, end));
    const fs::path candidate = fs::path(directory.empty() ? "." : directory) / name;
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored)) return candidate.string();
    if (end == std::string_view::npos) break;
    path.remove_prefix(end + 1);
  }
  return std::nullopt;
}

}  // namespace

std::string with_origin(std::string_view path, const std::string& file) {
  std::error_code ignored;
  const std::string origin = fs::absolute(file, ignored).parent_path().string();
  std::string replaced(path);
  for (const std::string_view word : {"${ORIGIN}", "$ORIGIN"}) {
    for (std::size_t at = replaced.find(word); at != std::string::npos; at = replaced.find(word, at + origin.size()))
      replaced.replace(at, word.size(), origin);
  }
  return replaced;
}

std::optional<std::string> find_library(const std::string& name, const ElfImage& image, const std::string& file) {
  if (name.find('/') != std::string::npos) return name;
  if (auto found = in_directories(with_origin(image.search_path(false), file), name)) return found;
  if (const char* const path = std::getenv("LD_LIBRARY_PATH")) {  // NOLINT(concurrency-mt-unsafe): one thread
    if (auto found = in_directories(path, name)) return found;
  }
  if (auto found = in_directories(with_origin(image.search_path(true), file), name)) return found;
  static const std::map<std::string, std::string, std::less<>> index = read_index();
  if (const auto found = index.find(name); found != index.end()) return found->second;
  return in_directories("/lib64:/usr/lib64:/lib:/usr/lib", name);
}

std::vector<char> read_file(const std::string& path) {
  const auto fail = [&](const std::string& why) { throw NotLoadable(path + " cannot be read: " + why); };
  std::error_code error;
  if (fs::is_directory(path, error)) fail("it is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(std::generic_category().message(errno));
  std::vector<char> bytes;
  constexpr std::size_t part = std::size_t{1} << 20U;  // what has no size, as in /proc, is read as well
  do {
    const std::size_t before = bytes.size();
    bytes.resize(before + part);
    file.read(bytes.data() + before, static_cast<std::streamsize>(part));
    bytes.resize(before + static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (bytes.empty()) fail("it is empty");
  return bytes;
}

}  // namespace raddle::ranks
