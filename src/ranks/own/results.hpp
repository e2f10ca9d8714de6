// SPDX-License-Identifier: BSD-3-Clause
// Results that functions of the C library leave in memory of theirs, until the next call.
#pragma once

#include <grp.h>
#include <netdb.h>
#include <pwd.h>

#include <cstdio>
#include <ctime>
#include <vector>

namespace raddle::ranks {

/// Of a rank's calls. The sizes of texts are those that the C library's own have.
struct Results {
  char* rest_of_words = nullptr;  ///< of strtok
  std::tm time{};                 ///< of gmtime and localtime
  char time_text[64]{};           ///< of asctime and ctime
  char file_name[L_tmpnam]{};     ///< of tmpnam
  char number[64]{};              ///< of ecvt, fcvt
  passwd user{};
  group users{};
  hostent host{};
  std::vector<char> user_texts;
  std::vector<char> group_texts;
  std::vector<char> host_texts;
};

}  // namespace raddle::ranks
