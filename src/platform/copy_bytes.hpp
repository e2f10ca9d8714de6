// SPDX-License-Identifier: BSD-3-Clause
// Copies between buffers that are known to be apart.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace raddle::platform {

/// As memcpy, but never slow: from some kilobytes on the C library copies with `rep movsb`, which is 15 times slower on
/// AMD Zen 3 and 4 when the target lies less than 32 bytes behind the source within a page. Pieces of 2 KiB never take
/// that way.
inline void copy_beyond_caches(std::byte* to, const std::byte* from, std::size_t bytes, bool in_pieces = false) {
  constexpr std::size_t piece = 2048;
  constexpr std::uintptr_t page = 4096;
  const std::uintptr_t behind = (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page;
  if (in_pieces || (behind > 0 && behind < 32))
    for (; bytes > piece; bytes -= piece, to += piece, from += piece) std::memcpy(to, from, piece);
  std::memcpy(to, from, bytes);
}

/// Pieces are also the quicker ones as long as all lies in a core's own caches; beyond, they cost a fifth, and twice as
/// much where another core has the lines: then copy_beyond_caches().
inline void copy_long(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t beyond_the_caches = std::size_t{128} * 1024;
  copy_beyond_caches(to, from, bytes, bytes < beyond_the_caches);
}

/// As copy_beyond_caches(), past the caches where the processor can: for a target that lies in none, whose lines would
/// only be fetched to be written over. Others see the bytes as they see what is stored the usual way.
inline void copy_past_caches(std::byte* to, const std::byte* from, std::size_t bytes) {
#ifdef __SSE2__
  constexpr std::size_t line = 64;
  constexpr std::size_t word = sizeof(__m128i);
  const std::size_t head = std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  std::memcpy(to, from, head);
  std::size_t at = head;
  for (; bytes - at >= line; at += line) {
    __m128i words[line / word];
    for (std::size_t i = 0; i < line / word; ++i)
      words[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at + i * word));
    for (std::size_t i = 0; i < line / word; ++i)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at + i * word), words[i]);
  }
  std::memcpy(to + at, from + at, bytes - at);
  _mm_sfence();  // such stores wait for no later one
#else
  copy_beyond_caches(to, from, bytes);
#endif
}

/// Clears a word of each line that lies in there as a whole: this core then has the lines alone, and who writes there
/// next fetches each in time. A line that was only read stays with its last writer as well, whose next store waits for
/// this core, line by line. Not for lines that leave the caches anyway.
inline void keep_lines(std::byte* begin, std::size_t bytes) {
  constexpr std::uintptr_t line = 64;
  const std::size_t head = (line - reinterpret_cast<std::uintptr_t>(begin) % line) % line;
  for (std::size_t at = head; at + line <= bytes; at += line) std::memset(begin + at, 0, sizeof(std::uint64_t));
}

/// So many bytes, or up to twice as many: two copies of a fixed length that overlap.
template <std::size_t length>
[[gnu::always_inline]] inline void copy_twice(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::byte first[length];
  std::byte last[length];
  std::memcpy(first, from, length);
  std::memcpy(last, from + bytes - length, length);
  std::memcpy(to, first, length);
  std::memcpy(to + bytes - length, last, length);
}

/// Copies at most this much: copy_short().
constexpr std::size_t short_bytes = 48;

/// Without a call: for what fits into an entry's first cell. Words of 8 bytes, the most frequent, are asked for first.
[[gnu::always_inline]] inline void copy_short(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes - 8 <= 8) [[likely]] {
    copy_twice<8>(to, from, bytes);
  } else if (bytes > 16) {
    if (bytes > 32) std::memcpy(to + 16, from + 16, 16);
    copy_twice<16>(to, from, bytes);
  } else if (bytes >= 4) {
    copy_twice<4>(to, from, bytes);
  } else if (bytes >= 2) {
    copy_twice<2>(to, from, bytes);
  } else if (bytes == 1) {
    *to = *from;
  }
}

/// As copy_long(), and quick where copy_short() will do.
[[gnu::always_inline]] inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes - 8 <= 8) [[likely]]
    return copy_twice<8>(to, from, bytes);
  if (bytes > short_bytes) return copy_long(to, from, bytes);
  copy_short(to, from, bytes);
}

}  // namespace raddle::platform
