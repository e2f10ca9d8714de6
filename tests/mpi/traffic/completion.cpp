// SPDX-License-Identifier: BSD-3-Clause
// The ways to complete operations, over arrays of all kinds of requests.
#include <algorithm>
#include <array>
#include <thread>

#include "context.hpp"
#include "core/text.hpp"
#include "core/whereabouts.hpp"
#include "mpi/error_words.hpp"

namespace raddle::traffic {
namespace {

using testing::class_of;
using testing::text_of;

enum class Way { wait, waitall, waitany, waitsome, test, testall, testany, testsome };

constexpr std::array<const char*, 8> names{"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome",
                                           "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome"};

/// What a completion call was given and has told.
struct Array {
  std::vector<MPI_Request> requests;
  std::vector<MPI_Status> statuses;
  std::vector<int> completed;  ///< places, as many as statuses in use
  bool all = false;            ///< every place counts as completed
};

/// @returns the code of the call
int call(Way way, Array& array) {
  const int n = static_cast<int>(array.requests.size());
  MPI_Request* requests = array.requests.data();
  MPI_Status* statuses = array.statuses.data();
  array.completed.resize(array.requests.size());
  int done = 0;
  int index = MPI_UNDEFINED;
  int code = MPI_SUCCESS;
  switch (way) {
    case Way::wait:
      code = MPI_Wait(requests, statuses);
      done = 1;
      index = 0;
      break;
    case Way::test:
      code = MPI_Test(requests, &done, statuses);
      index = 0;
      break;
    case Way::waitall:
      code = MPI_Waitall(n, requests, statuses);
      array.all = true;
      break;
    case Way::testall:
      code = MPI_Testall(n, requests, &done, statuses);
      array.all = done != 0;
      break;
    case Way::waitany:
      code = MPI_Waitany(n, requests, &index, statuses);
      done = 1;
      break;
    case Way::testany:
      code = MPI_Testany(n, requests, &index, &done, statuses);
      break;
    case Way::waitsome:
      code = MPI_Waitsome(n, requests, &done, array.completed.data(), statuses);
      break;
    case Way::testsome:
      code = MPI_Testsome(n, requests, &done, array.completed.data(), statuses);
      break;
  }
  if (array.all) {
    for (int i = 0; i < n; ++i) array.completed[static_cast<std::size_t>(i)] = i;
  } else if (way == Way::waitsome || way == Way::testsome) {
    array.completed.resize(done == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(done));
  } else if (done != 0 && index != MPI_UNDEFINED && way != Way::testall) {
    array.completed.assign(1, index);
  } else {
    array.completed.clear();
  }
  return code;
}

}  // namespace

bool Context::sure(const Pending& pending) const {
  const bool received = pending.receive == nullptr || pending.receive->got || inbox_->sure(*pending.receive, stage());
  const bool sent =
      pending.sending == nullptr || pending.sending->message->awaited || (all_sent() && inbox_->to_post() == 0);
  return pending.kind != Kind::unmatched && received && sent;
}

void Context::complete() {
  std::vector<Pending*> chosen;
  for (Pending& pending : pending_) chosen.push_back(&pending);
  random_.shuffle(chosen);
  if (!chosen.empty()) chosen.resize(1 + random_.below(chosen.size()));
  auto way = static_cast<Way>(random_.below(8));
  const bool one = way == Way::wait || way == Way::test;
  if (one && chosen.empty()) return;
  if (one) chosen.resize(1);
  const auto is_sure = [this](const Pending* pending) { return sure(*pending); };
  if (way == Way::waitall) std::erase_if(chosen, [&](const Pending* pending) { return !is_sure(pending); });
  // Without a receive to wait for, or with a message in hand that others may wait for, it may only test.
  const bool may_wait = held_.empty() && std::ranges::any_of(chosen, is_sure);
  if (way <= Way::waitsome && !may_wait) way = static_cast<Way>(static_cast<int>(way) + 4);
  if (!one) {
    for (std::size_t nulls = random_.below(3); nulls > 0; --nulls) chosen.push_back(nullptr);
    random_.shuffle(chosen);
  }
  Array array;
  for (const Pending* pending : chosen) array.requests.push_back(pending ? pending->request : MPI_REQUEST_NULL);
  array.statuses.resize(chosen.size() + 1);
  const char* name = names[static_cast<std::size_t>(way)];
  const auto first = std::ranges::find_if(chosen, [](const Pending* p) { return p && p->receive; });
  enter(name, first == chosen.end() ? -1 : (*first)->receive->pattern.source,
        first == chosen.end() ? 0 : (*first)->receive->pattern.tag);
  const int code = call(way, array);
  const int c = class_of(code);
  const bool many = way != Way::wait && way != Way::test && way != Way::waitany && way != Way::testany;
  demand(c == MPI_SUCCESS || (many ? c == MPI_ERR_IN_STATUS : c == MPI_ERR_TRUNCATE),
         bench::text(name, " failed: ", text_of(code)));
  for (std::size_t i = 0; i < array.completed.size(); ++i) {
    const auto at = static_cast<std::size_t>(array.completed[i]);
    demand(at < chosen.size(), bench::text(name, " told of place ", at, " in an array of ", chosen.size()));
    const MPI_Status& status = array.statuses[i];
    if (chosen[at] == nullptr) {
      demand(array.all, bench::text(name, " told of a null request"));
      check_empty(status, name);
      continue;
    }
    const int its = !many ? c : c == MPI_SUCCESS ? MPI_SUCCESS : class_of(status.MPI_ERROR);
    if (its == MPI_ERR_PENDING) continue;
    chosen[at]->request = array.requests[at];
    if (chosen[at]->receive) chosen[at]->receive->completed = name;
    settle(*chosen[at], status, its);
  }
  if (array.completed.empty()) std::this_thread::yield();
  std::erase_if(pending_, [](const Pending& pending) { return pending.done; });
}

void Context::settle(Pending& pending, const MPI_Status& status, int code) {
  pending.done = true;
  demand(pending.persistent == (pending.request != MPI_REQUEST_NULL), "a request is not as completion should leave it");
  demand(pending.kind != Kind::unmatched, "a receive got something with a tag that nobody sends");
  if (pending.peeked) {
    const Envelope got = envelope_of(status);
    demand(got.source == pending.peeked->source && got.tag == pending.peeked->tag,
           bench::text("MPI_Request_get_status told of source ", pending.peeked->source, " and tag ",
                       pending.peeked->tag, " where ", pending.receive->way, " and completion tell of ", got.source,
                       " and ", got.tag, ", error class ", code));
  }
  if (pending.word) demand(*pending.word == place_.thread, "a native receive got another word");
  if (pending.receive) settle_receive(*pending.receive, status, code);
  demand(code == MPI_SUCCESS || pending.kind == Kind::receive, bench::text("error class ", code, " for a send"));
  if (pending.sending && !(pending.receive && pending.receive->parcel == pending.sending->parcel))
    pending.sending->parcel->spoil();
  if (pending.persistent && pending.receive) {
    idle_.push_back({pending.request, pending.receive});
  } else if (pending.persistent) {
    idle_sends_.push_back({pending.request, pending.sending});
  }
  bench::Board::instance().moved();
}

void Context::settle_receive(Receive& receive, const MPI_Status& status, int code) {
  bench::Board::instance().moved();
  const int c = class_of(code);
  demand(c == MPI_SUCCESS || c == MPI_ERR_TRUNCATE,
         bench::text("receive ", describe(receive.pattern), " by ", receive.way, " failed: ", text_of(code)));
  receive.truncated = c == MPI_ERR_TRUNCATE;
  const Envelope got = envelope_of(status);
  if (receive.got) {
    demand(receive.got->source == got.source && receive.got->tag == got.tag,
           bench::text("a message of ", receive.got->source, " with tag ", receive.got->tag, " was probed, and source ",
                       got.source, " and tag ", got.tag, " came"));
  } else {
    const std::string wrong = inbox_->note(receive, got);
    demand(wrong.empty(), wrong);
  }
  if (receive.truncated) return;
  MPI_Get_count(&status, receive.parcel->layout().type(), &receive.count);
  MPI_Get_elements(&status, receive.parcel->layout().type(), &receive.elements);
  int cancelled = 1;
  MPI_Test_cancelled(&status, &cancelled);
  demand(cancelled == 0, "a receive that got something says it was cancelled");
}

void Context::peek() {
  if (pending_.empty()) return;
  Pending& pending = pending_[random_.below(pending_.size())];
  if (traffic_.spare && pending.persistent) return;
  int flag = 0;
  MPI_Status status;
  enter("MPI_Request_get_status");
  const int code = MPI_Request_get_status(pending.request, &flag, &status);
  demand(class_of(code) == MPI_SUCCESS || class_of(code) == MPI_ERR_TRUNCATE, "MPI_Request_get_status failed");
  demand(flag == 0 || pending.kind != Kind::unmatched, "a receive got something with a tag that nobody sends");
  if (flag != 0 && pending.receive) pending.peeked = envelope_of(status);
}

Envelope Context::envelope_of(const MPI_Status& status) { return {status.MPI_SOURCE, status.MPI_TAG}; }

}  // namespace raddle::traffic
