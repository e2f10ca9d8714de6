// SPDX-License-Identifier: BSD-3-Clause
#include "context.hpp"

#include <cstdio>
#include <thread>

#include "core/text.hpp"
#include "core/whereabouts.hpp"
#include "failure.hpp"

namespace raddle::traffic {

using bench::text;

Context::Context(const Place& place, const Traffic& traffic, const Limits& limits, Meeting& meeting)
    : place_(place),
      traffic_(traffic),
      limits_(limits),
      meeting_(meeting),
      random_(mix({traffic.key, static_cast<std::uint64_t>(place.rank), 77})) {}

void Context::run() {
  auto told = began_;
  for (bool stop = false; !stop; ++rounds_) {
    const Round script = make_round(traffic_, rounds_);
    if (place_.thread == 0) bench::Board::instance().stage(text("round ", rounds_));
    round(script);
    messages_ += script.messages();
    const auto now = std::chrono::steady_clock::now();
    if (place_.process == 0 && place_.thread == 0 && now - told > std::chrono::seconds(5)) {
      std::fprintf(stderr, "traffic: round %d, %llu messages\n", rounds_, static_cast<unsigned long long>(messages_));
      told = now;
    }
    const bool late = std::chrono::duration<double>(now - began_).count() > limits_.seconds;
    stop = meeting_.meet(place_.thread, late || messages_ >= limits_.messages, [this] { nothing_is_left(); });
    // Nobody sends before the next round's second meeting.
    nothing_is_left();
    clear();
  }
}

void Context::round(const Round& round) {
  round_ = &round;
  outgoing_ = &round.from[static_cast<std::size_t>(place_.rank)];
  next_ = 0;
  inbox_ = std::make_unique<Inbox>(round, place_.rank);
  attach();
  post_awaited();
  for (std::size_t n = random_.below(6); n > 0; --n) post_any();
  meeting_.meet(place_.thread, false, [] { std::this_thread::yield(); });
  while (!over()) step();
  for (Pending& pending : pending_) cancel_unmatched(pending);
  pending_.clear();
  enter("the meeting after a round");
  const std::string wrong = inbox_->verdict();
  if (!wrong.empty()) fail(wrong);
}

void Context::step() {
  const std::size_t choice = random_.below(100);
  if (choice < 25) return send_next();
  if (choice < 45) return static_cast<void>(post_any());
  if (choice < 55) return static_cast<void>(receive_now());
  if (choice < 62) return glance();
  if (choice < 90) return complete();
  if (choice < 94) return take_held(random_.chance(50));
  extra();
}

bool Context::over() const {
  if (!all_sent() || inbox_->missing() != 0 || !held_.empty()) return false;
  for (const Pending& pending : pending_) {
    if (pending.kind != Kind::unmatched) return false;
  }
  return true;
}

void Context::nothing_is_left() {
  int flag = 0;
  MPI_Status status;
  check(MPI_Iprobe(MPI_ANY_SOURCE, place_.shared ? unsent_tag(traffic_) : MPI_ANY_TAG, place_.comm, &flag, &status),
        "MPI_Iprobe");
  if (flag != 0)
    fail(text("all has been received, but there is a message of ", status.MPI_SOURCE, " with tag ", status.MPI_TAG));
  std::this_thread::yield();
}

void Context::clear() {
  for (Idle& idle : idle_) MPI_Request_free(&idle.request);
  for (IdleSend& idle : idle_sends_) MPI_Request_free(&idle.request);
  idle_.clear();
  idle_sends_.clear();
  if (!buffer_.empty()) {
    void* buffer = nullptr;
    int size = 0;
    check(MPI_Buffer_detach(static_cast<void*>(&buffer), &size), "MPI_Buffer_detach");
    demand(buffer == buffer_.data() && size == static_cast<int>(buffer_.size()), "another buffer was detached");
    buffer_.clear();
  }
  sendings_.clear();
  words_.clear();
  inbox_.reset();
}

void Context::enter(const char* call, int peer, int tag) {
  bench::here().enter(call, peer, tag);
  ++used_[call];
}

void Context::demand(bool fine, const std::string& otherwise) {
  if (!fine) fail(otherwise);
}

void Context::fail(const std::string& what) {
  abandon(text("seed ", limits_.seed, ", round ", round_->number, ", rank ", place_.rank, " of universe ",
               place_.universe, " (process ", place_.process, ", thread ", place_.thread, "): ", what));
}

Content Context::content(const Message& message) const {
  return {round_->key_of(message), message.units * unit_bytes(round_->signature)};
}

}  // namespace raddle::traffic
