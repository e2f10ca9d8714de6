// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/server/server.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "engines/proxy/command.hpp"
#include "platform/last_words.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"
#include "platform/own_copy.hpp"
#include "platform/pause.hpp"

namespace raddle::proxy {
namespace {

// MPI_Comm_create_group tells calls apart by it; calls of one proxy follow each other in an order all agree on.
constexpr int creation_tag = 2;

}  // namespace

bool Communicators::can_be_made(std::uint32_t number) const {
  return number < most && get(number, false) == MPI_COMM_NULL;
}

Communicators::CommPair& Communicators::pair(std::uint32_t number) {
  if (number >= all_.size()) all_.resize(number + 1);
  if (all_[number] == nullptr) all_[number] = std::make_unique<CommPair>();
  return *all_[number];
}

int Communicators::make(std::uint32_t number, std::span<const std::int32_t> ranks) {
  if (!can_be_made(number) || ranks.empty()) return MPI_ERR_ARG;
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  platform::must("MPI_Comm_group", MPI_Comm_group(MPI_COMM_WORLD, &world));
  CommPair made;
  int code = MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &members);
  platform::regardless(MPI_Group_free(&world));
  if (code != MPI_SUCCESS) return code;
  code = MPI_Comm_create_group(MPI_COMM_WORLD, members, creation_tag, &made.program);
  platform::regardless(MPI_Group_free(&members));
  if (code != MPI_SUCCESS) return code;
  if (made.program == MPI_COMM_NULL) return MPI_ERR_GROUP;  // it is not among them
  platform::must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(made.program, MPI_ERRORS_RETURN));
  code = MPI_Comm_dup(made.program, &made.hidden);
  if (code != MPI_SUCCESS) {
    platform::regardless(MPI_Comm_free(&made.program));
    return code;
  }
  made.size = static_cast<int>(ranks.size());
  pair(number) = made;
  return MPI_SUCCESS;
}

int Communicators::duplicate(std::uint32_t number, std::uint32_t made, MPI_Request& request) {
  const MPI_Comm comm = get(number, false);
  if (comm == MPI_COMM_NULL || !can_be_made(made)) return MPI_ERR_ARG;
  CommPair& copy = pair(made);
  copy.size = size_of(number);
  return MPI_Comm_idup(comm, &copy.program, &request);
}

bool Communicators::free(std::uint32_t number) {
  if (get(number, false) == MPI_COMM_NULL) return false;
  CommPair& old = pair(number);
  if (old.hidden != MPI_COMM_NULL) platform::regardless(MPI_Comm_free(&old.hidden));
  platform::regardless(MPI_Comm_free(&old.program));
  old = {};
  return true;
}

MPI_Comm Communicators::get(std::uint32_t number, bool unseen) const {
  if (number >= all_.size() || all_[number] == nullptr) return MPI_COMM_NULL;
  return unseen ? all_[number]->hidden : all_[number]->program;
}

int Communicators::size_of(std::uint32_t number) const {
  return number < all_.size() && all_[number] != nullptr ? all_[number]->size : 0;
}

void Communicators::free_all() {
  for (std::uint32_t number = 0; number < all_.size(); ++number) free(number);
}

namespace {

using namespace std::chrono_literals;

// Turns without anything to do.
constexpr std::uint64_t before_yielding = 2000;
constexpr std::uint64_t before_sleeping = 20000;
constexpr std::uint64_t before_yielding_crowded = 2;
constexpr std::uint64_t before_sleeping_crowded = 50;
/// What the MPI has under way goes on that often while nobody waits.
constexpr auto nap = 1ms;
constexpr int commands_at_once = 16;

}  // namespace

Server::Server(const Area& area, const Options& options)
    : area_(area),
      options_(options),
      reader_(area.inbox(options.proxy)),
      matches_itself_(platform::quirks().overruns || platform::misses_any_source()) {}

void Server::orphaned() {
  platform::last_words("raddle: process " + std::to_string(options_.process) + " of MPI_COMM_WORLD, whose endpoint " +
                       std::to_string(options_.proxy) +
                       " has this proxy, has ended before MPI_Finalize. Ending the job.\n");
  orphaned_.store(true);
}

void Server::serve() {
  while (!finished_) {
    if (orphaned_.load(std::memory_order_relaxed)) platform::regardless(MPI_Abort(MPI_COMM_WORLD, 1));
    const bool commands = take_commands();
    const bool matched = receives_.any() && match_receives();
    const bool ended = underway_.progress();
    if (commands || matched || ended) {
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
  const std::span<const std::byte> data =
      inside ? following.first(command.bytes) : std::span<const std::byte>(area_.at(command.place), command.bytes);
  switch (command.op) {
    case Op::create:
      return create(command, data);
    case Op::duplicate:
      return duplicate(command);
    case Op::free:
      if (!communicators_.free(command.comm)) refuse(command, "no such communicator");
      return;
    case Op::cancel:
      return cancel(command);
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
  const void* from = area_.at(command.place);
  if ((command.flags & follows) != 0) {
    operation.data.assign(following.begin(), following.end());
    from = operation.data.data();
  }
  const platform::BytesType bytes(command.bytes);
  // Never MPI_Irsend: the receive that is there may not have come to its proxy yet.
  const auto call = (command.flags & synchronous) != 0 ? MPI_Issend : MPI_Isend;
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = call(from, bytes.count(), bytes.type(), command.peer, command.tag, comm, &request);
  underway_.begin(operation, request, code);
}

Operation& Server::begin_receive(const Command& command, std::byte*& room) {
  Operation& operation = underway_.take();
  operation.answer = answer_of(command);
  operation.told = (command.flags & told) != 0;
  operation.receives = true;
  operation.room = command.bytes;
  room = area_.at(command.place);
  if (command.place == 0) {
    operation.into_answer = true;
    operation.data.resize(Answer::room);
    room = operation.data.data();
  }
  return operation;
}

void Server::receive(const Command& command, MPI_Comm comm) {
  if (command.op == Op::receive_taken) {
    const auto found = taken_.find(command.peer);
    if (found == taken_.end()) return refuse(command, "no such message");
    const Taken taken = found->second;
    taken_.erase(found);
    return take_in(command, taken.message, taken.status);
  }
  if (matches_itself_) return receives_.add({command, comm});
  std::byte* room = nullptr;
  Operation& operation = begin_receive(command, room);
  const platform::BytesType bytes(command.bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Irecv(room, bytes.count(), bytes.type(), command.peer, command.tag, comm, &request);
  underway_.begin(operation, request, code);
}

void Server::take_in(const Command& command, MPI_Message message, const MPI_Status& status) {
  std::byte* room = nullptr;
  Operation& operation = begin_receive(command, room);
  MPI_Count length = 0;
  platform::must("MPI_Get_elements_x", MPI_Get_elements_x(&status, MPI_BYTE, &length));
  const auto bytes = static_cast<std::uint64_t>(length);
  if (bytes > command.bytes) {
    // Whole, beside its place: what fits is put there when it has come.
    if (!operation.into_answer) operation.cut_to = room;
    operation.data.resize(std::max<std::uint64_t>(bytes, Answer::room));
    room = operation.data.data();
  }
  const platform::BytesType all(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Imrecv(room, all.count(), all.type(), &message, &request);
  underway_.begin(operation, request, code);
}

bool Server::match_receives() {
  const auto matched = receives_.match();
  if (matched) take_in(matched->command, matched->message, matched->status);
  return matched.has_value();
}

void Server::cancel(const Command& command) {
  auto& answer = *reinterpret_cast<Answer*>(area_.at(command.place));
  if (!receives_.cancel(command.place)) return underway_.cancel(&answer);
  answer.cancelled = true;
  tell(answer, MPI_SUCCESS, true);
}

void Server::probe(const Command& command, MPI_Comm comm) {
  Answer& answer = *answer_of(command);
  MPI_Status status{};
  MPI_Message message = MPI_MESSAGE_NULL;
  int flag = 0;
  int code = MPI_SUCCESS;
  do {  // a message that a receive waits for is not seen by probes
    while (receives_.any() && match_receives()) {
    }
    code = MPI_Iprobe(command.peer, command.tag, comm, &flag, &status);
  } while (code == MPI_SUCCESS && flag != 0 && receives_.await(comm, status));
  if (code == MPI_SUCCESS && flag != 0 && command.op == Op::take)
    code = MPI_Improbe(status.MPI_SOURCE, status.MPI_TAG, comm, &flag, &message, &status);
  answer.found = code == MPI_SUCCESS && flag != 0;
  answer.cancelled = false;
  if (answer.found) {
    MPI_Count bytes = 0;
    platform::must("MPI_Get_elements_x", MPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    answer.source = status.MPI_SOURCE;
    answer.tag = status.MPI_TAG;
    answer.bytes = static_cast<std::uint64_t>(bytes);
    if (command.op == Op::take) {
      const std::int32_t number = next_taken_++;
      taken_.emplace(number, Taken{message, status});
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
  if (idle_ < (options_.crowded ? before_yielding_crowded : before_yielding)) return platform::pause();
  const bool goes_on = underway_.owes() || (options_.async && (underway_.any() || receives_.any()));
  if (goes_on || idle_ < (options_.crowded ? before_sleeping_crowded : before_sleeping)) {
    sched_yield();
    return;
  }
  // Who rings may wait for what is under way: that is looked at for a while.
  if (area_.doorbell(options_.proxy).sleep(nap, [&] { return !reader_.ready(); })) idle_ = 0;
}

}  // namespace raddle::proxy
