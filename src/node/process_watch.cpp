// SPDX-License-Identifier: BSD-3-Clause

#include "node/process_watch.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <utility>

namespace raddle::node {
namespace {

constexpr long pidfd_open = 434;  // the same on all architectures; the C library may be older than the system

struct State {
  char letter = '?';
  long threads = 0;
  std::uint64_t started = 0;
};

/// As proc(5) describes /proc/PID/stat; nothing if it cannot be read.
std::optional<State> state_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const std::size_t name_end = line.rfind(')');  // the name may hold blanks and brackets
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  State state;
  std::string skipped;
  fields >> state.letter;                                      // field 3
  for (int field = 4; field < 20; ++field) fields >> skipped;  // NOLINT(bugprone-unused-return-value)
  fields >> state.threads >> skipped >> state.started;         // 20 and 22
  if (!fields) return std::nullopt;
  return state;
}

bool exists(pid_t pid) { return kill(pid, 0) == 0 || errno != ESRCH; }

/// Whether the pid is another process's by now. What cannot be known is taken for the same process.
bool reused(const ProcessId& process, const std::optional<State>& state) {
  return state && process.started != 0 && state->started != process.started;
}

bool has_ended(const ProcessId& process) {
  if (process.pid == 0) return false;
  const auto state = state_of(process.pid);
  if (!state) return !exists(process.pid);
  // A process whose first thread has ended looks like a dead one, but has others.
  const bool dead = state->letter == 'X' || (state->letter == 'Z' && state->threads <= 1);
  return dead || reused(process, state);
}

}  // namespace

ProcessId this_process() {
  static std::mutex guard;
  static ProcessId known;  // until a fork
  const std::lock_guard lock(guard);
  if (const pid_t own = getpid(); known.pid != own) {
    const auto state = state_of(own);
    known = {own, state ? state->started : 0};
  }
  return known;
}

ProcessWatch::ProcessWatch(std::span<const ProcessId> processes, Means means)
    : processes_(processes.begin(), processes.end()) {
  if (means == Means::pidfd && !open_all()) close_all();
}

ProcessWatch::~ProcessWatch() { close_all(); }

/// @returns false if the system has no such files, or no more of them
bool ProcessWatch::open_all() {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    const long file = syscall(pidfd_open, processes_[i].pid, 0);
    if (file < 0 && errno != ESRCH) return false;
    files_.push_back({static_cast<int>(file), POLLIN, 0});
    // From here on the file stands for whoever has the pid now.
    if (file < 0 || reused(processes_[i], state_of(processes_[i].pid))) gone_.push_back(i);
  }
  return true;
}

void ProcessWatch::close_all() {
  for (const pollfd& file : files_) {
    if (file.fd >= 0) close(file.fd);
  }
  files_.clear();
}

void ProcessWatch::forget(std::size_t index) {
  processes_[index].pid = 0;
  if (!files_.empty()) {
    pollfd& file = files_[index];
    if (file.fd >= 0) close(file.fd);
    file = {-1, POLLIN, 0};  // poll() passes over it
  }
  std::erase(gone_, index);
}

std::optional<std::size_t> ProcessWatch::ended() {
  if (!gone_.empty()) return gone_.front();
  if (files_.empty()) {
    const auto found = std::ranges::find_if(processes_, has_ended);
    if (found != processes_.end()) gone_.push_back(static_cast<std::size_t>(found - processes_.begin()));
  } else if (poll(files_.data(), files_.size(), 0) > 0) {  // a failure is one of the moment: the next look tells
    const auto found = std::ranges::find_if(files_, [](const pollfd& file) { return file.revents != 0; });
    gone_.push_back(static_cast<std::size_t>(found - files_.begin()));
  }
  return gone_.empty() ? std::nullopt : std::optional(gone_.front());
}

Departures::Departures(std::byte* shared, std::size_t processes, std::size_t self)
    : presence_(reinterpret_cast<Presence*>(shared), processes), self_(self) {}

void Departures::watch(std::vector<ProcessId> processes) { processes_ = std::move(processes); }

std::optional<std::size_t> Departures::lost() {
  if (processes_.empty()) return std::nullopt;
  if (!watch_) watch_.emplace(processes_);
  while (const std::optional<std::size_t> ended = watch_->ended()) {
    if (presence_[*ended].left.load(std::memory_order_acquire) == 0) return ended;
    watch_->forget(*ended);
  }
  return std::nullopt;
}

void Departures::leave() { presence_[self_].left.store(1, std::memory_order_release); }

const std::uint64_t& own_number() {
  static const std::uint64_t own = [] {
    std::random_device random;
    return (std::uint64_t{random()} << 32U) | random();
  }();
  return own;
}

}  // namespace raddle::node
