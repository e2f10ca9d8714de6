// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/agree.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

#include "endpoints/communicator.hpp"

namespace raddle::endpoints {
namespace {

constexpr int of_all = -1;  // no tag
constexpr int message_tag = 1;
constexpr int tickets = 30000;  // MPI_TAG_UB may be as low as 32767

/// In front of each message; the key follows, and so many ranks with what they gave.
struct Front {
  int from;
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

Agreement::Agreement(const Communicator& communicator, const CallKey& key) {
  if (key.front() == of_all) {
    ranks_.resize(static_cast<std::size_t>(communicator.size()));
    std::iota(ranks_.begin(), ranks_.end(), 0);
  } else {
    ranks_.assign(key.begin() + 1, key.end());
  }
  for (const int rank : ranks_) {
    const int process = communicator.places()[static_cast<std::size_t>(rank)].process;
    processes_.push_back(process);
    if (process == communicator.process()) ++local_;
  }
  std::ranges::sort(processes_);
  processes_.erase(std::ranges::unique(processes_).begin(), processes_.end());
}

Agreement& Agreements::agreement_of(const CallKey& key) {
  std::shared_ptr<Agreement>& agreement = open_[key];
  if (!agreement) agreement.reset(new Agreement(communicator_, key));
  return *agreement;
}

Agreements::Entry Agreements::enter(const CallKey& key, int rank, const Given& given, Newcomer& newcomer) {
  const std::lock_guard lock(guard_);
  Agreement& agreement = agreement_of(key);
  const std::shared_ptr<Agreement> kept = open_[key];
  agreement.given_[rank] = given;
  agreement.newcomers_[rank] = &newcomer;
  const bool last = agreement.newcomers_.size() == agreement.local_;
  advance(key, agreement);
  return {kept, last};
}

bool Agreements::step(Agreement& agreement) {
  if (agreement.settled_.load(std::memory_order_acquire)) return true;
  const std::unique_lock lock(guard_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  if (!agreement.known_ && communicator_.processes() != MPI_COMM_NULL) take_in_messages();
  std::erase_if(agreement.outgoing_, [](auto& message) {
    int left = 0;
    PMPI_Test(&message.request, &left, MPI_STATUS_IGNORE);
    return left != 0;
  });
  if (!agreement.known_ || !agreement.outgoing_.empty()) return false;
  agreement.settled_.store(true, std::memory_order_release);
  return true;
}

void Agreements::take_in_messages() {
  for (;;) {
    int come = 0;
    int bytes = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    PMPI_Improbe(MPI_ANY_SOURCE, message_tag, communicator_.processes(), &come, &message, &status);
    if (come == 0) return;
    PMPI_Get_count(&status, MPI_BYTE, &bytes);
    std::vector<std::byte> got(static_cast<std::size_t>(bytes));
    PMPI_Mrecv(got.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
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
  if (front.from == agreement.processes_.front()) {
    agreement.ticket_ = front.ticket;
    complete(key, agreement);
  } else {
    advance(key, agreement);
  }
}

void Agreements::advance(const CallKey& key, Agreement& agreement) {
  const int collector = agreement.processes_.front();
  if (agreement.newcomers_.size() < agreement.local_) return;
  if (collector != communicator_.process()) {
    if (!agreement.told_) send(collector, key, agreement);
    agreement.told_ = true;
    return;
  }
  if (agreement.given_.size() < agreement.ranks_.size()) return;
  const auto all = static_cast<unsigned>(communicator_.process_count());
  agreement.ticket_ = static_cast<int>((tickets_++ * all + static_cast<unsigned>(collector)) % tickets);
  for (const int process : agreement.processes_) {
    if (process != collector) send(process, key, agreement);
  }
  complete(key, agreement);
}

void Agreements::send(int process, const CallKey& key, Agreement& agreement) {
  auto& message = agreement.outgoing_.emplace_back();
  append(message.bytes, Front{communicator_.process(), agreement.ticket_, static_cast<int>(key.size()),
                              static_cast<int>(agreement.given_.size())});
  for (const int part : key) append(message.bytes, part);
  for (const auto& [rank, given] : agreement.given_) {
    append(message.bytes, rank);
    append(message.bytes, given);
  }
  PMPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, process, message_tag,
             communicator_.processes(), &message.request);
}

/// A call of the same ranks may come again under the same key: by then this one is not open any more.
void Agreements::complete(const CallKey& key, Agreement& agreement) {
  const std::shared_ptr<Agreement> kept = open_[key];
  open_.erase(key);
  agreement.known_ = true;
}

}  // namespace raddle::endpoints
