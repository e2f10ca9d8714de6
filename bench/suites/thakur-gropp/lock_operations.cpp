// SPDX-License-Identifier: BSD-3-Clause
// T1 of Thakur and Gropp without noise: locks and instructions of one message at each thread level
// (docs/evidence/thakur-gropp.md). Only the two calls are counted, not the polling for a message that is still on its
// way.
#include "declared/lock_operations.hpp"

#include "mpi/benchmark.hpp"
#include "mpi/ping_pong.hpp"
#include "suites/thakur-gropp/instructions.hpp"
#include "suites/thakur-gropp/level.hpp"

/// Of the preloaded library (bench/counter); null without it.
extern "C" __attribute__((weak)) std::uint64_t raddle_locks_taken();

namespace raddle::bench {
namespace {

class CountedPingPong final : public PingPong {
 public:
  using PingPong::PingPong;

  Span sample(std::int64_t iterations) override {
    locks_ = instructions_ = 0;
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) {
      if (sends()) count([&] { channel().send(out()); });
      while (!channel().arrived()) {
      }
      count([&] { channel().receive(in()); });
      if (!sends()) count([&] { channel().send(out()); });
    }
    // One send and one receive are one message.
    const double messages = static_cast<double>(iterations);
    per_message_[0] = static_cast<double>(locks_) / messages;
    if (counter_.works()) per_message_[1] = static_cast<double>(instructions_) / messages;
    return {begin, now()};
  }

  [[nodiscard]] Readings readings() const override { return per_message_; }

 private:
  template <typename Call>
  void count(Call&& call) {
    const std::uint64_t locks = raddle_locks_taken();
    const std::uint64_t instructions = counter_.count();
    call();
    instructions_ += counter_.count() - instructions;
    locks_ += raddle_locks_taken() - locks;
  }

  InstructionCounter counter_;
  std::uint64_t locks_ = 0;
  std::uint64_t instructions_ = 0;
  Readings per_message_ = no_readings;
};

std::unique_ptr<Arm> lock_arm(const std::string& variant, const Team& team, const Work& work) {
  if (raddle_locks_taken == nullptr) {
    throw Unavailable("the library that counts locks is not preloaded (libraddle_locks.so)");
  }
  return levelled_arm<CountedPingPong>(variant, team, work);
}

const Register lock_operations(Benchmark{
    declared::lock_operations(), {.kind = Kind::reading, .arm = lock_arm, .readings = {{"locks"}, {"instructions"}}}});

}  // namespace
}  // namespace raddle::bench
