// SPDX-License-Identifier: BSD-3-Clause
// Operations beside the traffic, which must neither disturb it nor be disturbed.
#include <utility>

#include "context.hpp"
#include "core/text.hpp"

namespace raddle::traffic {

void Context::extra() {
  switch (random_.below(4)) {
    case 0:
      return post_unmatched();
    case 1:
      return random_.chance(50) ? start_native(MPI_COMM_SELF, 0) : start_native(MPI_COMM_WORLD, place_.process);
    case 2:
      return talk_to_nobody();
    default:
      return peek();
  }
}

/// A receive for a tag that nobody sends, to be cancelled; or one that is there is cancelled.
void Context::post_unmatched() {
  for (Pending& pending : pending_) {
    if (pending.kind != Kind::unmatched || random_.chance(50)) continue;
    cancel_unmatched(pending);
    std::erase_if(pending_, [](const Pending& p) { return p.done; });
    return;
  }
  Pending pending{Kind::unmatched};
  const auto contexts = static_cast<std::size_t>(traffic_.contexts);
  const int source = random_.chance(50) ? MPI_ANY_SOURCE : static_cast<int>(random_.below(contexts));
  enter("MPI_Irecv", source, unsent_tag(traffic_));
  check(MPI_Irecv(nullptr, 0, MPI_BYTE, source, unsent_tag(traffic_), place_.comm, &pending.request), "MPI_Irecv");
  pending_.push_back(pending);
}

void Context::cancel_unmatched(Pending& pending) {
  MPI_Status status;
  int cancelled = 0;
  enter("MPI_Cancel", -1, unsent_tag(traffic_));
  check(MPI_Cancel(&pending.request), "MPI_Cancel");
  check(MPI_Wait(&pending.request, &status), "MPI_Wait");
  MPI_Test_cancelled(&status, &cancelled);
  demand(cancelled != 0, "a receive for a tag that nobody sends was not cancelled");
  demand(pending.request == MPI_REQUEST_NULL, "a cancelled request is still there");
  pending.done = true;
}

/// A word to itself on a communicator of the MPI, for arrays of mixed requests.
void Context::start_native(MPI_Comm comm, int rank) {
  int* word = &words_.emplace_back(-1);
  Pending in{Kind::native};
  in.word = word;
  enter("MPI_Irecv on a native communicator");
  check(MPI_Irecv(word, 1, MPI_INT, rank, place_.thread, comm, &in.request), "MPI_Irecv");
  Pending out{Kind::native};
  check(MPI_Isend(&place_.thread, 1, MPI_INT, rank, place_.thread, comm, &out.request), "MPI_Isend");
  pending_.push_back(in);
  pending_.push_back(out);
}

void Context::talk_to_nobody() {
  enter("MPI_PROC_NULL");
  const int tag = plain_tag(traffic_, 0);
  char byte = 'x';
  MPI_Status status;
  MPI_Request request = MPI_REQUEST_NULL;
  int flag = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  switch (random_.below(7)) {
    case 0:
      return check(MPI_Send(&byte, 1, MPI_CHAR, MPI_PROC_NULL, tag, place_.comm), "MPI_Send");
    case 1:
      check(MPI_Issend(&byte, 1, MPI_CHAR, MPI_PROC_NULL, tag, place_.comm, &request), "MPI_Issend");
      return check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    case 2:
      check(MPI_Recv(&byte, 1, MPI_CHAR, MPI_PROC_NULL, tag, place_.comm, &status), "MPI_Recv");
      break;
    case 3:
      check(MPI_Irecv(&byte, 1, MPI_CHAR, MPI_PROC_NULL, tag, place_.comm, &request), "MPI_Irecv");
      check(MPI_Wait(&request, &status), "MPI_Wait");
      break;
    case 4:
      check(MPI_Probe(MPI_PROC_NULL, tag, place_.comm, &status), "MPI_Probe");
      break;
    case 5:
      check(MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, place_.comm, &flag, &status), "MPI_Iprobe");
      demand(flag != 0, "MPI_Iprobe waits for nobody");
      break;
    default:
      check(MPI_Mprobe(MPI_PROC_NULL, tag, place_.comm, &message, &status), "MPI_Mprobe");
      demand(message == MPI_MESSAGE_NO_PROC, "MPI_Mprobe found a message of nobody");
      check(MPI_Mrecv(&byte, 1, MPI_CHAR, &message, &status), "MPI_Mrecv");
  }
  demand(byte == 'x', "nobody sent something");
  check_nobody(status, "a call with MPI_PROC_NULL");
}

void Context::check_nobody(const MPI_Status& status, const char* call) {
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  demand(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && count == 0,
         bench::text(call, " received from nobody: source ", status.MPI_SOURCE, ", tag ", status.MPI_TAG, ", count ",
                     count));
}

void Context::check_empty(const MPI_Status& status, const char* call) {
  int count = -1;
  int cancelled = 1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  MPI_Test_cancelled(&status, &cancelled);
  demand(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && count == 0 && cancelled == 0,
         bench::text(call, " gave a null request a status that is not empty: source ", status.MPI_SOURCE, ", tag ",
                     status.MPI_TAG, ", count ", count));
}

}  // namespace raddle::traffic
