// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <mutex>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace {

using raddle::ranks::current;
using raddle::ranks::Random;

/// What a function of drand48's family gives that has a form with a state of the caller's.
template <typename Result, typename Draw>
Result draw(Draw&& by) {
  Random& own = current->random;
  const std::lock_guard lock(own.guard);
  Result result{};
  by(own.data48, result);
  return result;
}

std::int32_t draw_random() {
  Random& own = current->random;
  const std::lock_guard lock(own.guard);
  std::int32_t result = 0;
  random_r(&own.data, &result);
  return result;
}

void seed_random(unsigned seed) {
  Random& own = current->random;
  const std::lock_guard lock(own.guard);
  srandom_r(seed, &own.data);
}

/// The state in use: its first word is before the one that is pointed to.
char* state_of(const random_data& data) { return reinterpret_cast<char*>(data.state - 1); }

}  // namespace

RADDLE_OWN long random() noexcept { return current == nullptr ? RADDLE_LIBC(random) : draw_random(); }
RADDLE_OWN int rand() noexcept { return current == nullptr ? RADDLE_LIBC(rand) : draw_random(); }

RADDLE_OWN void srandom(unsigned seed) noexcept {
  if (current == nullptr) return RADDLE_LIBC(srandom, seed);
  seed_random(seed);
}

RADDLE_OWN void srand(unsigned seed) noexcept {
  if (current == nullptr) return RADDLE_LIBC(srand, seed);
  seed_random(seed);
}

RADDLE_OWN char* initstate(unsigned seed, char* state, std::size_t bytes) noexcept {
  if (current == nullptr) return RADDLE_LIBC(initstate, seed, state, bytes);
  Random& own = current->random;
  const std::lock_guard lock(own.guard);
  char* const before = state_of(own.data);
  return initstate_r(seed, state, bytes, &own.data) < 0 ? nullptr : before;
}

RADDLE_OWN char* setstate(char* state) noexcept {
  if (current == nullptr) return RADDLE_LIBC(setstate, state);
  Random& own = current->random;
  const std::lock_guard lock(own.guard);
  char* const before = state_of(own.data);
  return setstate_r(state, &own.data) < 0 ? nullptr : before;
}

RADDLE_OWN double drand48() noexcept {
  if (current == nullptr) return RADDLE_LIBC(drand48);
  return draw<double>([](drand48_data& data, double& result) { drand48_r(&data, &result); });
}

RADDLE_OWN double erand48(unsigned short state[3]) noexcept {
  if (current == nullptr) return RADDLE_LIBC(erand48, state);
  return draw<double>([&](drand48_data& data, double& result) { erand48_r(state, &data, &result); });
}

RADDLE_OWN long lrand48() noexcept {
  if (current == nullptr) return RADDLE_LIBC(lrand48);
  return draw<long>([](drand48_data& data, long& result) { lrand48_r(&data, &result); });
}

RADDLE_OWN long nrand48(unsigned short state[3]) noexcept {
  if (current == nullptr) return RADDLE_LIBC(nrand48, state);
  return draw<long>([&](drand48_data& data, long& result) { nrand48_r(state, &data, &result); });
}

RADDLE_OWN long mrand48() noexcept {
  if (current == nullptr) return RADDLE_LIBC(mrand48);
  return draw<long>([](drand48_data& data, long& result) { mrand48_r(&data, &result); });
}

RADDLE_OWN long jrand48(unsigned short state[3]) noexcept {
  if (current == nullptr) return RADDLE_LIBC(jrand48, state);
  return draw<long>([&](drand48_data& data, long& result) { jrand48_r(state, &data, &result); });
}

RADDLE_OWN void srand48(long seed) noexcept {
  if (current == nullptr) return RADDLE_LIBC(srand48, seed);
  const std::lock_guard lock(current->random.guard);
  srand48_r(seed, &current->random.data48);
}

RADDLE_OWN unsigned short* seed48(unsigned short seed[3]) noexcept {
  if (current == nullptr) return RADDLE_LIBC(seed48, seed);
  const std::lock_guard lock(current->random.guard);
  seed48_r(seed, &current->random.data48);
  return current->random.data48.__old_x;
}

RADDLE_OWN void lcong48(unsigned short parameters[7]) noexcept {
  if (current == nullptr) return RADDLE_LIBC(lcong48, parameters);
  const std::lock_guard lock(current->random.guard);
  lcong48_r(parameters, &current->random.data48);
}
