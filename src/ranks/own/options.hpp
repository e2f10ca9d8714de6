// SPDX-License-Identifier: BSD-3-Clause
// Options of a command: getopt(3) with the extensions of GNU. The C library keeps where it is in variables of which
// only some can be reached, so that a rank cannot be given its own; this does the same with a state of the caller's.
#pragma once

struct option;

namespace raddle::ranks {

class Variables;

/// Where a scan of words is.
class OptionScan {
 public:
  enum class Long { none, two_hyphens, one_hyphen_too };

  /// As getopt, getopt_long and getopt_long_only. Messages go to the rank's stderr.
  int next(Variables& own, int argc, char* const argv[], const char* letters, const option* longs, int* which,
           Long kind);

 private:
  enum class Order { permute, in_place, stop };

  void begin(Variables& own, const char*& letters);
  void exchange(char** words, int next);
  int find_word(Variables& own, int argc, char** words);
  int take_long(Variables& own, int argc, char** words, const char* letters, const option* longs, int* which,
                bool or_letter, const char* hyphens);
  int take_letter(Variables& own, int argc, char** words, const char* letters, const option* longs, int* which);

  bool begun_ = false;
  Order order_ = Order::permute;
  const char* rest_ = nullptr;  ///< of a word whose letters are options
  // Words that are none and were passed over: they are moved behind the options.
  int first_passed_ = 1;
  int last_passed_ = 1;
};

}  // namespace raddle::ranks
