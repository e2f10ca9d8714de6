// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/proxy_collective.hpp"

#include <cstring>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "endpoints/collectives/operators.hpp"
#include "endpoints/errors.hpp"
#include "engines/proxy/predefined.hpp"
#include "engines/proxy/proxy_endpoint.hpp"

namespace raddle::proxy {

namespace {

using Moves = endpoints::collectives::Movement::Kind;
using Reduces = endpoints::collectives::Reduction::Kind;

Kind kind_of(Moves kind) {
  switch (kind) {
    case Moves::bcast:
      return Kind::bcast;
    case Moves::gather:
      return Kind::gather;
    case Moves::scatter:
      return Kind::scatter;
    case Moves::allgather:
      return Kind::allgather;
    default:
      return Kind::alltoall;
  }
}

Kind kind_of(Reduces kind) {
  switch (kind) {
    case Reduces::reduce:
      return Kind::reduce;
    case Reduces::allreduce:
      return Kind::allreduce;
    case Reduces::reduce_scatter:
      return Kind::reduce_scatter;
    case Reduces::scan:
      return Kind::scan;
    default:
      return Kind::exscan;
  }
}

}  // namespace

ProxyCollective::ProxyCollective(ProxyEndpoint& endpoint, Arguments arguments,
                                 std::unique_ptr<endpoints::collectives::Held> held, Lasts lasts)
    : Line(endpoint.proxies()), Request(&answer().end), own_(endpoint), arguments_(arguments), held_(std::move(held)) {
  belong_to(endpoint);
  persistent_ = lasts == Lasts::until_freed;
  active_ = false;
  endpoint.communicator().hold();  // its handle may be freed before this has ended
}

int ProxyCollective::set_apart(const char* call) {
  Proxies& proxies = own_.proxies();
  number_ = proxies.take_number();
  return own_.ask(call, own_.message(Op::duplicate, static_cast<int>(*number_), 0));
}

ProxyCollective::~ProxyCollective() {
  if (number_) {
    own_.free_communicator(*number_);
    own_.proxies().give_back(*number_);
  }
  endpoint_->communicator().let_go();
}

int ProxyCollective::start() {
  expect();
  if (!shared()) return no_room(own_.proxies().heap(), sizeof(Answer));
  out_.emplace(own_.proxies());
  in_.emplace(own_.proxies());
  numbers_.emplace(own_.proxies());
  delivered_.store(false, std::memory_order_relaxed);
  error_ = MPI_SUCCESS;
  Collective call;
  int code = std::visit([&](const auto& arguments) { return describe(call, arguments); }, arguments_);
  if (code == MPI_SUCCESS) code = post(call);
  active_ = code == MPI_SUCCESS;
  return code;
}

int ProxyCollective::describe(Collective& call, const Barrier&) {
  call.kind = Kind::barrier;
  return MPI_SUCCESS;
}

int ProxyCollective::describe(Collective& call, const Movement& move) {
  const int me = own_.rank();
  const int all = own_.size();
  const bool root = me == move.root;
  call.kind = kind_of(move.kind);
  call.root = move.root;
  int code = MPI_SUCCESS;
  switch (move.kind) {
    case Moves::bcast:
      return root ? out_->send(move.out, 1, false) : in_->receive(move.in, 1, -1);
    case Moves::gather:
      if (root) code = in_->receive(move.in, all, move.in_place ? me : -1);
      if (code != MPI_SUCCESS) return code;
      return move.in_place ? out_->send_one(move.in, me) : out_->send(move.out, 1, false);
    case Moves::scatter:
      if (root) code = out_->send(move.out, all, false);
      if (code != MPI_SUCCESS) return code;
      if (!move.in_place) return in_->receive(move.in, 1, -1);
      return in_->receive_nowhere(move.out.bytes(me), move.out.bytes(me));
    case Moves::allgather:
      code = out_->send(move.out, 1, move.in_place);
      return code == MPI_SUCCESS ? in_->receive(move.in, all, -1) : code;
    default:
      code = out_->send(move.out, all, move.in_place);
      return code == MPI_SUCCESS ? in_->receive(move.in, all, -1) : code;
  }
}

int ProxyCollective::describe(Collective& call, const Reduction& reduce) {
  const int me = own_.rank();
  const auto extent = static_cast<std::size_t>(endpoints::collectives::extent_of(reduce.type));
  if (static_cast<std::size_t>(reduce.count) > std::numeric_limits<int>::max() / extent) {
    return endpoints::error_with(MPI_ERR_COUNT, "Raddle: reductions of the proxy engine take up to 2^31 - 1 bytes");
  }
  call.kind = kind_of(reduce.kind);
  call.root = reduce.root;
  call.type = number_of_datatype(endpoints::collectives::plain(reduce.type));
  call.op = number_of_op(reduce.op);
  const void* const own = reduce.in_place ? reduce.out : reduce.in;
  const bool takes = reduce.kind != Reduces::reduce || me == reduce.root;
  const std::int64_t mine = reduce.kind == Reduces::reduce_scatter ? reduce.parts[me] : reduce.count;
  if ((own == nullptr && reduce.count > 0) || (takes && reduce.out == nullptr && mine > 0)) return MPI_ERR_BUFFER;
  const int code = out_->send(own, reduce.type, reduce.count, reduce.in_place);
  if (code != MPI_SUCCESS || !takes) return code;
  if (reduce.kind == Reduces::exscan && me == 0)  // undefined, and left as it is
    return in_->receive_nowhere(static_cast<std::size_t>(mine) * extent, static_cast<std::size_t>(mine));
  return in_->receive(reduce.out, reduce.type, mine);
}

int ProxyCollective::post(Collective& call) {
  Proxies& proxies = own_.proxies();
  std::vector<std::int64_t> numbers;
  const auto tell = [&](const Buffer& buffer, std::uint64_t& place, std::uint64_t& bytes, std::uint32_t& pieces) {
    place = buffer.lengths().empty() ? proxies.area().heap().begin : buffer.place();
    bytes = buffer.bytes();
    pieces = static_cast<std::uint32_t>(buffer.lengths().size());
    numbers.insert(numbers.end(), buffer.lengths().begin(), buffer.lengths().end());
    numbers.insert(numbers.end(), buffer.places().begin(), buffer.places().end());
  };
  tell(*out_, call.out, call.out_bytes, call.out_pieces);
  if (const auto* reduce = std::get_if<Reduction>(&arguments_);
      reduce != nullptr && reduce->kind == Reduces::reduce_scatter) {
    // How much each rank takes, in place of the displacements of what comes in.
    std::vector<std::int64_t> parts;
    for (int rank = 0; rank < own_.size(); ++rank) parts.push_back(reduce->parts[rank]);
    call.in = in_->place();
    call.in_bytes = in_->bytes();
    call.in_pieces = static_cast<std::uint32_t>(parts.size());
    numbers.insert(numbers.end(), parts.begin(), parts.end());
    numbers.insert(numbers.end(), parts.size(), 0);
  } else {
    tell(*in_, call.in, call.in_bytes, call.in_pieces);
  }
  Command command = own_.message(Op::collective, 0, 0);
  command.answer = place();
  if (number_) command.comm = *number_;
  if (in_->copies()) command.flags |= told;
  const std::size_t bytes = numbers.size() * sizeof(std::int64_t);
  command.bytes = sizeof call + bytes;
  const auto fill = [&](std::byte* at) {
    std::memcpy(at, &call, sizeof call);
    if (bytes > 0) std::memcpy(at + sizeof call, numbers.data(), bytes);
  };
  if (command.bytes <= Proxies::most_following) {
    command.flags |= follows;
    proxies.post(own_.proxy(), command, command.bytes, fill);
    return MPI_SUCCESS;
  }
  if (const int code = numbers_->receive_nowhere(command.bytes, 0); code != MPI_SUCCESS) return code;
  command.place = numbers_->place();
  fill(proxies.area().at(command.place));
  proxies.post(own_.proxy(), command);
  return MPI_SUCCESS;
}

endpoints::Result ProxyCollective::result() const {
  if (!delivered_.exchange(true)) {
    error_ = answer().error;
    if (error_ == MPI_SUCCESS && in_) error_ = in_->deliver();
  }
  return {.error = error_};
}

void ProxyCollective::retire() {
  if (!persistent_) {
    delete this;
    return;
  }
  active_ = false;
  out_.reset();
  in_.reset();
  numbers_.reset();
}

void ProxyCollective::abandon() {
  std::unique_ptr<ProxyCollective> ended(this);
  if (active_ && !complete()) own_.own_maker().await(std::move(ended));
}

using endpoints::collectives::Barrier;
using endpoints::collectives::Held;
using endpoints::collectives::Movement;
using endpoints::collectives::Reduction;

ProxyMaker::ProxyMaker(ProxyEndpoint& endpoint) : endpoint_(endpoint) {}
ProxyMaker::~ProxyMaker() = default;

bool ProxyMaker::makes(const Reduction::Arguments& arguments) const {
  return number_of_op(arguments.op) >= 0 && number_of_datatype(arguments.type) >= 0;
}

template <typename Arguments>
int ProxyMaker::begin(const Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts, endpoints::Request*& made) {
  auto request = std::make_unique<ProxyCollective>(endpoint_, arguments, std::move(held), lasts);
  const int code =
      lasts == Lasts::once ? request->start() : request->set_apart("the making of a persistent collective");
  if (code != MPI_SUCCESS) return code;
  made = request.release();  // ends itself when the program has been told of its end
  return MPI_SUCCESS;
}

int ProxyMaker::make(const Barrier::Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts,
                     endpoints::Request*& made) {
  return begin(arguments, std::move(held), lasts, made);
}

int ProxyMaker::make(const Movement::Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts,
                     endpoints::Request*& made) {
  return begin(arguments, std::move(held), lasts, made);
}

int ProxyMaker::make(const Reduction::Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts,
                     endpoints::Request*& made) {
  return begin(arguments, std::move(held), lasts, made);
}

void ProxyMaker::await(std::unique_ptr<ProxyCollective> orphan) {
  const std::lock_guard lock(guard_);
  orphans_.push_back(std::move(orphan));
}

bool ProxyMaker::awaits() {
  const std::lock_guard lock(guard_);
  std::erase_if(orphans_, [](const auto& orphan) {
    if (!orphan->complete()) return false;
    static_cast<void>(orphan->result());  // puts what has come into its place
    return true;
  });
  return !orphans_.empty();
}

}  // namespace raddle::proxy
