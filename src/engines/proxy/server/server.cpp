// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/server/server.hpp"

#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "engines/proxy/refusal.hpp"
#include "engines/proxy/server/bytes.hpp"
#include "platform/last_words.hpp"
#include "platform/pause.hpp"

namespace raddle::proxy {
namespace {

using namespace std::chrono_literals;

// Turns without anything to do.
constexpr std::uint64_t before_yielding = 2000;
constexpr std::uint64_t before_sleeping = 20000;
constexpr std::uint64_t before_yielding_crowded = 2;
constexpr std::uint64_t before_sleeping_crowded = 50;
/// What the MPI has under way goes on that often while nobody waits.
constexpr auto nap = 1ms;
constexpr std::uint64_t turns_between_looks = 1U << 16U;
constexpr int commands_at_once = 16;

}  // namespace

Server::Server(const Area& area, const platform::Process& process, const Options& options)
    : area_(area), options_(options), reader_(area.inbox(options.proxy)), watch_(std::span(&process, 1)) {}

void Server::serve() {
  while (!finished_) {
    const bool commands = take_commands();
    const bool ended = underway_.progress();
    if (commands || ended) {
      idle_ = 0;
    } else {
      rest();
    }
  }
  while (underway_.owes()) underway_.progress();  // messages that were sent arrive
  communicators_.free_all();
}

bool Server::take_commands() {
  bool any = false;
  for (int i = 0; i < commands_at_once; ++i) {
    const std::byte* const entry = reader_.front();
    if (entry == nullptr) break;
    Command command;  // a copy: what has been looked at cannot change
    std::memcpy(&command, entry, sizeof command);
    const std::size_t behind = reader_.bytes() - sizeof command;
    if (const char* why = refusal(command, behind, area_.heap())) {
      refuse(command, why);
    } else {
      carry_out(command, {entry + sizeof command, behind});
    }
    reader_.pop();
    any = true;
  }
  return any;
}

Answer* Server::answer_of(const Command& command) const {
  return command.answer == 0 ? nullptr : reinterpret_cast<Answer*>(area_.at(command.answer));
}

void Server::refuse(const Command& command, const char* why) {
  std::fprintf(stderr, "raddle: the proxy of endpoint %d of process %d refuses a command: %s\n", options_.proxy,
               options_.process, why);
  // Where the answer would go may be what makes no sense.
  if (command.answer != 0 && command.answer % alignof(Answer) == 0 &&
      area_.heap().contain(command.answer, sizeof(Answer)))
    tell(*answer_of(command), MPI_ERR_ARG, true);
}

void Server::carry_out(const Command& command, std::span<const std::byte> following) {
  const bool inside = (command.flags & follows) != 0;
  const std::span<const std::byte> data = inside ? following.first(command.bytes)
                                                 : std::span<const std::byte>(area_.at(command.place), command.bytes);
  switch (command.op) {
    case Op::create:
      return create(command, data);
    case Op::duplicate:
      return duplicate(command);
    case Op::free:
      if (!communicators_.free(command.comm)) refuse(command, "no such communicator");
      return;
    case Op::cancel:
      return underway_.cancel(reinterpret_cast<const Answer*>(area_.at(command.place)));
    case Op::finish:
      finished_ = true;
      return tell(*answer_of(command), MPI_SUCCESS, false);
    default:
      break;
  }
  const MPI_Comm comm = communicators_.get(command.comm, (command.flags & hidden) != 0);
  if (comm == MPI_COMM_NULL) return refuse(command, "no such communicator");
  switch (command.op) {
    case Op::send:
      return send(command, inside ? data : std::span<const std::byte>(), comm);
    case Op::receive:
    case Op::receive_taken:
      return receive(command, comm);
    case Op::probe:
    case Op::take:
      return probe(command, comm);
    default:
      return collective(command, data, comm);
  }
}

void Server::send(const Command& command, std::span<const std::byte> following, MPI_Comm comm) {
  Operation& operation = underway_.take();
  operation.answer = answer_of(command);
  operation.told = (command.flags & told) != 0;
  operation.what = "a send";
  const void* from = area_.at(command.place);
  if ((command.flags & follows) != 0) {
    operation.data.assign(following.begin(), following.end());
    from = operation.data.data();
  }
  const Bytes bytes(command.bytes);
  const auto call = (command.flags & synchronous) != 0 ? MPI_Issend : (command.flags & ready) != 0 ? MPI_Irsend
                                                                                                    : MPI_Isend;
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = call(from, bytes.count(), bytes.type(), command.peer, command.tag, comm, &request);
  underway_.begin(operation, request, code);
}

void Server::receive(const Command& command, MPI_Comm comm) {
  Operation& operation = underway_.take();
  operation.answer = answer_of(command);
  operation.told = (command.flags & told) != 0;
  operation.receives = true;
  operation.room = command.bytes;
  operation.what = "a receive";
  std::byte* room = area_.at(command.place);
  if (command.place == 0) {
    operation.into_answer = true;
    operation.data.resize(Answer::room);
    room = operation.data.data();
  }
  const Bytes bytes(command.bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_SUCCESS;
  if (command.op == Op::receive) {
    code = MPI_Irecv(room, bytes.count(), bytes.type(), command.peer, command.tag, comm, &request);
  } else if (const auto found = taken_.find(command.peer); found == taken_.end()) {
    code = MPI_ERR_ARG;
  } else {
    code = MPI_Imrecv(room, bytes.count(), bytes.type(), &found->second, &request);
    taken_.erase(found);
  }
  underway_.begin(operation, request, code);
}

void Server::probe(const Command& command, MPI_Comm comm) {
  Answer& answer = *answer_of(command);
  MPI_Status status{};
  MPI_Message message = MPI_MESSAGE_NULL;
  int flag = 0;
  const int code = command.op == Op::probe
                       ? MPI_Iprobe(command.peer, command.tag, comm, &flag, &status)
                       : MPI_Improbe(command.peer, command.tag, comm, &flag, &message, &status);
  answer.found = code == MPI_SUCCESS && flag != 0;
  answer.cancelled = false;
  if (answer.found) {
    MPI_Count bytes = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    answer.source = status.MPI_SOURCE;
    answer.tag = status.MPI_TAG;
    answer.bytes = static_cast<std::uint64_t>(bytes);
    if (command.op == Op::take) {
      const std::int32_t number = next_taken_++;
      taken_.emplace(number, message);
      std::memcpy(answer.data.data(), &number, sizeof number);
    }
  }
  tell(answer, code, true);
}

void Server::create(const Command& command, std::span<const std::byte> data) {
  std::vector<std::int32_t> ranks(data.size() / sizeof(std::int32_t));
  std::memcpy(ranks.data(), data.data(), ranks.size() * sizeof(std::int32_t));
  tell(*answer_of(command), communicators_.make(command.comm, ranks), true);
}

void Server::duplicate(const Command& command) {
  Operation& operation = underway_.take();
  operation.answer = answer_of(command);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = communicators_.duplicate(command.comm, static_cast<std::uint32_t>(command.peer), request);
  underway_.begin(operation, request, code);
}

/// Nothing to do in this turn.
void Server::rest() {
  ++idle_;
  if (idle_ % turns_between_looks == 0) look_for_the_process();
  if (idle_ < (options_.crowded ? before_yielding_crowded : before_yielding)) return platform::pause();
  const bool goes_on = underway_.owes() || (options_.async && underway_.any());
  if (goes_on || idle_ < (options_.crowded ? before_sleeping_crowded : before_sleeping)) {
    sched_yield();
    return;
  }
  // Who rings may wait for what is under way: that is looked at for a while.
  if (area_.doorbell(options_.proxy).sleep(nap, [&] { return !reader_.ready(); })) idle_ = 0;
  look_for_the_process();
}

void Server::look_for_the_process() {
  if (!watch_.ended()) return;
  platform::last_words("raddle: process " + std::to_string(options_.process) +
                       " of MPI_COMM_WORLD has ended before MPI_Finalize: so said the proxy of its endpoint " +
                       std::to_string(options_.proxy) + ". Ending the job.\n");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace raddle::proxy
