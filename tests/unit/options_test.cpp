// SPDX-License-Identifier: BSD-3-Clause
// The options of a rank against those of the C library: the same words, the same answers.
#include <getopt.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ranks/process.hpp"

namespace raddle::ranks {
namespace {

const option long_options[] = {{"size", required_argument, nullptr, 's'}, {"sizes", no_argument, nullptr, 'z'},
                               {"quiet", no_argument, nullptr, 'q'},      {"quick", optional_argument, nullptr, 'k'},
                               {"alpha", no_argument, nullptr, 'a'},      {}};
const char* const words[] = {"-a",     "-b",      "-n",     "-n5",    "-ab",   "-abn",    "-o",        "-oarg", "-z",
                             "--size", "--size=", "--si",   "--qui",  "--qu=", "--quick", "--quick=x", "--",    "-",
                             "word",   "",        "--none", "-quiet", "-size", "-W",      "-Walpha",   "-W:",   "-:"};
const char* const letters[] = {"abn:o::", "+abn:o::", "-abn:o::", ":abn:o::", "+:abn:", "abW;n:", "-:aW;", ""};

/// What one scan of a command has given.
struct Scan {
  std::vector<std::string> answers;
  std::string messages;
  std::vector<std::string> words;  ///< in the order in which they are left
  bool operator==(const Scan&) const = default;
};

/// A stream into a text.
class Text {
 public:
  [[nodiscard]] FILE* stream() const { return stream_; }
  [[nodiscard]] std::string get() const {
    std::fflush(stream_);
    return {data_, bytes_};
  }
  Text() : stream_(open_memstream(&data_, &bytes_)) {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() {
    std::fclose(stream_);
    std::free(data_);
  }

 private:
  char* data_ = nullptr;
  std::size_t bytes_ = 0;
  FILE* stream_;
};

/// @param again  whether the words are gone through once more, from the first, as some programs do
Scan scan(std::vector<std::string> line, const char* known, int kind, bool again, Process* process) {
  Text text;
  FILE* const before = std::exchange(stderr, text.stream());
  current = process;
  if (process != nullptr) process->variables.error() = text.stream();
  int& next = process != nullptr ? process->variables.optind() : optind;
  char*& argument = process != nullptr ? process->variables.optarg() : optarg;
  int& unknown = process != nullptr ? process->variables.optopt() : optopt;
  next = 0;  // from the beginning
  unknown = 0;
  std::vector<char*> pointers;
  for (std::string& word : line) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const auto count = static_cast<int>(line.size());
  Scan found;
  for (int i = 0; i < 60; ++i) {
    int which = -1;
    int answer = 0;
    if (kind == 0) answer = getopt(count, pointers.data(), known);
    if (kind == 1) answer = getopt_long(count, pointers.data(), known, long_options, &which);
    if (kind == 2) answer = getopt_long_only(count, pointers.data(), known, long_options, &which);
    found.answers.push_back(std::to_string(answer) + " " + (argument == nullptr ? "-" : argument) + " " +
                            std::to_string(next) + " " + std::to_string(which) + " " +
                            (answer == '?' || answer == ':' ? std::to_string(unknown) : ""));
    if (answer != -1) continue;
    if (!std::exchange(again, false)) break;
    next = 1;
  }
  current = nullptr;
  stderr = before;
  found.messages = text.get();
  for (int i = 0; i < count; ++i) found.words.emplace_back(pointers[static_cast<std::size_t>(i)]);
  return found;
}

TEST(Options, AreThoseOfTheCLibrary) {
  const auto seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto process = std::make_unique<Process>();
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> line{"program"};
    for (auto count = random() % 8; count > 0; --count) line.emplace_back(words[random() % std::size(words)]);
    const char* const known = letters[random() % std::size(letters)];
    const auto kind = static_cast<int>(random() % 3);
    const bool again = random() % 4 == 0;
    const Scan expected = scan(line, known, kind, again, nullptr);
    const Scan found = scan(line, known, kind, again, process.get());
    std::string said = std::string("'") + known + "' " + std::to_string(kind) + (again ? " twice" : "");
    for (const std::string& word : line) said += " " + word;
    EXPECT_EQ(found.answers, expected.answers) << said;
    EXPECT_EQ(found.messages, expected.messages) << said;
    EXPECT_EQ(found.words, expected.words) << said;
    if (found != expected) return;
  }
}

TEST(Options, OfTwoRanksAreApart) {
  const auto one = std::make_unique<Process>();
  const auto two = std::make_unique<Process>();
  std::string line[] = {"program", "-a", "-n", "5"};
  char* pointers[] = {line[0].data(), line[1].data(), line[2].data(), line[3].data(), nullptr};
  for (const int expected : std::vector<int>{'a', 'n', -1}) {
    for (Process* const process : {one.get(), two.get()}) {
      current = process;
      EXPECT_EQ(getopt(4, pointers, "an:"), expected);
    }
  }
  current = nullptr;
  EXPECT_EQ(one->variables.optind(), 4);
}

}  // namespace
}  // namespace raddle::ranks
