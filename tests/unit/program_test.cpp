// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/program.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "ranks/bind.hpp"
#include "ranks/elf_image.hpp"
#include "ranks/libraries.hpp"

namespace raddle::ranks {
namespace {

std::string in_programs(const std::string& name) {
  std::string path = RADDLE_TEST_PROGRAMS "/";
  return path += name;
}

/// The file that this address is mapped from; empty: none.
std::string file_of(const void* address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx %*s %*s %*s %*s %n", &begin, &end, &path) != 2 || path == 0) continue;
    const auto wanted = reinterpret_cast<std::uintptr_t>(address);
    if (wanted >= begin && wanted < end) return line.substr(static_cast<std::size_t>(path));
  }
  return "";
}

std::vector<char> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int call(const Loaded& program) {
  std::string word = "program";
  char* words[] = {word.data(), nullptr};
  return program.main(1, words, nullptr);
}

std::string why_not(const std::string& path) {
  try {
    const Program program(closure_of(path, {}));
  } catch (const NotLoadable& reason) {
    return reason.what();
  }
  return "";
}

class Programs : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Programs, testing::Values("counts.so", "counts-pie"),
                         [](const auto& kind) { return std::string(kind.param) == "counts.so" ? "library" : "pie"; });

TEST_P(Programs, HaveGlobalsOfTheirOwnEachTimeTheyAreLoaded) {
  const Program program(closure_of(in_programs(GetParam()), {}));
  std::vector<Variables> variables(3);
  const std::vector<Loaded> copies{program.load(variables[0]), program.load(variables[1]), program.load(variables[2])};
  EXPECT_EQ(call(copies[0]), 1);
  EXPECT_EQ(call(copies[0]), 2);
  EXPECT_EQ(call(copies[1]), 1);
  EXPECT_EQ(call(copies[2]), 1);
  EXPECT_EQ(call(copies[0]), 3);
}

/// Loaded three times, it counts from one each time, and has its code from where it is said to.
void expect_counting(const std::string& name, bool code_of_the_file) {
  const Program program(closure_of(in_programs(name), {}));
  std::vector<Variables> variables(3);
  for (Variables& own : variables) {
    const Loaded loaded = program.load(own);
    const std::string file = file_of(reinterpret_cast<const void*>(loaded.main));
    EXPECT_EQ(file.ends_with("/" + name), code_of_the_file) << file;
    EXPECT_EQ(call(loaded), 1);
    EXPECT_EQ(call(loaded), 2);
  }
}

TEST(Program, HasItsCodeFromItsFile) {
  expect_counting("counts.so", true);
  expect_counting("counts-pie", true);
}

TEST(Program, HasItsCodeInTheCopyWhereTheLoaderLooksAtItOrRunsIt) {
  expect_counting("counts-joined.so", false);
#ifdef __x86_64__
  expect_counting("counts-chosen.so", false);
#endif
}

TEST(Program, MayHaveALongPath) {
  std::string path = in_programs("");
  for (int i = 0; i < 200; ++i) path += "./";
  const Program program(closure_of(path + "counts.so", {}));
  Variables variables;
  EXPECT_EQ(call(program.load(variables)), 1);
}

TEST(Program, FindsVariablesOfTheCLibraryWhereItsCopyHasThem) {
  const Program program(closure_of(in_programs("copies-pie"), {}));
  std::vector<Variables> variables(2);
  const std::vector<Loaded> copies{program.load(variables[0]), program.load(variables[1])};
  variables[0].optind() = 7;
  variables[1].optind() = 8;
  EXPECT_EQ(call(copies[0]), 7);
  EXPECT_EQ(call(copies[1]), 8);
}

TEST(Program, FindsItsOwnBeforeWhatTheCLibraryCallsAlike) {
  const Program program(closure_of(in_programs("names.so"), {}));
  std::vector<Variables> variables(2);
  const std::vector<Loaded> copies{program.load(variables[0]), program.load(variables[1])};
  EXPECT_EQ(call(copies[0]), 101);
  EXPECT_EQ(call(copies[0]), 102);
  EXPECT_EQ(call(copies[1]), 101);
}

TEST(Program, IsRefusedWithWhatToDoAboutIt) {
  EXPECT_NE(why_not(in_programs("nowhere")).find("cannot be read: No such file"), std::string::npos);
  EXPECT_NE(why_not(in_programs("counts-fixed")).find("has a fixed address. Build it with -fPIC -shared."),
            std::string::npos);
  EXPECT_NE(why_not("/proc/self/cmdline").find("is no program but a script or data"), std::string::npos);
  EXPECT_NE(why_not(in_programs("threads-pie")).find("has variables of threads"), std::string::npos);
  EXPECT_NE(why_not("/proc/self/environ").find("is no program but a script or data"), std::string::npos);
  EXPECT_NE(why_not("/tmp").find("cannot be read"), std::string::npos);
  std::vector<char> file = bytes_of(in_programs("counts.so"));
  reinterpret_cast<Elf64_Ehdr*>(file.data())->e_machine = EM_S390;
  const std::string foreign = testing::TempDir() + "/raddle-foreign-" + std::to_string(getpid());
  std::ofstream(foreign, std::ios::binary).write(file.data(), static_cast<std::streamsize>(file.size()));
  EXPECT_NE(why_not(foreign).find("is a program for another kind of machine"), std::string::npos);
  std::remove(foreign.c_str());
  EXPECT_NE(why_not(in_programs("counts-static")).find("is linked statically"), std::string::npos);
  EXPECT_NE(why_not(in_programs("no_main.so")).find("no function main"), std::string::npos);
}

#ifdef __x86_64__
TEST(Program, IsFoundInWhatStartsItWhereItsSymbolsAreGone) {
  const Program program(closure_of(in_programs("counts-stripped"), {}));
  std::vector<Variables> variables(2);
  const std::vector<Loaded> copies{program.load(variables[0]), program.load(variables[1])};
  EXPECT_EQ(call(copies[0]), 1);
  EXPECT_EQ(call(copies[0]), 2);
  EXPECT_EQ(call(copies[1]), 1);
}
#endif

TEST(ElfImage, TakesWhatIsDamagedForWhatItIsOrForNothing) {
  const std::vector<char> whole = bytes_of(in_programs("copies-pie"));
  ASSERT_FALSE(whole.empty());
  const auto seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 3000; ++round) {
    std::vector<char> file = whole;
    if (round % 3 == 0) file.resize(random() % file.size());
    for (int i = 0; i < 20 && !file.empty(); ++i) {
      // Mostly where it says what is where.
      const std::size_t at =
          random() % 2 == 0 ? random() % file.size() : random() % std::min<std::size_t>(1000, file.size());
      file[at] = static_cast<char>(random());
    }
    ElfImage image(file);
    if (!image.readable()) continue;
    static_cast<void>(image.copied_variables());
    static_cast<void>(image.function("main"));
    static_cast<void>(image.main_of_start());
    static_cast<void>(image.undefined());
    static_cast<void>(image.symbol("main"));
    static_cast<void>(image.needed());
    static_cast<void>(image.search_path(true) + image.search_path(false));
    static_cast<void>(image.take_hooks());
    image.unmark_executable();
    image.remove_name();
    static_cast<void>(image.exported());
    image.own_unique_variables();
    image.strip();
    static_cast<void>(image.make_room({"libc.so.6"}, "/nowhere"));
  }
}

}  // namespace
}  // namespace raddle::ranks
