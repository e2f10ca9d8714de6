// SPDX-License-Identifier: BSD-3-Clause
// The locale of a rank (setlocale(3)): that of its threads.
#pragma once

#include <clocale>
#include <mutex>
#include <string>

namespace raddle::ranks {

class Environment;

class Locale {
 public:
  static constexpr int categories = 12;  ///< those of the C library, counted from LC_CTYPE

  /// As setlocale. @param environment  says what "" means
  [[nodiscard]] const char* set(int category, const char* name, Environment& environment);

  /// Gives the calling thread, which is the rank's, this locale.
  void use() const;

 private:
  [[nodiscard]] const char* name_of(int category);

  std::mutex guard_;
  locale_t used_ = nullptr;  ///< nullptr: the process's, which is "C"
  std::string names_[categories];
  std::string all_;
};

}  // namespace raddle::ranks
