// SPDX-License-Identifier: BSD-3-Clause
// What processes exchange of data that are only moved: bytes, those of all its endpoints in one message.
#include <algorithm>

#include "endpoints/collectives/blocks.hpp"
#include "endpoints/collectives/movement.hpp"

namespace raddle::endpoints::collectives {
namespace {

constexpr int tag_beside = 0;  // nothing but this is sent where collectives are called

using Outgoing = std::vector<std::span<const std::byte>>;

Lengths lengths_of(const Outgoing& pieces) {
  Lengths lengths;
  for (const auto& piece : pieces) lengths.add(piece.size());
  return lengths;
}

void append(std::vector<std::byte>& all, const Outgoing& pieces) {
  lengths_of(pieces).write(all);
  for (const auto& piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
}

}  // namespace

int Movement::exchange(Exchanged& exchanged) {
  exchanged.sent.clear();
  exchanged.received.clear();
  exchanged.pieces.clear();
  switch (kind_) {
    case Kind::bcast:
      return exchange_bcast(exchanged);
    case Kind::gather:
      return exchange_gather(exchanged);
    case Kind::scatter:
      return exchange_scatter(exchanged);
    case Kind::allgather:
      return exchange_allgather(exchanged);
    case Kind::alltoall:
      return exchange_alltoall(exchanged);
  }
  return MPI_ERR_INTERN;
}

void Movement::make_room(Exchanged& exchanged, int source, int index) const {
  const std::size_t at = received(source, index);
  if (exchanged.pieces.size() <= at) exchanged.pieces.resize(at + 1);
  exchanged.pieces[at] = {exchanged.received.size(), part<Movement>(index).expected(source)};
  exchanged.received.resize(exchanged.received.size() + exchanged.pieces[at].bytes);
}

int Movement::exchange_bcast(Exchanged& exchanged) {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  if (is_local(root_)) {
    const auto& at_root = part<Movement>(place(root_).index);
    exchanged.call = at_root.call_word();
    exchanged.caller = root_;
    const std::span<const std::byte> message = at_root.brought_[0];
    data = const_cast<std::byte*>(message.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): it is only read
    bytes = message.size();
  } else {
    make_room(exchanged, root_, index());
    data = exchanged.received.data();
    bytes = exchanged.received.size();
  }
  const std::size_t pieces = context().pieces(bytes);
  const std::size_t each = (bytes + pieces - 1) / pieces;
  int code = MPI_SUCCESS;
  for (std::size_t i = 0; i < pieces && code == MPI_SUCCESS; ++i) {
    const std::size_t begin = std::min(i * each, bytes);
    code = PMPI_Ibcast(data + begin, static_cast<int>(std::min(each, bytes - begin)), MPI_BYTE, place(root_).process,
                       context().lane(i), exchanged.add());
  }
  return code;
}

int Movement::send_beside(Exchanged& exchanged, const Blocks& out) const {
  return out.start_beside(exchanged.sent.data(), [&](const std::byte* from, int bytes, int process) -> int {
    return PMPI_Isend(from, bytes, MPI_BYTE, process, tag_beside, context().processes(), exchanged.add());
  });
}

int Movement::receive_beside(Exchanged& exchanged, const Blocks& in) const {
  return in.start_beside(exchanged.received.data(), [&](std::byte* to, int bytes, int process) -> int {
    if (process == communicator().process()) return MPI_SUCCESS;  // nobody reads that there
    return PMPI_Irecv(to, bytes, MPI_BYTE, process, tag_beside, context().processes(), exchanged.add());
  });
}

std::span<int> Movement::numbers(Exchanged& exchanged, int set) const {
  const auto each = static_cast<std::size_t>(2 * communicator().process_count());
  exchanged.numbers.resize(2 * each);
  return std::span(exchanged.numbers).subspan(static_cast<std::size_t>(set) * each, each);
}

template <typename Bytes>
std::vector<std::size_t> Movement::by_process(Bytes&& bytes) const {
  std::vector<std::size_t> all;
  for (int process = 0; process < communicator().process_count(); ++process)
    all.push_back(process == communicator().process() ? 0 : bytes(process));
  return all;
}

template <typename Visit>
void Movement::each_incoming(int process, int first, int end, Visit&& visit) const {
  for (const int source : communicator().ranks_of(process)) {
    for (int index = first; index < end; ++index) visit(source, index);
    if (kind_ == Kind::scatter) return;  // all of it is the root's
  }
}

std::size_t Movement::incoming_block(int process, int first, int end) const {
  Lengths lengths;
  each_incoming(process, first, end,
                [&](int source, int index) { lengths.add(part<Movement>(index).expected(source)); });
  return lengths.bytes();
}

void Movement::make_block(Exchanged& exchanged, int process, int first, int end) const {
  const std::size_t begin = exchanged.received.size();
  const std::size_t bytes = incoming_block(process, first, end);
  std::size_t pieces = 0;
  each_incoming(process, first, end, [&](int, int) { ++pieces; });
  std::size_t place = 0;
  each_incoming(process, first, end, [&](int source, int index) {
    const std::size_t at = received(source, index);
    if (exchanged.pieces.size() <= at) exchanged.pieces.resize(at + 1);
    exchanged.pieces[at] = {.block = begin, .block_bytes = bytes, .place = place++, .places = pieces};
  });
  exchanged.received.resize(begin + bytes);
}

int Movement::exchange_gather(Exchanged& exchanged) {
  const Communicator& all = communicator();
  const int root = place(root_).process;
  if (!is_local(root_)) {
    Outgoing pieces;
    for (int index = 0; index < meeting().seats(); ++index) pieces.push_back(part<Movement>(index).brought_[0]);
    append(exchanged.sent, pieces);
    const Blocks out(by_process([&](int process) { return process == root ? exchanged.sent.size() : 0; }),
                     numbers(exchanged, 0));
    const int code = PMPI_Igatherv(exchanged.sent.data(), out.counts()[root], MPI_BYTE, nullptr, nullptr, nullptr,
                                   MPI_BYTE, root, context().processes(), exchanged.add());
    return code == MPI_SUCCESS ? send_beside(exchanged, out) : code;
  }
  const int index = place(root_).index;
  const Blocks in(by_process([&](int process) { return incoming_block(process, index, index + 1); }),
                  numbers(exchanged, 0));
  for (const int process : in.order()) {
    if (process != all.process()) make_block(exchanged, process, index, index + 1);
  }
  const int code = PMPI_Igatherv(nullptr, 0, MPI_BYTE, exchanged.received.data(), in.counts(), in.displacements(),
                                 MPI_BYTE, root, context().processes(), exchanged.add());
  return code == MPI_SUCCESS ? receive_beside(exchanged, in) : code;
}

int Movement::exchange_scatter(Exchanged& exchanged) {
  const Communicator& all = communicator();
  const int root = place(root_).process;
  if (!is_local(root_)) {
    make_block(exchanged, root, 0, meeting().seats());
    const Blocks in(by_process([&](int process) { return process == root ? exchanged.received.size() : 0; }),
                    numbers(exchanged, 0));
    const int code = PMPI_Iscatterv(nullptr, nullptr, nullptr, MPI_BYTE, exchanged.received.data(), in.counts()[root],
                                    MPI_BYTE, root, context().processes(), exchanged.add());
    return code == MPI_SUCCESS ? receive_beside(exchanged, in) : code;
  }
  const auto& at_root = part<Movement>(place(root_).index);
  const auto pieces_for = [&](int process) {
    Outgoing pieces;
    for (const int dest : all.ranks_of(process)) pieces.push_back(at_root.brought_[dest]);
    return pieces;
  };
  const Blocks out(by_process([&](int process) { return lengths_of(pieces_for(process)).bytes(); }),
                   numbers(exchanged, 0));
  for (const int process : out.order()) {
    if (process != root) append(exchanged.sent, pieces_for(process));
  }
  const int code = PMPI_Iscatterv(exchanged.sent.data(), out.counts(), out.displacements(), MPI_BYTE, nullptr, 0,
                                  MPI_BYTE, root, context().processes(), exchanged.add());
  return code == MPI_SUCCESS ? send_beside(exchanged, out) : code;
}

/// What is long goes to each process by itself: the same bytes as often as there are others.
int Movement::exchange_allgather(Exchanged& exchanged) {
  const Communicator& all = communicator();
  Outgoing pieces;
  for (int index = 0; index < meeting().seats(); ++index) pieces.push_back(part<Movement>(index).brought_[0]);
  append(exchanged.sent, pieces);
  std::vector<std::size_t> bytes =
      by_process([&](int process) { return incoming_block(process, index(), index() + 1); });
  bytes[static_cast<std::size_t>(all.process())] = exchanged.sent.size();
  const Blocks in(bytes, numbers(exchanged, 0));
  for (const int process : in.order()) {
    if (process == all.process())
      exchanged.received.resize(exchanged.received.size() + exchanged.sent.size());  // nobody reads that there
    else
      make_block(exchanged, process, index(), index() + 1);
  }
  int code = PMPI_Iallgatherv(exchanged.sent.data(), in.counts()[all.process()], MPI_BYTE, exchanged.received.data(),
                              in.counts(), in.displacements(), MPI_BYTE, context().processes(), exchanged.add());
  if (code == MPI_SUCCESS) code = receive_beside(exchanged, in);
  for (int process = 0; process < all.process_count() && code == MPI_SUCCESS; ++process) {
    if (process == all.process()) continue;
    std::vector<std::size_t> to_one(bytes.size());
    to_one[static_cast<std::size_t>(process)] = exchanged.sent.size();
    code = send_beside(exchanged, Blocks(to_one, numbers(exchanged, 1)));
  }
  return code;
}

int Movement::exchange_alltoall(Exchanged& exchanged) {
  const Communicator& all = communicator();
  const int seats = meeting().seats();
  const auto pieces_for = [&](int process) {
    Outgoing pieces;
    for (int index = 0; index < seats; ++index) {
      for (const int dest : all.ranks_of(process)) pieces.push_back(part<Movement>(index).brought_[dest]);
    }
    return pieces;
  };
  const Blocks out(by_process([&](int process) { return lengths_of(pieces_for(process)).bytes(); }),
                   numbers(exchanged, 0));
  const Blocks in(by_process([&](int process) { return incoming_block(process, 0, seats); }), numbers(exchanged, 1));
  for (const int process : out.order()) {
    if (process != all.process()) append(exchanged.sent, pieces_for(process));
  }
  for (const int process : in.order()) {
    if (process != all.process()) make_block(exchanged, process, 0, seats);
  }
  int code =
      PMPI_Ialltoallv(exchanged.sent.data(), out.counts(), out.displacements(), MPI_BYTE, exchanged.received.data(),
                      in.counts(), in.displacements(), MPI_BYTE, context().processes(), exchanged.add());
  if (code == MPI_SUCCESS) code = receive_beside(exchanged, in);
  return code == MPI_SUCCESS ? send_beside(exchanged, out) : code;
}

}  // namespace raddle::endpoints::collectives
