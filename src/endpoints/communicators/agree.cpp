// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicators/agree.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "endpoints/communicators/communicator.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

using platform::must;

// No tags. After the second come the number of ranks, the ranks, and the text.
constexpr int of_all = -1;
constexpr int by_text = std::numeric_limits<int>::min();
constexpr int message_tag = 1;
// Tickets are tags of MPI_Comm_create_group, which Open MPI takes for tags of messages (docs/evidence/mpi-notes.md).
constexpr int first_ticket = 16;
constexpr int tickets = 30000;  // MPI_TAG_UB may be as low as 32767

/// In front of each message; the key follows, and so many ranks with what they gave.
struct Front {
  int news;
  int ticket;
  int key;
  int ranks;
};

template <typename Value>
void append(std::vector<std::byte>& bytes, const Value& value) {
  const auto raw = std::as_bytes(std::span(&value, 1));
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

template <typename Value>
Value next(const std::byte*& at) {
  Value value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

}  // namespace

CallKey call_of_all(int number) { return {of_all, number}; }

CallKey call_of_some(int tag, const std::vector<int>& ranks) {
  CallKey key{tag};
  key.insert(key.end(), ranks.begin(), ranks.end());
  return key;
}

CallKey call_of_some(std::string_view text, const std::vector<int>& ranks) {
  CallKey key{by_text, static_cast<int>(ranks.size())};
  key.insert(key.end(), ranks.begin(), ranks.end());
  key.insert(key.end(), text.begin(), text.end());
  return key;
}

namespace {

/// The processes that have these ranks, by seniority: in one order for all calls.
std::vector<int> processes_with(const Communicator& communicator, const std::vector<int>& ranks) {
  std::vector<int> processes;
  for (const int rank : ranks) processes.push_back(communicator.places()[static_cast<std::size_t>(rank)].process);
  std::ranges::sort(processes, {}, [&](int process) { return std::pair(communicator.seniority(process), process); });
  processes.erase(std::ranges::unique(processes).begin(), processes.end());
  return processes;
}

std::vector<int> ranks_of(const Communicator& communicator, const CallKey& key) {
  if (key.front() == by_text) return {key.begin() + 2, key.begin() + 2 + key[1]};
  if (key.front() != of_all) return {key.begin() + 1, key.end()};
  std::vector<int> all(static_cast<std::size_t>(communicator.size()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::size_t place_in(const std::vector<int>& processes, int process) {
  return static_cast<std::size_t>(std::ranges::find(processes, process) - processes.begin());
}

}  // namespace

Agreement::Agreement(const Communicator& communicator, CallKey key)
    : key_(std::move(key)),
      ranks_(ranks_of(communicator, key_)),
      processes_(processes_with(communicator, ranks_)),
      given_(ranks_.size()),
      commit_(place_in(processes_, communicator.process()), processes_.size()) {
  if (key_.front() != of_all) {
    sorted_ = ranks_;
    std::ranges::sort(sorted_);
  }
  local_ = static_cast<std::size_t>(std::ranges::count_if(ranks_, [&](int rank) {
    return communicator.places()[static_cast<std::size_t>(rank)].process == communicator.process();
  }));
}

std::size_t Agreement::index_of(int rank) const {
  if (sorted_.empty()) return static_cast<std::size_t>(rank);
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted_, rank) - sorted_.begin());
}

void Agreement::keep(int rank, const Given& given) {
  given_[index_of(rank)] = given;
  known_.push_back(rank);
}

void Agreement::end_turn() const {
  if (processes_.size() > 1 && !std::exchange(turn_ended_, true)) Turn::give_back();
}

void Agreement::finish() {
  end_turn();
  finished_.store(true, std::memory_order_release);
}

Agreement& Agreements::agreement_of(const CallKey& key) {
  std::shared_ptr<Agreement>& agreement = open_[key];
  if (!agreement) agreement.reset(new Agreement(communicator_, key));
  return *agreement;
}

Agreements::Entrance Agreements::enter(const CallKey& key, int rank, const Given& given, Newcomer& newcomer) {
  const std::lock_guard lock(guard_);
  Agreement& agreement = agreement_of(key);
  const std::shared_ptr<Agreement> kept = open_[key];
  agreement.keep(rank, given);
  agreement.newcomers_[rank] = &newcomer;
  const bool last = agreement.newcomers_.size() == agreement.local_;
  if (last) advance(agreement, [](TwoPhaseCommit& commit) { commit.come(); });
  return {kept, last};
}

bool Agreements::step(Agreement& agreement) {
  if (agreement.settled_.load(std::memory_order_acquire)) return true;
  const std::unique_lock lock(guard_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  if (!agreement.commit_.committed() && communicator_.processes() != MPI_COMM_NULL) take_in_messages();
  if (agreement.commit_.wants_lock()) ask_for_turn(agreement);
  std::erase_if(agreement.outgoing_, [](auto& message) {
    int left = 0;
    must("MPI_Test", PMPI_Test(&message.request, &left, MPI_STATUS_IGNORE));
    return left != 0;
  });
  if (!agreement.commit_.committed() || !agreement.outgoing_.empty()) return false;
  agreement.settled_.store(true, std::memory_order_release);
  return true;
}

void Agreements::take_in_messages() {
  for (;;) {
    int come = 0;
    int bytes = 0;
    MPI_Status status;
    // Nobody else receives these, so what was probed is what is received.
    must("MPI_Iprobe", PMPI_Iprobe(MPI_ANY_SOURCE, message_tag, communicator_.processes(), &come, &status));
    if (come == 0) return;
    must("MPI_Get_count", PMPI_Get_count(&status, MPI_BYTE, &bytes));
    std::vector<std::byte> got(static_cast<std::size_t>(bytes));
    must("MPI_Recv", PMPI_Recv(got.data(), bytes, MPI_BYTE, status.MPI_SOURCE, message_tag, communicator_.processes(),
                               MPI_STATUS_IGNORE));
    take_in(got);
  }
}

void Agreements::take_in(const std::vector<std::byte>& message) {
  const std::byte* at = message.data();
  const auto front = next<Front>(at);
  CallKey key(static_cast<std::size_t>(front.key));
  for (int& part : key) part = next<int>(at);
  Agreement& agreement = agreement_of(key);
  const auto news = static_cast<TwoPhaseCommit::News>(front.news);
  if (news == TwoPhaseCommit::News::prepare && front.ranks != 0) agreement.known_.clear();  // here come those of all
  for (int i = 0; i < front.ranks; ++i) {
    const int rank = next<int>(at);
    agreement.keep(rank, next<Given>(at));
  }
  if (news == TwoPhaseCommit::News::prepare) agreement.ticket_ = front.ticket;
  advance(agreement, [&](TwoPhaseCommit& commit) { commit.receive(news); });
}

void Agreements::ask_for_turn(Agreement& agreement) {
  const TwoPhaseCommit& commit = agreement.commit_;
  if (commit.is_root() && commit.aborts() != 0 && std::chrono::steady_clock::now() < agreement.not_before_) return;
  if (commit.is_root() && agreement.ticket_ == 0) {
    const auto all = static_cast<unsigned>(communicator_.process_count());
    const unsigned number = tickets_++ * all + static_cast<unsigned>(communicator_.process());
    agreement.ticket_ = first_ticket + static_cast<int>(number % tickets);
  }
  const TwoPhaseCommit::Answer answer = Turn::ask(&agreement);
  advance(agreement, [&](TwoPhaseCommit& its) { its.answer(answer); });
}

/// What follows from an event: messages, and the end of the turn or of the call.
template <typename Event>
void Agreements::advance(Agreement& agreement, Event&& event) {
  TwoPhaseCommit& commit = agreement.commit_;
  const bool had_turn = commit.has_lock();
  event(commit);
  if (had_turn && !commit.has_lock()) {
    Turn::give_back();
    agreement.not_before_ = std::chrono::steady_clock::now() + TwoPhaseCommit::pause_after(commit.aborts());
  }
  if (commit.committed() && commit.has_lock()) Turn::commit(&agreement);
  for (const TwoPhaseCommit::Message& message : commit.take_messages())
    send(message.news, agreement.processes_[message.to], agreement);
  if (commit.committed()) complete(agreement);
}

void Agreements::send(TwoPhaseCommit::News news, int process, Agreement& agreement) {
  using News = TwoPhaseCommit::News;
  // Who is prepared knows what all have given, from the first try.
  const bool tells_given = news == News::gathered || (news == News::prepare && agreement.commit_.aborts() == 0);
  auto& message = agreement.outgoing_.emplace_back();
  const auto front = Front{static_cast<int>(news), agreement.ticket_, static_cast<int>(agreement.key_.size()),
                           tells_given ? static_cast<int>(agreement.known_.size()) : 0};
  append(message.bytes, front);
  for (const int part : agreement.key_) append(message.bytes, part);
  for (int i = 0; i < front.ranks; ++i) {
    const int rank = agreement.known_[static_cast<std::size_t>(i)];
    append(message.bytes, rank);
    append(message.bytes, agreement.given(rank));
  }
  must("MPI_Isend", PMPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, process,
                               message_tag, communicator_.processes(), &message.request));
}

/// A call of the same ranks may come again under the same key: by then this one is not open any more.
void Agreements::complete(Agreement& agreement) { open_.erase(agreement.key_); }

}  // namespace raddle::endpoints
