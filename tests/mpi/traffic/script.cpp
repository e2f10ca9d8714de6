// SPDX-License-Identifier: BSD-3-Clause
#include "script.hpp"

#include <algorithm>
#include <array>

namespace raddle::traffic {
namespace {

constexpr std::size_t most_messages = 24;  // of a context in a round
constexpr std::size_t most_bytes = std::size_t{8} << 20U;
constexpr std::size_t kib = 1024;
constexpr int wide_tag = 32000;  // 32767 is the least that MPI_TAG_UB may be

/// Around the sizes at which MPIs and Raddle change how they send.
std::size_t random_bytes(Random& random) {
  static const std::vector<std::size_t> small{0,  0,  1,  4,  7,  8,  12, 13, 16, 26, 31,  32,  33,  48,  55,  56,
                                              57, 58, 59, 60, 61, 62, 63, 64, 65, 96, 128, 255, 256, 257, 500, 512};
  static const std::vector<std::size_t> middle{kib,     4 * kib,  8 * kib,  16 * kib, 2 * kib,
                                               3 * kib, 10 * kib, 13 * kib, 32 * kib};
  static const std::vector<std::size_t> large{64 * kib, 64 * kib, 100 * kib, 128 * kib, 256 * kib};
  static const std::vector<std::size_t> huge{1024 * kib, 2048 * kib, 4096 * kib};
  const std::size_t kind = random.below(1000);
  const std::size_t around = random.below(3);
  if (kind < 600) return random.pick(small);
  if (kind < 900) return random.pick(middle) + around - 1;
  return random.pick(kind < 996 ? large : huge) + around - 1;
}

Mode random_mode(bool awaited, bool to_sink, const Traffic& traffic, Random& random) {
  using enum Mode;
  static const std::vector<Mode> always{isend, isend, isend, issend, send_init, ssend_init};
  static const std::vector<Mode> with_exchange{isendrecv, isendrecv_replace};
  static const std::vector<Mode> with_receive{send, ssend, rsend, irsend, rsend_init, sendrecv, sendrecv_replace};
  static const std::vector<Mode> with_buffer{bsend, ibsend, bsend_init};
  if (to_sink && random.chance(60)) return random.chance(70) ? send : ssend;
  if (awaited && random.chance(70)) return random.pick(with_receive);
  if (traffic.buffered && random.chance(20)) return random.pick(with_buffer);
  if (!traffic.spare && RADDLE_HAVE_ISENDRECV && random.chance(20)) return random.pick(with_exchange);
  return random.pick(always);
}

}  // namespace

bool blocks(Mode mode) noexcept {
  return mode == Mode::send || mode == Mode::ssend || mode == Mode::rsend || mode == Mode::sendrecv ||
         mode == Mode::sendrecv_replace;
}

bool persistent(Mode mode) noexcept {
  return mode == Mode::send_init || mode == Mode::ssend_init || mode == Mode::bsend_init || mode == Mode::rsend_init;
}

const char* call_of(Mode mode) noexcept {
  constexpr std::array<const char*, 16> names{"MPI_Isend",      "MPI_Issend",
                                              "MPI_Send_init",  "MPI_Ssend_init",
                                              "MPI_Isendrecv",  "MPI_Isendrecv_replace",
                                              "MPI_Bsend",      "MPI_Ibsend",
                                              "MPI_Bsend_init", "MPI_Send",
                                              "MPI_Ssend",      "MPI_Rsend",
                                              "MPI_Irsend",     "MPI_Rsend_init",
                                              "MPI_Sendrecv",   "MPI_Sendrecv_replace"};
  return names[static_cast<std::size_t>(mode)];
}

int plain_tag(const Traffic& traffic, int which) noexcept {
  return traffic.first_tag + (which == 0 ? wide_tag : which);
}
int awaited_tag(const Traffic& traffic, int which) noexcept { return traffic.first_tag + plain_tags + which; }
int unsent_tag(const Traffic& traffic) noexcept { return traffic.first_tag + plain_tags + awaited_tags; }

std::size_t Round::messages() const noexcept {
  std::size_t sum = 0;
  for (const auto& list : from) sum += list.size();
  return sum;
}

std::uint64_t Round::key_of(const Message& message) const noexcept {
  return mix({key, static_cast<std::uint64_t>(message.source), static_cast<std::uint64_t>(message.dest),
              static_cast<std::uint64_t>(message.number)});
}

Round make_round(const Traffic& traffic, int number) {
  const auto contexts = static_cast<std::size_t>(traffic.contexts);
  Round round{number, mix({traffic.key, static_cast<std::uint64_t>(number)}), Signature::bytes, any, {}};
  Random random(round.key);
  round.signature = static_cast<Signature>(random.below(3));
  if (contexts > 1 && random.chance(25)) round.sink = static_cast<int>(random.below(contexts));
  const int stages = round.sink == any ? 1 + static_cast<int>(random.below(3)) : 1;
  std::size_t bytes_left = most_bytes;
  for (std::size_t source = 0; source < contexts; ++source) {
    std::vector<Message>& list = round.from.emplace_back();
    if (static_cast<int>(source) == round.sink) continue;
    std::vector<int> numbers(contexts, 0);
    const auto count = static_cast<int>(1 + random.below(most_messages));
    for (int i = 0; i < count; ++i) {
      // A persistent request can be started again only for a message of the same shape.
      if (i > 0 && persistent(list.back().mode) && random.chance(40)) {
        Message again = list.back();
        again.number = numbers[static_cast<std::size_t>(again.dest)]++;
        again.stage = i * stages / count;
        list.push_back(again);
        continue;
      }
      const std::size_t dest = round.sink == any ? random.below(contexts) : static_cast<std::size_t>(round.sink);
      const bool awaited = random.chance(30);
      const int tag = awaited ? awaited_tag(traffic, static_cast<int>(random.below(awaited_tags)))
                              : plain_tag(traffic, static_cast<int>(random.below(plain_tags)));
      std::size_t bytes = random_bytes(random);
      if (bytes > bytes_left) bytes %= 100;
      if (traffic.spare && round.signature == Signature::mixed) bytes %= 1000;
      bytes_left -= std::min(bytes, bytes_left);
      list.push_back({static_cast<int>(source), static_cast<int>(dest), tag, numbers[dest]++,
                      bytes / unit_bytes(round.signature), random_mode(awaited, round.sink != any, traffic, random),
                      awaited, i * stages / count});
    }
  }
  return round;
}

}  // namespace raddle::traffic
