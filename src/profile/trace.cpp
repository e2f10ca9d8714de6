// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "profile/memory.hpp"

namespace raddle::profile {

bool trace_is_on = false;

namespace {

constexpr std::size_t front = 4096;
constexpr std::size_t piece_bytes = 16384;
TraceArea* file = nullptr;

/// @returns nullptr: the file is full
Piece* take(Local& local) {
  if (file->taken.load(std::memory_order_relaxed) >= file->pieces) return nullptr;
  const std::uint64_t at = file->taken.fetch_add(1, std::memory_order_relaxed);
  if (at >= file->pieces) return nullptr;
  char* const begin = reinterpret_cast<char*>(file) + front + at * piece_bytes;
  if (!there(begin, piece_bytes)) return nullptr;
  auto* const piece = reinterpret_cast<Piece*>(begin);
  piece->thread = local.number + 1U;
  local.trace.next = begin + sizeof(Piece);
  local.trace.end = begin + piece_bytes;
  local.trace.piece = piece;
  return piece;
}

}  // namespace

void begin_trace(const char* profile) {
  const char* const bytes = std::getenv("_RADDLE_PROFILE_TRACE");  // NOLINT(concurrency-mt-unsafe): MPI has not begun
  const unsigned long long asked = bytes == nullptr ? 0 : std::strtoull(bytes, nullptr, 10);
  if (asked < front + piece_bytes) {
    if (bytes != nullptr && std::strcmp(bytes, "0") != 0) {
      std::fprintf(stderr, "raddle: no trace: _RADDLE_PROFILE_TRACE=%s is no number of bytes, or less than %zu\n",
                   bytes, front + piece_bytes);
    }
    return;
  }
  char name[PATH_MAX];
  if (std::snprintf(name, sizeof name, "%s.trace", profile) >= static_cast<int>(sizeof name)) return;
  const std::uint64_t pieces = (asked - front) / piece_bytes;
  const std::size_t whole = front + pieces * piece_bytes;
  const int made = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  void* mapped = MAP_FAILED;
  if (made >= 0 && ftruncate(made, static_cast<off_t>(whole)) == 0) {
    mapped = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
  }
  if (made >= 0) close(made);
  if (mapped == MAP_FAILED || !there(mapped, front)) {
    std::fprintf(stderr, "raddle: no trace: %s cannot be written\n", name);
    unlink(name);
    return;
  }
  file = static_cast<TraceArea*>(mapped);
  file->version = 1;
  file->event_bytes = sizeof(Event);
  file->piece_bytes = piece_bytes;
  file->pieces = pieces;
  std::memcpy(file->magic, trace_magic, sizeof file->magic);
  trace_is_on = true;
}

void trace(Local& local, const Event& event) {
  const bool room =
      local.trace.next != nullptr &&
      static_cast<char*>(local.trace.end) - static_cast<char*>(local.trace.next) >= static_cast<long>(sizeof event);
  if (!room && take(local) == nullptr) {
    ++local.area->trace_lost;
    return;
  }
  std::memcpy(local.trace.next, &event, sizeof event);
  local.trace.next = static_cast<char*>(local.trace.next) + sizeof event;
  ++static_cast<Piece*>(local.trace.piece)->events;
}

}  // namespace raddle::profile
