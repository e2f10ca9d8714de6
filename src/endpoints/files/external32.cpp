// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/files/external32.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "endpoints/datatypes/layout_read.hpp"
#include "endpoints/errors.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

std::size_t size_of(MPI_Datatype type) {
  MPI_Count bytes = 0;
  platform::must("MPI_Type_size_x", PMPI_Type_size_x(type, &bytes));
  return static_cast<std::size_t>(bytes);
}

template <std::size_t number>
bool is_one_of(MPI_Datatype type, const std::array<MPI_Datatype, number>& all) {
  return std::ranges::find(all, type) != all.end();
}

/// Named types whose words are as long in external32 as here. Those of Fortran are null where the MPI has none.
/// @returns whether it is one
bool read_named(MPI_Datatype type, Words& words) {
  const std::array single{MPI_BYTE,
                          MPI_PACKED,
                          MPI_CHAR,
                          MPI_SIGNED_CHAR,
                          MPI_UNSIGNED_CHAR,
                          MPI_C_BOOL,
                          MPI_CXX_BOOL,
                          MPI_SHORT,
                          MPI_UNSIGNED_SHORT,
                          MPI_INT,
                          MPI_UNSIGNED,
                          MPI_LONG_LONG,
                          MPI_UNSIGNED_LONG_LONG,
                          MPI_FLOAT,
                          MPI_DOUBLE,
                          MPI_INT8_T,
                          MPI_UINT8_T,
                          MPI_INT16_T,
                          MPI_UINT16_T,
                          MPI_INT32_T,
                          MPI_UINT32_T,
                          MPI_INT64_T,
                          MPI_UINT64_T,
                          MPI_AINT,
                          MPI_OFFSET,
                          MPI_COUNT,
                          MPI_CHARACTER,
                          MPI_INTEGER,
                          MPI_LOGICAL,
                          MPI_REAL,
                          MPI_DOUBLE_PRECISION,
                          MPI_INTEGER1,
                          MPI_INTEGER2,
                          MPI_INTEGER4,
                          MPI_INTEGER8,
                          MPI_REAL4,
                          MPI_REAL8};
  const std::array twofold{MPI_C_FLOAT_COMPLEX,
                           MPI_C_DOUBLE_COMPLEX,
                           MPI_CXX_FLOAT_COMPLEX,
                           MPI_CXX_DOUBLE_COMPLEX,
                           MPI_COMPLEX,
                           MPI_DOUBLE_COMPLEX,
                           MPI_2REAL,
                           MPI_2INTEGER,
                           MPI_2DOUBLE_PRECISION,
                           MPI_2INT,
                           MPI_FLOAT_INT};
  const std::size_t bytes = size_of(type);
  if (is_one_of(type, single)) {
    words = {.bytes = bytes};
  } else if (is_one_of(type, twofold)) {
    words = {.bytes = bytes / 2, .turns = 2};
  } else if (is_one_of(type, std::array{MPI_DOUBLE_INT, MPI_SHORT_INT})) {
    words = {.parts = {{.bytes = bytes - sizeof(int)}, {.bytes = sizeof(int)}}};
  } else {
    return false;
  }
  return true;
}

int unsupported() {
  return error_with(MPI_ERR_UNSUPPORTED_DATAREP,
                    "Raddle: external32, for a file of an endpoint and a datatype that is another one there");
}

Words repeated(Words words, std::size_t turns) {
  if (words.turns == 1 || words.parts.empty()) {
    words.turns *= turns;
    return words;
  }
  return {.parts = {std::move(words)}, .turns = turns};
}

template <typename Word>
void swap_each(std::span<std::byte> words) {
  for (std::size_t at = 0; at < words.size(); at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, &words[at], sizeof word);
    if constexpr (sizeof word == 2) word = __builtin_bswap16(word);
    if constexpr (sizeof word == 4) word = __builtin_bswap32(word);
    if constexpr (sizeof word == 8) word = __builtin_bswap64(word);
    std::memcpy(&words[at], &word, sizeof word);
  }
}

/// @returns the bytes behind those that words were made of
std::span<std::byte> swap_once(const Words& words, std::span<std::byte> bytes) {
  if (words.parts.empty()) {
    const std::size_t whole = std::min(words.turns, bytes.size() / words.bytes) * words.bytes;
    const std::span<std::byte> now = bytes.first(whole);
    if (words.bytes == 2) swap_each<std::uint16_t>(now);
    if (words.bytes == 4) swap_each<std::uint32_t>(now);
    if (words.bytes == 8) swap_each<std::uint64_t>(now);
    // What is left may be the begin of a word.
    return whole == words.turns * words.bytes ? bytes.subspan(whole) : std::span<std::byte>();
  }
  for (std::size_t turn = 0; turn < words.turns && !bytes.empty(); ++turn) {
    for (const Words& part : words.parts) bytes = swap_once(part, bytes);
  }
  return bytes;
}

}  // namespace

int words_of(MPI_Datatype type, Words& words) {
  const Contents made(type);
  if (made.predefined()) return read_named(type, words) ? MPI_SUCCESS : unsupported();
  if (made.combiner != MPI_COMBINER_STRUCT) {  // it has one type, some times
    if (made.types.empty()) return unsupported();
    const std::size_t each = size_of(made.types[0]);
    Words inner;
    if (const int code = words_of(made.types[0], inner); code != MPI_SUCCESS) return code;
    words = repeated(std::move(inner), each == 0 ? 0 : size_of(type) / each);
    return MPI_SUCCESS;
  }
  words = {};
  for (std::size_t i = 0; i < made.types.size(); ++i) {
    Words inner;
    if (const int code = words_of(made.types[i], inner); code != MPI_SUCCESS) return code;
    words.parts.push_back(repeated(std::move(inner), static_cast<std::size_t>(made.numbers[1 + i])));
  }
  if (words.parts.empty()) words.turns = 0;
  return MPI_SUCCESS;
}

void swap_words(const Words& words, std::span<std::byte> elements) {
  for (std::size_t left = elements.size() + 1; !elements.empty() && elements.size() < left;) {
    left = elements.size();
    elements = swap_once(words, elements);
  }
}

}  // namespace raddle::endpoints
