// SPDX-License-Identifier: BSD-3-Clause
#include <getopt.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace raddle::ranks {
namespace {

constexpr int scanned = -2;  // a word is there: go on with it

bool is_option(const char* word) { return word[0] == '-' && word[1] != '\0'; }

/// Whether messages are wanted: a colon at the beginning of the letters asks for none.
bool tells(const Variables& own, const char* letters) { return own.opterr() != 0 && letters[0] != ':'; }

template <typename... Words>
void tell(const Variables& own, const char* letters, const char* format, Words... words) {
  if (tells(own, letters)) std::fprintf(own.error(), format, words...);
}

}  // namespace

void OptionScan::begin(Variables& own, const char*& letters) {
  if (own.optind() == 0 || !begun_) {
    if (own.optind() == 0) own.optind() = 1;
    first_passed_ = last_passed_ = own.optind();
    rest_ = nullptr;
    begun_ = true;
    if (letters[0] == '-')
      order_ = Order::in_place;
    else if (letters[0] == '+' || getenv("POSIXLY_CORRECT") != nullptr)
      order_ = Order::stop;
    else
      order_ = Order::permute;
  }
  if (letters[0] == '-' || letters[0] == '+') ++letters;
}

/// The words that were passed over, and the options behind them that end at `next`, change places.
void OptionScan::exchange(char** words, int next) {
  std::rotate(words + first_passed_, words + last_passed_, words + next);
  first_passed_ += next - last_passed_;
  last_passed_ = next;
}

/// Goes on to the next word that is an option. @returns `scanned`, or what the caller is to return
int OptionScan::find_word(Variables& own, int argc, char** words) {
  int& next = own.optind();
  last_passed_ = std::min(last_passed_, next);
  first_passed_ = std::min(first_passed_, next);
  if (order_ == Order::permute) {
    if (first_passed_ != last_passed_ && last_passed_ != next)
      exchange(words, next);
    else if (last_passed_ != next)
      first_passed_ = next;
    while (next < argc && !is_option(words[next])) ++next;
    last_passed_ = next;
  }
  if (next != argc && std::strcmp(words[next], "--") == 0) {
    ++next;
    if (first_passed_ != last_passed_ && last_passed_ != next)
      exchange(words, next);
    else if (first_passed_ == last_passed_)
      first_passed_ = next;
    last_passed_ = argc;
    next = argc;
  }
  if (next == argc) {
    if (first_passed_ != last_passed_) next = first_passed_;
    return -1;
  }
  if (!is_option(words[next])) {
    if (order_ == Order::stop) return -1;
    own.optarg() = words[next++];
    return 1;
  }
  return scanned;
}

int OptionScan::take_long(Variables& own, int argc, char** words, const char* letters, const option* longs, int* which,
                          bool or_letter, const char* hyphens) {
  const std::size_t length = std::strcspn(rest_, "=");
  const option* found = nullptr;
  bool exact = false;
  bool ambiguous = false;
  for (const option* each = longs; each->name != nullptr && !exact; ++each) {
    if (std::strncmp(each->name, rest_, length) != 0) continue;
    exact = each->name[length] == '\0';
    if (exact || found == nullptr)
      found = each;
    else if (or_letter || found->has_arg != each->has_arg || found->flag != each->flag || found->val != each->val)
      ambiguous = true;
  }
  const char* const program = words[0];
  if (ambiguous && !exact) {
    if (tells(own, letters)) {
      FILE* const to = own.error();
      std::fprintf(to, "%s: option '%s%s' is ambiguous; possibilities:", program, hyphens, rest_);
      for (const option* each = longs; each->name != nullptr; ++each) {
        if (std::strncmp(each->name, rest_, length) == 0) std::fprintf(to, " '%s%s'", hyphens, each->name);
      }
      std::fprintf(to, "\n");
    }
    rest_ += std::strlen(rest_);
    ++own.optind();
    own.optopt() = 0;
    return '?';
  }
  if (found == nullptr) {
    // With one hyphen letters are meant, if the first one is an option.
    if (or_letter && hyphens[1] == '\0' && std::strchr(letters, *rest_) != nullptr) return scanned;
    tell(own, letters, "%s: unrecognized option '%s%s'\n", program, hyphens, rest_);
    rest_ = nullptr;
    ++own.optind();
    own.optopt() = 0;
    return '?';
  }
  const char* const end = rest_ + length;
  ++own.optind();
  rest_ = nullptr;
  if (*end != '\0') {
    if (found->has_arg == no_argument) {
      tell(own, letters, "%s: option '%s%s' doesn't allow an argument\n", program, hyphens, found->name);
      own.optopt() = found->val;
      return '?';
    }
    own.optarg() = const_cast<char*>(end) + 1;
  } else if (found->has_arg == required_argument) {
    if (own.optind() >= argc) {
      tell(own, letters, "%s: option '%s%s' requires an argument\n", program, hyphens, found->name);
      own.optopt() = found->val;
      return letters[0] == ':' ? ':' : '?';
    }
    own.optarg() = words[own.optind()++];
  }
  if (which != nullptr) *which = static_cast<int>(found - longs);
  if (found->flag == nullptr) return found->val;
  *found->flag = found->val;
  return 0;
}

int OptionScan::take_letter(Variables& own, int argc, char** words, const char* letters, const option* longs,
                            int* which) {
  const char letter = *rest_++;
  const char* const known = std::strchr(letters, letter);
  if (*rest_ == '\0') ++own.optind();
  if (known == nullptr || letter == ':' || letter == ';') {
    tell(own, letters, "%s: invalid option -- '%c'\n", words[0], letter);
    own.optopt() = letter;
    return '?';
  }
  const auto argument_is_missing = [&] {
    tell(own, letters, "%s: option requires an argument -- '%c'\n", words[0], letter);
    own.optopt() = letter;
    return letters[0] == ':' ? ':' : '?';
  };
  // -W word stands for --word.
  if (known[0] == 'W' && known[1] == ';' && longs != nullptr) {
    if (*rest_ != '\0') {
      own.optarg() = const_cast<char*>(rest_);
    } else if (own.optind() == argc) {
      return argument_is_missing();
    } else {
      own.optarg() = words[own.optind()];
    }
    rest_ = own.optarg();
    own.optarg() = nullptr;
    return take_long(own, argc, words, letters, longs, which, false, "-W ");
  }
  if (known[1] != ':') return letter;
  const bool optional = known[2] == ':';
  own.optarg() = nullptr;
  if (*rest_ != '\0') {
    own.optarg() = const_cast<char*>(rest_);
    ++own.optind();
  } else if (!optional) {
    if (own.optind() == argc) {
      rest_ = nullptr;
      return argument_is_missing();
    }
    own.optarg() = words[own.optind()++];
  }
  rest_ = nullptr;
  return letter;
}

int OptionScan::next(Variables& own, int argc, char* const argv[], const char* letters, const option* longs, int* which,
                     Long kind) {
  auto** const words = const_cast<char**>(argv);
  if (argc < 1) return -1;
  own.optarg() = nullptr;
  begin(own, letters);
  if (rest_ == nullptr || *rest_ == '\0') {
    if (const int found = find_word(own, argc, words); found != scanned) return found;
    const char* const word = words[own.optind()];
    if (longs != nullptr && kind != Long::none) {
      if (word[1] == '-') {
        rest_ = word + 2;
        return take_long(own, argc, words, letters, longs, which, kind == Long::one_hyphen_too, "--");
      }
      // One letter that is an option is one; more may be the name of a long one.
      if (kind == Long::one_hyphen_too && (word[2] != '\0' || std::strchr(letters, word[1]) == nullptr)) {
        rest_ = word + 1;
        if (const int found = take_long(own, argc, words, letters, longs, which, true, "-"); found != scanned)
          return found;
      }
    }
    rest_ = word + 1;
  }
  return take_letter(own, argc, words, letters, longs, which);
}

}  // namespace raddle::ranks

namespace {

using raddle::ranks::current;
using Long = raddle::ranks::OptionScan::Long;

int scan(int argc, char* const argv[], const char* letters, const option* longs, int* which, Long kind) {
  return current->options.next(current->variables, argc, argv, letters, longs, which, kind);
}

}  // namespace

RADDLE_OWN int getopt(int argc, char* const argv[], const char* letters) noexcept {
  if (current == nullptr) return RADDLE_LIBC(getopt, argc, argv, letters);
  return scan(argc, argv, letters, nullptr, nullptr, Long::none);
}

RADDLE_OWN int getopt_long(int argc, char* const argv[], const char* letters, const option* longs,
                           int* which) noexcept {
  if (current == nullptr) return RADDLE_LIBC(getopt_long, argc, argv, letters, longs, which);
  return scan(argc, argv, letters, longs, which, Long::two_hyphens);
}

RADDLE_OWN int getopt_long_only(int argc, char* const argv[], const char* letters, const option* longs,
                                int* which) noexcept {
  if (current == nullptr) return RADDLE_LIBC(getopt_long_only, argc, argv, letters, longs, which);
  return scan(argc, argv, letters, longs, which, Long::one_hyphen_too);
}
