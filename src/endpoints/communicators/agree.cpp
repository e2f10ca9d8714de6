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

/// What a message says.
enum class Agreements::News : int {
  given,      ///< to the first process: what the ranks of one gave
  your_turn,  ///< what all gave; all processes before this one have taken their turn
  all_ready,  ///< to the first process: the last one has taken its turn
  begin       ///< to the others, by the first one
};

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

Agreement::Agreement(const Communicator& communicator, CallKey key) : key_(std::move(key)) {
  if (key_.front() == of_all) {
    ranks_.resize(static_cast<std::size_t>(communicator.size()));
    std::iota(ranks_.begin(), ranks_.end(), 0);
  } else if (key_.front() == by_text) {
    ranks_.assign(key_.begin() + 2, key_.begin() + 2 + key_[1]);
  } else {
    ranks_.assign(key_.begin() + 1, key_.end());
  }
  for (const int rank : ranks_) {
    const int process = communicator.places()[static_cast<std::size_t>(rank)].process;
    processes_.push_back(process);
    if (process == communicator.process()) ++local_;
  }
  std::ranges::sort(processes_, {}, [&](int process) { return std::pair(communicator.seniority(process), process); });
  processes_.erase(std::ranges::unique(processes_).begin(), processes_.end());
}

void Agreement::finish() {
  if (processes_.size() > 1) Turn::give_back();
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
  agreement.given_[rank] = given;
  agreement.newcomers_[rank] = &newcomer;
  const bool last = agreement.newcomers_.size() == agreement.local_;
  advance(agreement);
  return {kept, last};
}

bool Agreements::step(Agreement& agreement) {
  if (agreement.settled_.load(std::memory_order_acquire)) return true;
  const std::unique_lock lock(guard_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  if (agreement.phase_ != Agreement::Phase::known && communicator_.processes() != MPI_COMM_NULL) take_in_messages();
  if (agreement.phase_ == Agreement::Phase::knows) ask_for_turn(agreement);
  std::erase_if(agreement.outgoing_, [](auto& message) {
    int left = 0;
    must("MPI_Test", PMPI_Test(&message.request, &left, MPI_STATUS_IGNORE));
    return left != 0;
  });
  if (agreement.phase_ != Agreement::Phase::known || !agreement.outgoing_.empty()) return false;
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
  for (int i = 0; i < front.ranks; ++i) {
    const int rank = next<int>(at);
    agreement.given_[rank] = next<Given>(at);
  }
  switch (static_cast<News>(front.news)) {
    case News::given:
      advance(agreement);
      break;
    case News::your_turn:
      agreement.ticket_ = front.ticket;
      agreement.phase_ = Agreement::Phase::knows;
      break;
    case News::all_ready:
      for (std::size_t i = 1; i + 1 < agreement.processes_.size(); ++i)
        send(News::begin, agreement.processes_[i], agreement);
      complete(agreement);
      break;
    case News::begin:
      complete(agreement);
      break;
  }
}

void Agreements::advance(Agreement& agreement) {
  const int collector = agreement.processes_.front();
  if (agreement.newcomers_.size() < agreement.local_) return;
  if (collector != communicator_.process()) {
    if (!agreement.told_) send(News::given, collector, agreement);
    agreement.told_ = true;
    return;
  }
  if (agreement.given_.size() < agreement.ranks_.size()) return;
  const auto all = static_cast<unsigned>(communicator_.process_count());
  agreement.ticket_ = first_ticket + static_cast<int>((tickets_++ * all + static_cast<unsigned>(collector)) % tickets);
  agreement.phase_ = Agreement::Phase::knows;
  if (agreement.processes_.size() == 1) complete(agreement);
}

/// Each process takes its turn after those before it: so no two calls hold what the other one waits for.
void Agreements::ask_for_turn(Agreement& agreement) {
  if (!Turn::take(&agreement)) return;
  agreement.phase_ = Agreement::Phase::has_turn;
  const std::vector<int>& processes = agreement.processes_;
  const auto self = std::ranges::find(processes, communicator_.process());
  if (self + 1 != processes.end()) return send(News::your_turn, *(self + 1), agreement);
  // What comes next from this process under the same key comes after this: the first one is done with the call then.
  send(News::all_ready, processes.front(), agreement);
  complete(agreement);
}

void Agreements::send(News news, int process, Agreement& agreement) {
  const bool tells_given = news == News::given || news == News::your_turn;
  auto& message = agreement.outgoing_.emplace_back();
  append(message.bytes, Front{static_cast<int>(news), agreement.ticket_, static_cast<int>(agreement.key_.size()),
                              tells_given ? static_cast<int>(agreement.given_.size()) : 0});
  for (const int part : agreement.key_) append(message.bytes, part);
  if (tells_given) {
    for (const auto& [rank, given] : agreement.given_) {
      append(message.bytes, rank);
      append(message.bytes, given);
    }
  }
  must("MPI_Isend", PMPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, process,
                               message_tag, communicator_.processes(), &message.request));
}

/// A call of the same ranks may come again under the same key: by then this one is not open any more.
void Agreements::complete(Agreement& agreement) {
  const auto found = open_.find(agreement.key_);
  const std::shared_ptr<Agreement> kept = std::move(found->second);
  open_.erase(found);
  agreement.phase_ = Agreement::Phase::known;
}

}  // namespace raddle::endpoints
