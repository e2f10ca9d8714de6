// SPDX-License-Identifier: BSD-3-Clause
// Physical limit of a ping-pong: one cache line there and back; payloads beyond the line are read once, straight from
// the memory of the other side.
#include "declared/latency.hpp"

#include <atomic>
#include <cstring>

#include "core/buffer.hpp"
#include "core/loops.hpp"
#include "core/registry.hpp"
#include "core/spin.hpp"
#include "declared/concurrent_latency.hpp"
#include "declared/ep_overhead.hpp"
#include "declared/rma_put.hpp"
#include "probe/shared_arm.hpp"

namespace raddle::bench::probe {
namespace {

constexpr std::size_t inline_bytes = line - sizeof(std::uint64_t);

/// A line that one side writes and the other polls: sequence number and, if it fits, the payload.
struct alignas(line) Mailbox {
  std::atomic<std::uint64_t> sequence{0};
  std::byte payload[inline_bytes];
};

struct FlowMemory {
  explicit FlowMemory(const Work& work) : ping_out(work.bytes, 1), pong_out(work.bytes, 1) {}
  Mailbox ping;
  Mailbox pong;
  Slots ping_out;
  Slots pong_out;
};

class PingPong final : public RoundTrips<PingPong> {
 public:
  PingPong(FlowMemory& shared, const Seat& seat, const Work& work)
      : RoundTrips(seat),
        bytes_(static_cast<std::size_t>(work.bytes)),
        out_(sends() ? shared.ping : shared.pong),
        in_(sends() ? shared.pong : shared.ping),
        out_buffer_(sends() ? shared.ping_out[0] : shared.pong_out[0]),
        theirs_(sends() ? shared.pong_out[0] : shared.ping_out[0]),
        in_buffer_(work.bytes, 1) {}

  Validation validate() override {
    Validation result;
    fill(out_buffer_, own_content(), 1);
    in_buffer_.clear();
    round();
    compare(in_buffer_[0], content_of_other(), 1, result);
    return result;
  }

 private:
  friend class RoundTrips<PingPong>;

  void round() {
    if (sends()) post();
    take();
    if (!sends()) post();
  }
  void post() {
    if (bytes_ <= inline_bytes) std::memcpy(out_.payload, out_buffer_.data(), bytes_);
    out_.sequence.store(++posted_, std::memory_order_release);
  }
  void take() {
    ++taken_;
    spin_until([&] { return in_.sequence.load(std::memory_order_acquire) == taken_; }, patient);
    std::memcpy(in_buffer_[0].data(), bytes_ <= inline_bytes ? in_.payload : theirs_.data(), bytes_);
  }

  const std::size_t bytes_;
  Mailbox& out_;
  Mailbox& in_;
  std::span<std::byte> out_buffer_;
  std::span<std::byte> theirs_;  ///< the other side's out_buffer_: read in place, as one copy at most would
  Slots in_buffer_;
  std::uint64_t posted_ = 0;
  std::uint64_t taken_ = 0;
};

Method ping_pong() {
  return {.kind = Kind::time,
          .work_per_operation = there_and_back,
          .min_sample_seconds = 20e-6,
          .arm = [](const std::string&, const Team& team, const Work& work) -> std::unique_ptr<Arm> {
            if (work.params.contains("partner") && work.word("partner") == "self")
              throw Unavailable("a message to oneself crosses nothing: only a pair has a limit");
            return std::make_unique<SharedArm<FlowMemory, PingPong>>(team, work);
          }};
}

const Register latency(Benchmark{declared::latency(), ping_pong()});
const Register concurrent_latency(Benchmark{declared::concurrent_latency(), ping_pong()});
const Register ep_overhead(Benchmark{declared::ep_overhead(), ping_pong()});
const Register rma_put(Benchmark{declared::rma_put(), ping_pong()});

}  // namespace
}  // namespace raddle::bench::probe
