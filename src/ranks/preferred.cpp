// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/preferred.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "ranks/bind.hpp"
#include "ranks/loaded_files.hpp"

// Where the executable begins and ends: the linker's.
extern "C" const char __executable_start;  // NOLINT(bugprone-reserved-identifier)
extern "C" const char _end;                // NOLINT(bugprone-reserved-identifier)

namespace raddle::ranks {
namespace {

/// Whether memory comes from it, or goes there: libraries that ranks share give such memory to programs, and take it.
bool allocates(std::string_view name) {
  constexpr std::string_view functions[] = {"malloc",         "calloc", "realloc",       "free",
                                            "reallocarray",   "cfree",  "aligned_alloc", "memalign",
                                            "posix_memalign", "valloc", "pvalloc",       "malloc_usable_size"};
  constexpr std::string_view operators[] = {"_Znw", "_Zna", "_Zdl", "_Zda"};  // new and delete of C++
  return std::ranges::find(functions, name) != std::end(functions) ||
         std::ranges::any_of(operators, [&](std::string_view begin) { return name.starts_with(begin); });
}

/// Variables of C++ that several files have are meant to be one, and what ranks share takes its own.
bool is_of_templates(std::string_view name) { return name.starts_with("_Z"); }

/// What ranks share, and where in the order of a process it is.
class SharedOrder {
 public:
  explicit SharedOrder(const Closure& files) : end_(files.files.size()) {
    std::size_t c_library = end_;
    for (const SharedFile& file : files.shared) {
      const std::string name = file.path.substr(file.path.rfind('/') + 1);
      if (name.starts_with("libc.so")) c_library = file.before;
      if (const auto id = id_of(file.path.c_str())) shared_.emplace_back(*id, file.before);
    }
    // What the executable exports stands for something of the C library.
    ranges_.push_back({reinterpret_cast<std::uintptr_t>(&__executable_start),
                       reinterpret_cast<std::uintptr_t>(&_end),
                       c_library,
                       {}});
    for (const LoadedFile& loaded : loaded_files())
      ranges_.push_back({loaded.begin, loaded.end, before_of(loaded), loaded.path});
    std::ranges::sort(ranges_, {}, &Range::begin);
  }

  struct Range {
    std::uintptr_t begin;
    std::uintptr_t end;
    std::size_t before;  ///< private files that come before it
    std::string name;
  };

  /// The file that has something at this address; nullptr: none.
  [[nodiscard]] const Range* of(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    auto found = std::ranges::upper_bound(ranges_, at, {}, &Range::begin);
    if (found == ranges_.begin()) return nullptr;
    --found;
    return at < found->end ? &*found : nullptr;
  }

 private:
  [[nodiscard]] std::size_t before_of(const LoadedFile& loaded) const {
    if (is_of_raddle(loaded.path)) return 1;  // such libraries come behind the program and before all others
    const auto found = std::ranges::find(shared_, loaded.id, &std::pair<FileId, std::size_t>::first);
    return found == shared_.end() ? end_ : found->second;
  }

  std::size_t end_;
  std::vector<std::pair<FileId, std::size_t>> shared_;  ///< how many private files come before each
  std::vector<Range> ranges_;
};

}  // namespace

Definitions preferred_names(Closure& files) {
  const SharedOrder order(files);
  Definitions found;
  for (std::size_t i = 0; i < files.files.size(); ++i) {
    const ElfImage image = files.files[i].image();
    const std::vector<std::string> copied = image.copied_variables();
    for (const ElfImage::Exported& exported : image.exported()) {
      const std::string name(exported.name);
      if (found.contains(name) || allocates(name) || is_own_variable(name.c_str()) ||
          std::ranges::find(copied, name) != copied.end())
        continue;
      const SharedOrder::Range* const shared = order.of(dlsym(RTLD_DEFAULT, name.c_str()));
      if (shared == nullptr || shared->before <= i) continue;
      // Some constants of Fortran are addresses of variables that a program has as well, and has to mean the same by as
      // its MPI.
      if (exported.is_variable && (is_of_templates(name) || is_of_the_mpi(shared->name))) continue;
      found[name] = {i, exported.offset};
    }
  }
  return found;
}

}  // namespace raddle::ranks
