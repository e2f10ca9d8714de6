// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/complaints.hpp"

#include <utility>

#include "platform/kept.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints::collectives {
namespace {

constexpr int tag = 3;  // what goes beside a collective has 0, agreements 1, turns 2

}  // namespace

/// Who never takes them in may be gone: the memory stays.
Complaints::~Complaints() {
  if (!sent_.empty()) platform::keep(std::move(sent_));
}

void Complaints::send(int to, const Note& note) {
  Sent& sent = sent_.emplace_back(Sent{note});
  // An error here would hide the one that it is about.
  platform::regardless(PMPI_Isend(&sent.note, sizeof sent.note, MPI_BYTE, to, tag, processes_, &sent.request));
}

void Complaints::wait_in(std::uint64_t number, std::uint64_t call, int rank) {
  if (number <= told_) return;
  told_ = number;
  const Note note{.communicator = communicator_, .number = number, .call = call, .rank = rank};
  const int next = (self_ + 1) % count_;
  const int last = (self_ + count_ - 1) % count_;
  send(next, note);
  if (last != next) send(last, note);
}

void Complaints::out_of_step(std::uint64_t number, std::string_view why) {
  if (std::exchange(told_all_, true)) return;
  Note note{.communicator = communicator_, .number = number};
  why.copy(note.why.data(), note.why.size() - 1);
  for (int process = 0; process < count_; ++process) {
    if (process != self_) send(process, note);
  }
}

std::vector<Complaints::Note> Complaints::heard() {
  std::vector<Note> all;
  for (;;) {
    int come = 0;
    Note note;
    if (PMPI_Iprobe(MPI_ANY_SOURCE, tag, processes_, &come, MPI_STATUS_IGNORE) != MPI_SUCCESS || come == 0) break;
    if (PMPI_Recv(&note, sizeof note, MPI_BYTE, MPI_ANY_SOURCE, tag, processes_, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      break;
    if (note.communicator == communicator_) all.push_back(note);
  }
  for (Sent& sent : sent_) {
    int left = 0;
    if (sent.request != MPI_REQUEST_NULL) platform::regardless(PMPI_Test(&sent.request, &left, MPI_STATUS_IGNORE));
  }
  while (!sent_.empty() && sent_.front().request == MPI_REQUEST_NULL) sent_.pop_front();
  return all;
}

}  // namespace raddle::endpoints::collectives
