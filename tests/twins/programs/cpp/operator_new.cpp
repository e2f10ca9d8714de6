// SPDX-License-Identifier: BSD-3-Clause
// A program with an operator new of its own, whose memory no other one can free: what the C++ library gives to the program,
// and the other way around, is freed by the one that it comes from.
#include <cstdlib>
#include <map>
#include <new>
#include <sstream>
#include <string>

#include "../twin.h"

namespace {
constexpr std::size_t before = 64;
}

void* operator new(std::size_t bytes) {
  auto* const made = static_cast<char*>(std::malloc(bytes + before));
  if (made == nullptr) throw std::bad_alloc();
  return made + before;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) std::free(static_cast<char*>(memory) - before);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::map<int, std::string> words;
  std::ostringstream text;
  for (int i = 0; i < 100; ++i) {
    text << "a text that is longer than a string keeps within itself " << i;
    words[i] = text.str();
  }
  std::string all;
  for (const auto& [number, word] : words) all.append(word, 0, 10);
  try {
    static_cast<void>(words.at(1000));
  } catch (const std::out_of_range&) {
    all += " no such word";
  }
  say("%zu letters", all.size());
  MPI_Finalize();
  return 0;
}
