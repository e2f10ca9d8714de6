// SPDX-License-Identifier: BSD-3-Clause
// What a rank has of its own where a process would have it: its program, and what the C library keeps once for a
// process. Each file in own/ has the functions for a part of it.
#pragma once

#include <dlfcn.h>
#include <grp.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <spawn.h>

#include <clocale>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <latch>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "platform/spin_lock.hpp"
#include "ranks/bind.hpp"
#include "ranks/program.hpp"

struct option;

namespace raddle::ranks {

// The environment of a rank (environ(7)): at first that of the process.

class Environment {
 public:
  /// @param variables  with the one that points to the table
  explicit Environment(Variables& variables) : variables_(variables) {}
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  /// Takes over the process's, once the variables are where they stay.
  void begin(char** process);

  /// The table, which programs may replace by one of theirs.
  [[nodiscard]] char** table() const { return variables_.environment(); }

  /// nullptr: not set
  [[nodiscard]] char* value(std::string_view name);
  /// @param entry  NAME=VALUE, becomes part of the environment
  void put(char* entry);
  void set(std::string_view name, std::string_view value, bool overwrite);
  void unset(std::string_view name);
  void clear();

 private:
  [[nodiscard]] char** find(std::string_view name) const;
  void append(char* entry);

  Variables& variables_;
  platform::SpinLock guard_;
  std::deque<std::string> copies_;  ///< of what the process had
  std::vector<char*> own_;          ///< the table, unless the program has replaced it
};

/// The path of a command by the PATH of the calling thread's rank; the name itself, if it is nowhere in it.
[[nodiscard]] std::string found_command(const std::string& file);

// stdin, stdout and stderr of a rank: streams and descriptors of its own, so that it can close them, open them anew or
// send them elsewhere, and no other rank's go with them.

class Streams {
 public:
  /// Opens them. @param reads  whether it has the process's stdin, of which there is one; otherwise its is empty
  /// @returns whether there were descriptors enough
  [[nodiscard]] bool open(Variables& variables, bool reads);

  /// The descriptor that a program means by this number; -1: it has closed it.
  [[nodiscard]] int descriptor(int number) const {
    if (!has(number)) return number;
    return closed_[number] ? -1 : own_[number];
  }

  /// As close, dup2 and dup3 for one of the numbers 0, 1 and 2 that the rank has a descriptor of its own for. The
  /// descriptor stays the rank's when it is closed: its stream goes on using it, and what is opened next is behind it.
  [[nodiscard]] bool has(int number) const { return number >= 0 && number <= 2 && own_[number] >= 0; }
  int close(int number);
  int replace(int number, int descriptor);
  /// Of a child: it is a process, and what it becomes has them at the numbers themselves.
  void double_numbers();
  /// First actions of a program that is started: it has them at the numbers themselves. @param instead_of  one of the
  /// numbers, where it has another descriptor @returns an error of errno's; 0: done
  int give(posix_spawn_file_actions_t& actions, int instead_of = -1, int descriptor = -1) const;

  // A child must find this in one piece, whichever thread of the rank was at it.
  void hold() { guard_.lock(); }
  void release() { guard_.unlock(); }

  [[nodiscard]] bool any_closed() const { return closed_[0] || closed_[1] || closed_[2]; }
  /// A descriptor that the program has opened gets the lowest number that is free, as in a process (open(2)).
  /// @param least  the lowest one that it may have
  [[nodiscard]] int numbered(int descriptor, int least = 0);

  // Streams that the rank has opened itself.
  void opened(FILE* stream);
  /// The program closes a stream, perhaps one of stdin, stdout and stderr.
  void forget(FILE* stream);

  /// Writes what is still in the rank's streams. Those of other ranks are left alone: they may be in the middle of a
  /// line, and wait for it.
  void flush();

 private:
  int own_[3] = {-1, -1, -1};
  bool closed_[3]{};
  bool doubled_ = false;
  FILE* standard_[3]{};
  std::mutex guard_;  ///< as the C library keeps its list while it writes all
  std::set<FILE*> others_;
};

// The locale of a rank (setlocale(3)): that of its threads.

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

// Random numbers of the C library: random(3), rand(3), drand48(3).

/// As in a process that has just begun.
struct Random {
  Random() { initstate_r(1, state, sizeof state, &data); }
  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;

  platform::SpinLock guard;  ///< threads of a rank share its numbers
  random_data data{};
  char state[128]{};
  drand48_data data48{};
};

// Options of a command: getopt(3) with the extensions of GNU. The C library keeps where it is in variables of which
// only some can be reached, so that a rank cannot be given its own; this does the same with a state of the caller's.

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

// Results that functions of the C library leave in memory of theirs, until the next call.

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

// Threads of a rank beside the one that runs main.

class Threads {
 public:
  void begin();
  /// @returns whether the rank ends with it: it is the last one, and main has left
  [[nodiscard]] bool end();
  /// main is left by pthread_exit(), and the rank goes on until its other threads have ended. @returns whether they
  /// have
  [[nodiscard]] bool leave_main();
  [[nodiscard]] bool main_has_left();
  /// Whether the caller is the last one of a rank whose main has left.
  [[nodiscard]] bool only_caller_left();

  // Keys of variables of threads (pthread_key_create). A thread that ends has the functions called that were given with
  // them, but not a process that ends, as a rank does when main returns.
  void add_key(pthread_key_t key);
  void remove_key(pthread_key_t key);
  /// Takes from the calling thread what it has by them.
  void forget_keys();

 private:
  std::mutex guard_;
  int running_ = 0;
  bool main_left_ = false;
  std::set<pthread_key_t> keys_;
};

// Libraries that a rank loads while it runs (dlopen(3)).

struct Process;

class Plugins {
 public:
  explicit Plugins(Process& own) : own_(own) {}
  Plugins(const Plugins&) = delete;
  Plugins& operator=(const Plugins&) = delete;

  /// Once the program is loaded. @param wishes, arguments  stay as they are. The arguments are main's, as constructors
  /// of libraries are given them.
  void begin(const Wishes& wishes, int words, char** arguments);

  /// As dlopen, dlsym and dladdr. What ranks share is loaded for all. @param caller  an address in the file that calls
  void* open(const char* name, int flags, const void* caller);
  void* symbol(void* handle, const char* name);
  int about(const void* address, Dl_info* info);
  /// Whether the handle is one of a rank's copy.
  [[nodiscard]] bool has(void* handle);

  /// What the program and its libraries call in place of the C library's.
  [[nodiscard]] static std::span<const OwnFunction> functions();

 private:
  [[nodiscard]] std::optional<std::string> find(const std::string& name, const void* caller) const;
  void* load(const std::string& path, int flags);
  /// What all that is loaded finds of this name; nullptr: the rank has nothing.
  [[nodiscard]] void* find_own(const char* symbol) const;

  Process& own_;
  const Wishes* wishes_ = nullptr;
  int words_ = 0;
  char** arguments_ = nullptr;
  std::recursive_mutex guard_;  ///< as the loader has one: constructors may load something
  std::vector<CopiedFile> files_;
  std::vector<Twin> twins_;
  std::vector<void*> global_;  ///< handles of those that all later ones find (RTLD_GLOBAL)
  std::set<std::string> names_;
};

// The rank with all of these.

/// A function that is registered to be called at the end.
struct LastCall {
  void (*function)(void*, int status);
  void* argument;
};

struct Process {
  Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Loaded program;
  int rank = 0;              ///< in MPI_COMM_WORLD
  int status = 0;            ///< once it has ended
  pthread_t thread{};        ///< that runs main
  std::latch over{1};        ///< of the rank
  std::jmp_buf beginning{};  ///< of this thread, where exit() returns to: a process that exits unwinds nothing

  Variables variables;
  Environment environment{variables};
  Streams streams;
  Random random;
  OptionScan options;
  Results results;
  Locale locale;
  Threads threads;
  Plugins plugins{*this};
  std::mutex critical;      ///< OpenMP's section without a name
  bool moves_alone = true;  ///< has a working directory and a mask of permissions of its own

  std::mutex guard;  ///< of what follows
  std::vector<LastCall> at_exit;
  std::vector<LastCall> at_quick_exit;
};

/// The one of the calling thread's rank; nullptr: it is none.
inline constinit thread_local Process* current = nullptr;

/// Gives the calling thread, and those that it starts, a working directory and a mask of permissions of its own.
/// @returns whether the system lets it
[[nodiscard]] bool move_alone();

// What a program registers for its end (atexit, on_exit, destructors of static objects, at_quick_exit). A process keeps
// that in one list and calls it when it ends; here each rank has its own, which is called when the rank ends. So no
// copy's objects are destroyed while another rank still runs.

/// Whether what is at this address is in the copy of a program or of a library.
[[nodiscard]] bool is_in_a_copy(const void* address);

/// Calls what the rank registered, the last first, and also what that registers.
void call_at_exit(Process& process);
/// Destructors of the calling thread's own variables (thread_local).
void call_at_thread_end();
void call_at_quick_exit(Process& process);

// The end of a rank: exit() and its relatives end a process, and here a thread stands for one.

/// The end of the calling thread's rank by exit() or a return from main: calls what its program has registered. Comes
/// back, with the status kept, if others do not wait for the rank; otherwise the job ends.
void end_rank(int status);

/// As exit() of the program that the calling thread runs, or of the process if it runs none.
[[noreturn]] void exit_program(int status);

}  // namespace raddle::ranks
