// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <string_view>
#include <utility>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace raddle::ranks {
namespace {

struct Category {
  int number;
  const char* name;
};

constexpr Category all_categories[] = {
    {LC_CTYPE, "LC_CTYPE"},
    {LC_NUMERIC, "LC_NUMERIC"},
    {LC_TIME, "LC_TIME"},
    {LC_COLLATE, "LC_COLLATE"},
    {LC_MONETARY, "LC_MONETARY"},
    {LC_MESSAGES, "LC_MESSAGES"},
    {LC_PAPER, "LC_PAPER"},
    {LC_NAME, "LC_NAME"},
    {LC_ADDRESS, "LC_ADDRESS"},
    {LC_TELEPHONE, "LC_TELEPHONE"},
    {LC_MEASUREMENT, "LC_MEASUREMENT"},
    {LC_IDENTIFICATION, "LC_IDENTIFICATION"},
};
static_assert(std::size(all_categories) == Locale::categories);

/// What the environment says of a category (POSIX, section 8.2).
std::string from_environment(const char* category, Environment& environment) {
  for (const char* variable : {"LC_ALL", category, "LANG"}) {
    if (const char* const value = environment.value(variable); value != nullptr && *value != '\0') return value;
  }
  return "C";
}

/// The part of a name of several locales (LC_CTYPE=...;LC_NUMERIC=...) that is about a category.
std::string part_of(std::string_view name, std::string_view category) {
  if (name.find('=') == std::string_view::npos) return std::string(name);
  const std::size_t at = name.find(std::string(category) + "=");
  if (at == std::string_view::npos) return "C";
  name.remove_prefix(at + category.size() + 1);
  return std::string(name.substr(0, name.find(';')));
}

}  // namespace

const char* Locale::name_of(int category) {
  if (category != LC_ALL) {
    for (int i = 0; i < categories; ++i) {
      if (all_categories[i].number == category) return names_[i].empty() ? "C" : names_[i].c_str();
    }
    return nullptr;
  }
  bool same = true;
  all_.clear();
  for (int i = 0; i < categories; ++i) {
    const std::string name = name_of(all_categories[i].number);
    same = same && name == name_of(LC_CTYPE);
    all_ += (i == 0 ? "" : ";") + std::string(all_categories[i].name) + "=" + name;
  }
  if (same) all_ = name_of(LC_CTYPE);
  return all_.c_str();
}

const char* Locale::set(int category, const char* name, Environment& environment) {
  const std::lock_guard lock(guard_);
  if (name == nullptr) return name_of(category);
  locale_t made = used_ == nullptr ? newlocale(LC_ALL_MASK, "C", nullptr) : duplocale(used_);
  std::string names[categories];
  bool known = false;
  for (int i = 0; i < categories && made != nullptr; ++i) {
    const Category& each = all_categories[i];
    names[i] = names_[i];
    if (category != LC_ALL && category != each.number) continue;
    known = true;
    names[i] = *name == '\0' ? from_environment(each.name, environment) : part_of(name, each.name);
    const locale_t changed = newlocale(1 << each.number, names[i].c_str(), made);
    if (changed == nullptr) freelocale(made);
    made = changed;
  }
  if (made == nullptr || !known) {
    if (made != nullptr) freelocale(made);
    errno = known ? ENOENT : EINVAL;
    return nullptr;
  }
  for (int i = 0; i < categories; ++i) names_[i] = std::move(names[i]);
  used_ = made;  // the one before stays: another thread of the rank may use it
  uselocale(made);
  return name_of(category);
}

void Locale::use() const {
  if (used_ != nullptr) uselocale(used_);
}

}  // namespace raddle::ranks

RADDLE_OWN char* setlocale(int category, const char* name) noexcept {
  using raddle::ranks::current;
  if (current == nullptr) return RADDLE_LIBC(setlocale, category, name);
  return const_cast<char*>(current->locale.set(category, name, current->environment));
}
