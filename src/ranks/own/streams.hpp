// SPDX-License-Identifier: BSD-3-Clause
// stdin, stdout and stderr of a rank: streams and descriptors of its own, so that it can close them, open them anew or
// send them elsewhere, and no other rank's go with them.
#pragma once

#include <cstdio>

namespace raddle::ranks {

class Variables;

class Streams {
 public:
  /// Opens them. @param reads  whether it has the process's stdin, of which there is one; otherwise its is empty
  /// @returns whether there were descriptors enough
  [[nodiscard]] bool open(Variables& variables, bool reads);

  /// The descriptor that a program means by this number.
  [[nodiscard]] int descriptor(int number) const {
    return number >= 0 && number <= 2 && own_[number] >= 0 ? own_[number] : number;
  }

  /// The program closes a stream, perhaps one of these.
  void forget(const FILE* stream);

  /// Writes what is still in them. Those of other ranks are left alone: they may be in the middle of a line.
  void flush() const;

 private:
  int own_[3] = {-1, -1, -1};
  FILE* opened_[3]{};
};

}  // namespace raddle::ranks
