// SPDX-License-Identifier: BSD-3-Clause
// What functions of the C library keep from call to call.
#include <getopt.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "ranks_own/cases.hpp"

namespace cases {
namespace {

/// Whether a value that does not depend on the rank is the same on all of them.
bool same_everywhere(long value) {
  long least = 0;
  long most = 0;
  MPI_Allreduce(&value, &least, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&value, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  return least == most;
}

/// Words of a command, as getopt takes them.
class Words {
 public:
  explicit Words(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  [[nodiscard]] int count() const { return static_cast<int>(words_.size()); }
  [[nodiscard]] char** get() { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

}  // namespace

bool options(const World& world, int, char**) {
  const std::string own = std::to_string(world.rank);
  std::vector<std::string> line{"program", "word", "-ab", "-n", own};
  for (int i = 0; i < world.rank; ++i) line.insert(line.begin() + 2, "-b");
  Words words(line);
  int counted = 0;
  bool good = optind == 1;
  for (int found = 0; (found = getopt(words.count(), words.get(), "abn:")) != -1; world.meet()) {
    counted += found == 'b' ? 1 : 0;
    good = good && (found != 'n' || optarg == own);
  }
  // Others may still be at it.
  for (int i = world.rank; i < world.size; ++i) world.meet();
  return good && counted == world.rank + 1 && words.get()[optind] == std::string("word");
}

bool long_options(const World& world, int, char**) {
  const option known[] = {{"size", required_argument, nullptr, 's'}, {"quiet", no_argument, nullptr, 'q'}, {}};
  const std::string own = std::to_string(100 + world.rank);
  Words words({"program", "--quiet", "--size=" + own, "--si", own, "end"});
  bool good = true;
  for (const int expected : std::vector<int>{'q', 's', 's', -1}) {
    good = getopt_long(words.count(), words.get(), "", known, nullptr) == expected && good;
    good = (expected != 's' || optarg == own) && good;
    world.meet();
  }
  return good && optind == 5;
}

bool random_numbers(const World& world, int, char**) {
  long hash = rand();  // of one that has not been seeded
  srand(42);
  for (int i = 0; i < 50000; ++i) hash = hash * 31 + rand();
  if (world.rank == 0) srandom(7);  // is nobody else's affair
  world.meet();
  if (world.rank == 0) srandom(42);
  if (world.rank != 0) srand(42);
  for (int i = 0; i < 1000; ++i) hash = hash * 31 + random();
  return same_everywhere(hash);
}

bool random_states(const World& world, int, char**) {
  static char small[32];
  char* const before = initstate(5, small, sizeof small);
  world.meet();
  long hash = 0;
  for (int i = 0; i < 10000; ++i) hash = hash * 31 + random();
  const bool restored = setstate(before) == small;
  for (int i = 0; i < 10000; ++i) hash = hash * 31 + random();
  return same_everywhere(hash) && restored;
}

bool numbers48(const World& world, int, char**) {
  double sum = drand48();
  srand48(7);
  for (int i = 0; i < 50000; ++i) sum += drand48();
  unsigned short parameters[7] = {1, 2, 3, 4, 5, 6, static_cast<unsigned short>(world.rank == 0 ? 11 : 12)};
  if (world.rank == 0) lcong48(parameters);
  world.meet();
  srand48(8);
  long hash = 0;
  for (int i = 0; i < 50000; ++i) hash = hash * 31 + lrand48() + mrand48();
  unsigned short seed[3] = {1, 2, 3};
  const unsigned short* const old = seed48(seed);
  unsigned short own[3] = {3, 2, 1};
  return same_everywhere(static_cast<long>(sum * 1e6)) && same_everywhere(hash + old[0] + nrand48(own) + jrand48(own));
}

bool words(const World& world, int, char**) {
  char text[64];
  std::snprintf(text, sizeof text, "a%d b%d c%d", world.rank, world.rank, world.rank);
  std::string joined;
  for (char* word = strtok(text, " "); word != nullptr; word = strtok(nullptr, " ")) {
    joined += word;
    world.meet();
  }
  const std::string own = std::to_string(world.rank);
  return joined == "a" + own + "b" + own + "c" + own;
}

bool times(const World& world, int, char**) {
  const std::time_t when = 86400L * 370 * world.rank;
  const std::tm* const time = gmtime(&when);
  const char* const text = asctime(time);
  const std::string copied = text;
  world.meet();
  const bool good = time->tm_year == 70 + world.rank && copied == text;
  const char* const local = ctime(&when);
  const std::string copied_too = local;
  world.meet();
  return good && copied_too == local;
}

bool zones(const World& world, int, char**) {
  const std::time_t noon = 12 * 3600;
  setenv("TZ", ("R" + std::string("ANK") + std::to_string(world.rank)).c_str(), 1);  // RANK1: an hour behind
  tzset();
  world.meet();
  bool good = true;
  for (int i = 0; i < 200; ++i) {
    std::tm time{};
    good = good && localtime(&noon)->tm_hour == 12 - world.rank && localtime_r(&noon, &time) == &time &&
           time.tm_hour == 12 - world.rank && mktime(&time) == noon;
  }
  return good;
}

bool users(const World& world, int, char**) {
  const char* const name = world.rank % 2 == 0 ? "root" : "daemon";
  const passwd* const found = getpwnam(name);
  world.meet();
  if (found == nullptr || std::strcmp(found->pw_name, name) != 0) return false;
  const passwd* const by_number = getpwuid(found->pw_uid);
  world.meet();
  return std::strcmp(by_number->pw_name, name) == 0 && getpwnam("nobody here") == nullptr;
}

bool names_of_files(const World& world, int, char**) {
  const char* const name = tmpnam(nullptr);
  const std::string copied = name;
  world.meet();
  return copied == name;
}

bool digits(const World& world, int, char**) {
  int point = 0;
  int sign = 0;
  const char* const text = ecvt(world.rank + 1.5, 2, &point, &sign);
  world.meet();
  return text == std::to_string(world.rank + 1) + "5";
}

bool gamma_sign(const World& world, int, char**) {
  lgamma(world.rank % 2 == 0 ? 2.5 : -0.5);
  world.meet();
  return signgam == (world.rank % 2 == 0 ? 1 : -1);
}

bool locales(const World& world, int, char**) {
  const std::string first = setlocale(LC_ALL, nullptr);
  const char* const wanted = world.rank % 2 == 0 ? "C" : "C.UTF-8";
  const char* const got = setlocale(LC_ALL, wanted);
  world.meet();
  const bool wide = MB_CUR_MAX > 1;
  const bool good = got != nullptr && std::strcmp(setlocale(LC_ALL, nullptr), wanted) == 0;
  setlocale(LC_CTYPE, "C");
  const bool parts = world.rank % 2 == 0 || std::strstr(setlocale(LC_ALL, nullptr), "LC_NUMERIC=C.UTF-8") != nullptr;
  return first == "C" && good && parts && wide == (world.rank % 2 == 1) && setlocale(LC_ALL, "none such") == nullptr;
}

bool directory(const World& world, int, char**) {
  char own[] = "/tmp/raddle-rank-XXXXXX";
  if (mkdtemp(own) == nullptr || chdir(own) != 0) return false;
  world.meet();
  char now[256];
  const bool good = getcwd(now, sizeof now) != nullptr && std::strcmp(now, own) == 0;
  world.meet();
  rmdir(own);
  return good;
}

bool mask(const World& world, int, char**) {
  const mode_t own = world.rank % 2 == 0 ? 022 : 077;
  umask(own);
  world.meet();
  return umask(own) == own;
}

}  // namespace cases
