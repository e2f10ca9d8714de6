// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/libraries.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "ranks/elf_image.hpp"
#include "ranks/library_search.hpp"
#include "ranks/not_loadable.hpp"

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

/// The streams of C++ write to stdout and stderr, of which each rank has its own.
constexpr PrivateIf private_if[] = {
    {"libstdc++.so*", "_ZSt[34]c*"},   // std::cin, cout, cerr, clog
    {"libstdc++.so*", "_ZSt[45]wc*"},  // the same of wide characters
    {"libc++.so*", "_ZNSt3__1[34]c*"},
};

bool matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool wished(const std::vector<std::string>& wishes, const std::string& name) {
  return std::ranges::any_of(wishes, [&](const std::string& wish) {
    return matches(wish, name) || name.starts_with(wish + ".so") || name.starts_with("lib" + wish + ".so");
  });
}

class Search {
 public:
  Search(const std::string& program, const Wishes& wishes) : wishes_(wishes) { add(program); }

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
    found_.files.push_back({path, read_file(path), {}});
    note_streams(ElfImage(found_.files.back().bytes));
    return static_cast<int>(found_.files.size()) - 1;
  }

  void look() {
    found_.shared.clear();
    for (std::size_t i = 0; i < found_.files.size(); ++i) {
      const ElfImage image(found_.files[i].bytes);
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
    if (const char* const owner = owner_of(file)) return share(*path, owner);
    std::error_code ignored;
    for (std::size_t i = 1; i < found_.files.size(); ++i) {
      if (std::filesystem::equivalent(found_.files[i].path, *path, ignored)) return static_cast<int>(i);
    }
    return add(*path);
  }

  int share(const std::string& path, const char* reason) {
    if (std::ranges::none_of(found_.shared, [&](const SharedFile& known) { return known.path == path; }))
      found_.shared.push_back({path, reason});
    return -1;
  }

  /// Whose library it is; nullptr: it is private.
  [[nodiscard]] const char* owner_of(const std::string& name) const {
    if (wished(wishes_.to_be_shared, name)) return "as you say";
    if (wished(wishes_.to_be_private, name)) return nullptr;
    if (std::ranges::any_of(streams_, [&](const std::string& pattern) { return matches(pattern, name); }))
      return nullptr;
    const auto* const listed =
        std::ranges::find_if(shared_libraries, [&](const Listed& entry) { return matches(entry.pattern, name); });
    return listed == std::end(shared_libraries) ? nullptr : listed->owner;
  }

  const Wishes& wishes_;
  Closure found_;
  std::set<std::string> streams_;  ///< libraries with streams that are used
};

}  // namespace

Closure closure_of(const std::string& program, const Wishes& wishes) { return Search(program, wishes).run(); }

}  // namespace raddle::ranks
