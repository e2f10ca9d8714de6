// SPDX-License-Identifier: BSD-3-Clause

#include "ranks/libraries.hpp"

#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "ranks/elf_image.hpp"

namespace raddle::ranks {
namespace {

struct Listed {
  const char* pattern;
  const char* owner;
};

constexpr Listed shared_libraries[] = {
#define RADDLE_SHARED_LIBRARY(pattern, owner) {pattern, "the " #owner "'s"},
#include "ranks/shared_libraries.def"
#undef RADDLE_SHARED_LIBRARY
};

/// A library of the compiler's that is private where a program uses something of it that belongs to a process.
struct PrivateIf {
  const char* pattern;
  const char* symbol;  ///< pattern of a name that is taken from it
};

/// The streams of C++ write to stdout and stderr, of which each rank has its own. Some of its functions set what holds
/// for a whole process.
constexpr PrivateIf private_if[] = {
    {"libstdc++.so*", "_ZSt[34]c*"},   // std::cin, cout, cerr, clog
    {"libstdc++.so*", "_ZSt[45]wc*"},  // the same of wide characters
    {"libstdc++.so*", "_ZNSt6locale6globalERKS_"},
    {"libstdc++.so*", "_ZSt1?set_terminate*"},
    {"libstdc++.so*", "_ZSt1?set_new_handler*"},
    {"libc++.so*", "_ZNSt3__1[34]c*"},
};

bool matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// By the name of its file. nullptr: nobody's who is listed
const char* listed_owner(const std::string& name) {
  const auto* const found =
      std::ranges::find_if(shared_libraries, [&](const Listed& entry) { return matches(entry.pattern, name); });
  return found == std::end(shared_libraries) ? nullptr : found->owner;
}

bool wished(const std::vector<std::string>& wishes, const std::string& name) {
  return std::ranges::any_of(wishes, [&](const std::string& wish) {
    return matches(wish, name) || name.starts_with(wish + ".so") || name.starts_with("lib" + wish + ".so");
  });
}

/// Whose library it is; nullptr: it is private.
const char* wished_owner(const std::string& name, const Wishes& wishes) {
  if (wished(wishes.to_be_shared, name)) return "as you say";
  if (wished(wishes.to_be_private, name)) return nullptr;
  return listed_owner(name);
}

class Search {
 public:
  Search(const std::string& program, const Wishes& wishes, const std::vector<CopiedFile>* known = nullptr)
      : wishes_(wishes), known_(known) {
    add(program);
  }

  Closure run() {
    // What streams a program uses is known only once all its files are: then a library that was shared is private.
    std::size_t before = 0;
    do {
      before = streams_.size();
      look();
    } while (streams_.size() != before);
    return std::move(found_);
  }

 private:
  int add(const std::string& path) {
    PrivateFile& file = found_.files.emplace_back(PrivateFile{path, id_of(path.c_str()), FileBytes(path), {}, {}});
    if (known_ == nullptr)
      note_streams(file.image());
    else if (const CopiedFile* const copied = known(file.id))
      file.copy = copied->copy;
    return static_cast<int>(found_.files.size()) - 1;
  }

  void look() {
    found_.shared.clear();
    reached_ = 1;
    for (std::size_t i = 0; i < found_.files.size(); ++i) {
      if (!found_.files[i].copy.empty()) continue;
      const ElfImage image = found_.files[i].image();
      std::vector<Dependency> needs;
      for (const std::string& name : image.needed()) needs.push_back({name, place(name, image, found_.files[i].path)});
      found_.files[i].needs = std::move(needs);
    }
  }

  void note_streams(const ElfImage& image) {
    for (const std::string& symbol : image.undefined()) {
      for (const PrivateIf& rule : private_if) {
        if (matches(rule.symbol, symbol)) streams_.insert(rule.pattern);
      }
    }
  }

  /// Which of the private files a library is; -1: it is shared.
  int place(const std::string& name, const ElfImage& image, const std::string& of) {
    const std::optional<std::string> path = find_library(name, image, of);
    const std::string file = std::filesystem::path(path.value_or(name)).filename().string();
    if (!path) return share(name, "not found");
    const std::optional<FileId> id = id_of(path->c_str());
    const char* const owner = known(id) != nullptr ? nullptr : owner_of(file);
    if (owner != nullptr) return share(*path, owner);
    for (std::size_t i = 1; i < found_.files.size(); ++i) {
      if (id && found_.files[i].id == id) return reach(static_cast<int>(i));
    }
    return reach(add(*path));
  }

  int reach(int file) {
    reached_ = std::max(reached_, static_cast<std::size_t>(file) + 1);
    return file;
  }

  [[nodiscard]] const CopiedFile* known(const std::optional<FileId>& id) const {
    if (known_ == nullptr || !id) return nullptr;
    const auto found = std::ranges::find(*known_, id, &CopiedFile::id);
    return found == known_->end() ? nullptr : &*found;
  }

  int share(const std::string& path, const char* reason) {
    if (std::ranges::none_of(found_.shared, [&](const SharedFile& known) { return known.path == path; }))
      found_.shared.push_back({path, reason, reached_});
    return -1;
  }

  /// Whose library it is; nullptr: it is private.
  [[nodiscard]] const char* owner_of(const std::string& name) const {
    if (std::ranges::any_of(streams_, [&](const std::string& pattern) { return matches(pattern, name); }) &&
        !wished(wishes_.to_be_shared, name))
      return nullptr;
    return wished_owner(name, wishes_);
  }

  const Wishes& wishes_;
  const std::vector<CopiedFile>* known_;
  Closure found_;
  std::size_t reached_ = 0;        ///< so many private files come before what is found next
  std::set<std::string> streams_;  ///< libraries with streams that are used
};

}  // namespace

namespace {

bool is_owned_by(std::string_view owner, const std::string& path) {
  const char* const listed = listed_owner(path.substr(path.rfind('/') + 1));
  return listed != nullptr && listed == owner;
}

}  // namespace

bool is_of_the_mpi(const std::string& path) { return is_owned_by(mpi_library, path); }
bool is_of_raddle(const std::string& path) { return is_owned_by("the Raddle's", path); }

std::optional<FileId> id_of(const char* path) {
  struct stat file{};
  if (stat(path, &file) != 0) return std::nullopt;
  return FileId{file.st_dev, file.st_ino};
}

Closure closure_of(const std::string& program, const Wishes& wishes) { return Search(program, wishes).run(); }

Closure closure_of(const std::string& library, const Wishes& wishes, const std::vector<CopiedFile>& known) {
  return Search(library, wishes, &known).run();
}

bool is_shared(const std::string& name, const Wishes& wishes) { return wished_owner(name, wishes) != nullptr; }

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
  if (const char* const path = std::getenv("LD_LIBRARY_PATH")) {  // NOLINT(concurrency-mt-unsafe): a rank's own
    if (auto found = in_directories(path, name)) return found;
  }
  if (auto found = in_directories(with_origin(image.search_path(true), file), name)) return found;
  static const std::map<std::string, std::string, std::less<>> index = read_index();
  if (const auto found = index.find(name); found != index.end()) return found->second;
  return in_directories("/lib64:/usr/lib64:/lib:/usr/lib", name);
}

}  // namespace raddle::ranks
