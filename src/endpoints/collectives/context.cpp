// SPDX-License-Identifier: BSD-3-Clause

#include "endpoints/collectives/context.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "endpoints/collectives/collective.hpp"
#include "endpoints/communicators/communicator.hpp"
#include "platform/must.hpp"
#include "platform/spin_lock.hpp"

namespace raddle::endpoints::collectives {
namespace {

constexpr std::size_t least_of_a_lane = std::size_t{128} * 1024;  // less is not worth another call of the MPI
constexpr std::size_t most_of_a_piece = std::size_t{1} << 30U;    // counts of the MPI are int
constexpr std::uint64_t any = ~std::uint64_t{0};                  // of the numbers of collectives

/// What somebody may still write to, and nobody tells when not any more: it stays until the process ends. Any thread.
template <typename Memory>
void keep(Memory&& memory) {
  static auto& kept = *new std::deque<std::remove_cvref_t<Memory>>;
  static platform::SpinLock guard;
  const std::lock_guard lock(guard);
  kept.push_back(std::forward<Memory>(memory));
}

}  // namespace

Context::Context(const Communicator& communicator) : Context(communicator, communicator.processes(), false) {}

Context::Context(const Communicator& communicator, MPI_Comm processes)
    : Context(communicator, processes, processes != MPI_COMM_NULL) {}

Context::Context(const Communicator& communicator, MPI_Comm processes, bool own)
    : communicator_(communicator),
      processes_(processes),
      own_processes_(own),
      name_(name_of(processes)),
      meeting_(static_cast<int>(communicator.own_ranks().size())) {
  lanes_.emplace_back().comm = processes_;
  if (alone()) return;
  int provided = MPI_THREAD_SINGLE;
  platform::must("MPI_Query_thread", PMPI_Query_thread(&provided));
  level_suffices_ = provided >= MPI_THREAD_MULTIPLE || meeting_.seats() == 1;
}

Context::~Context() {
  // What the MPI has begun writes there if it ends after all.
  if (abandoned()) {
    for (Exchanged& one : exchanged_) keep(std::move(static_cast<Exchanging&>(one)));
  }
  if (own_processes_ && !abandoned()) platform::regardless(PMPI_Comm_free(&processes_));
}

void Context::use_lanes(std::span<const MPI_Comm> comms) {
  for (const MPI_Comm comm : comms) lanes_.emplace_back().comm = comm;
}

std::size_t Context::pieces(std::size_t bytes) const {
  const std::size_t for_lanes = std::min(lanes_.size(), bytes / least_of_a_lane);
  return std::max({std::size_t{1}, for_lanes, (bytes + most_of_a_piece - 1) / most_of_a_piece});
}

std::byte* Context::room(std::uint64_t number) {
  std::call_once(rooms_made_,
                 [this] { rooms_ = std::make_unique<platform::ZeroedArray<std::byte>>(rooms * room_bytes); });
  return &(*rooms_)[number % rooms * room_bytes];
}

void Context::meet_on_node(std::byte* memory, std::vector<pid_t> processes) {
  node_meeting_.emplace(communicator_.size(), memory, std::move(processes));
  for (const int rank : communicator_.own_ranks()) node_meeting_->make_place(rank);
}

Collective* Context::ready(std::uint64_t number) {
  for (int index = 0; index < meeting_.seats(); ++index) {
    // Who has finished may be gone, and the seat belongs to a later number then.
    if (!meeting_.has_arrived(number, index)) continue;
    Collective* const part = meeting_.seat(number, index).part;
    return part->can_exchange() && part->all_alike() ? part : nullptr;
  }
  return nullptr;
}

void Context::begin() {
  const std::unique_lock lock(lock_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  if (out_of_step()) return;  // parts may be gone
  while (Collective* const part = ready(next_)) {
    Exchanged& exchange = exchanged(next_);
    exchange.requests.clear();
    exchange.number = next_;
    exchange.call = part->call_word();
    exchange.caller = part->rank();
    exchange.error = part->exchange(exchange);
    exchange.pending = exchange.requests.size();
    if (exchange.requests.empty()) exchange.complete.store(next_, std::memory_order_release);
    for (std::size_t i = 0; i < exchange.requests.size(); ++i) {
      CollectiveLane& lane = lanes_[i % lanes_.size()];
      const std::lock_guard taken(lane.lock);
      lane.under_way.push_back({next_, &exchange.requests[i]});
      lane.busy.store(true, std::memory_order_relaxed);
    }
    ++next_;
    for (const Complaints::Complaint& complaint : std::exchange(early_, {})) hear(complaint);
  }
}

bool Context::abandoned() const { return meeting_.discord().concerns(any); }

bool Context::out_of_step() const {
  return abandoned() || (node_meeting_ && node_meeting_->meeting().discord().concerns(any));
}

void Context::hear(const Complaints::Complaint& complaint) {
  if (complaint.call == 0) return meeting_.discord().tell(complaint.number, complaint.why.data());
  if (complaint.number >= next_) return early_.push_back(complaint);
  const Exchanged& own = exchanged(complaint.number);
  if (own.number != complaint.number || alike_but_length(own.call, complaint.call)) return;
  const std::string both = unlike_calls(communicator_.rank_in_group(own.caller), Call::of(own.call),
                                        communicator_.rank_in_group(complaint.rank), Call::of(complaint.call));
  meeting_.discord().tell(complaint.number, both);
}

void Context::look_across(const Collective& part) {
  constexpr unsigned patient = 64;  // looks, of the many for which a part has looked itself
  const std::unique_lock lock(lock_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  if (!complaints_) complaints_.emplace(processes_, name_, communicator_.process(), communicator_.process_count());
  for (const Complaints::Complaint& complaint : complaints_->heard()) hear(complaint);
  if (meeting_.discord().concerns(part.number()))
    complaints_->out_of_step(meeting_.discord().from(), meeting_.discord().why());
  else if (++looks_ % patient == 0 && part.number() < next_)
    complaints_->wait_in(part.number(), exchanged(part.number()).call, exchanged(part.number()).caller);
}

void Context::ask(CollectiveLane& lane) {
  if (!lane.busy.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(lane.lock, std::try_to_lock);
  if (!lock.owns_lock()) return;
  std::erase_if(lane.under_way, [&](const UnderWay& one) {
    int flag = 0;
    const int code = PMPI_Test(one.request, &flag, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && flag == 0) return false;
    Exchanged& exchange = exchanged(one.number);
    if (code != MPI_SUCCESS) exchange.error = code;
    if (exchange.pending.fetch_sub(1, std::memory_order_acq_rel) == 1)
      exchange.complete.store(one.number, std::memory_order_release);
    return true;
  });
  lane.busy.store(!lane.under_way.empty(), std::memory_order_relaxed);
}

void Context::progress(int index) {
  if (alone() || out_of_step()) return;
  begin();
  for (std::size_t i = 0; i < lanes_.size(); ++i) ask(lanes_[(static_cast<std::size_t>(index) + i) % lanes_.size()]);
}

namespace {

constexpr int tag = 3;  // what goes beside a collective has 0, agreements 1, turns 2

}  // namespace

/// Who never takes them in may be gone: the memory stays.
Complaints::~Complaints() {
  if (!sent_.empty()) keep(std::move(sent_));
}

void Complaints::send(int to, const Complaint& complaint) {
  Sent& sent = sent_.emplace_back(Sent{complaint});
  // An error here would hide the one that it is about.
  platform::regardless(
      PMPI_Isend(&sent.complaint, sizeof sent.complaint, MPI_BYTE, to, tag, processes_, &sent.request));
}

void Complaints::wait_in(std::uint64_t number, std::uint64_t call, int rank) {
  if (number <= told_) return;
  told_ = number;
  const Complaint complaint{.communicator = communicator_, .number = number, .call = call, .rank = rank};
  const int next = (self_ + 1) % count_;
  const int last = (self_ + count_ - 1) % count_;
  send(next, complaint);
  if (last != next) send(last, complaint);
}

void Complaints::out_of_step(std::uint64_t number, std::string_view why) {
  if (std::exchange(told_all_, true)) return;
  Complaint complaint{.communicator = communicator_, .number = number};
  why.copy(complaint.why.data(), complaint.why.size() - 1);
  for (int process = 0; process < count_; ++process) {
    if (process != self_) send(process, complaint);
  }
}

std::vector<Complaints::Complaint> Complaints::heard() {
  std::vector<Complaint> all;
  for (;;) {
    int come = 0;
    Complaint complaint;
    MPI_Status status;
    if (PMPI_Iprobe(MPI_ANY_SOURCE, tag, processes_, &come, &status) != MPI_SUCCESS || come == 0) break;
    // From this source: MPICH may miss one from any (MpiQuirks::misses_any_source).
    if (PMPI_Recv(&complaint, sizeof complaint, MPI_BYTE, status.MPI_SOURCE, tag, processes_, MPI_STATUS_IGNORE) !=
        MPI_SUCCESS)
      break;
    if (complaint.communicator == communicator_) all.push_back(complaint);
  }
  for (Sent& sent : sent_) {
    int left = 0;
    if (sent.request != MPI_REQUEST_NULL) platform::regardless(PMPI_Test(&sent.request, &left, MPI_STATUS_IGNORE));
  }
  while (!sent_.empty() && sent_.front().request == MPI_REQUEST_NULL) sent_.pop_front();
  return all;
}

}  // namespace raddle::endpoints::collectives
