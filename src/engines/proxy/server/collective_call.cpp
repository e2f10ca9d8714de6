// SPDX-License-Identifier: BSD-3-Clause
// The MPI's nonblocking collectives, as an endpoint asks for them.
#include <cstring>
#include <vector>

#include "engines/proxy/command.hpp"
#include "engines/proxy/predefined.hpp"
#include "engines/proxy/server/server.hpp"
#include "platform/must.hpp"

namespace raddle::proxy {
namespace {

/// Lengths and displacements as the MPI takes them: one for each rank.
void expand(std::span<const std::int64_t> lengths, std::span<const std::int64_t> places, int size,
            std::vector<int>& numbers) {
  for (int rank = 0; rank < size; ++rank) {
    const std::size_t i = lengths.size() == 1 ? 0 : static_cast<std::size_t>(rank);
    numbers.push_back(lengths.empty() ? 0 : static_cast<int>(lengths[i]));
  }
  for (int rank = 0; rank < size; ++rank) {
    if (lengths.size() == 1) {
      numbers.push_back(static_cast<int>(places[0] + rank * lengths[0]));
    } else {
      numbers.push_back(lengths.empty() ? 0 : static_cast<int>(places[static_cast<std::size_t>(rank)]));
    }
  }
}

/// Elements of a reduction fit their buffers. @returns why not
const char* refusal_of_elements(const Collective& call, std::span<const std::int64_t> out,
                                std::span<const std::int64_t> in, int rank) {
  const MPI_Datatype type = datatype_of(call.type);
  if (type == MPI_DATATYPE_NULL || op_of(call.op) == MPI_OP_NULL) return "an unknown datatype or operator";
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  platform::must("MPI_Type_get_extent", MPI_Type_get_extent(type, &lower, &extent));
  const auto each = static_cast<std::uint64_t>(extent);
  if (out.size() != 1 || static_cast<std::uint64_t>(out[0]) > call.out_bytes / each)
    return "more elements than its buffer has";
  if (call.kind == Kind::reduce && rank != call.root) return nullptr;
  std::int64_t taken = in.size() == 1 ? in[0] : 0;
  if (call.kind == Kind::reduce_scatter) {
    std::int64_t all = 0;
    for (const std::int64_t part : in) all += part;
    if (in.empty() || all != out[0]) return "parts that are not the whole";
    taken = in[in.size() == 1 ? 0 : static_cast<std::size_t>(rank)];
  } else if (in.size() != 1 || in[0] != out[0]) {
    return "another number of elements than it brings";
  }
  return static_cast<std::uint64_t>(taken) > call.in_bytes / each ? "more elements than its buffer has" : nullptr;
}

/// What the kind needs, of this rank.
const char* refusal_of_buffers(const Collective& call, int rank) {
  const bool root = rank == call.root;
  const bool out = call.out_pieces > 0;
  const bool in = call.in_pieces > 0;
  switch (call.kind) {
    case Kind::barrier:
      return nullptr;
    case Kind::bcast:
      return call.out_pieces + call.in_pieces == 1 && out == root ? nullptr : "buffers that are not a broadcast's";
    case Kind::gather:
      return call.out_pieces == 1 && in == root ? nullptr : "buffers that do not gather";
    case Kind::scatter:
      return call.in_pieces == 1 && out == root ? nullptr : "buffers that do not scatter";
    case Kind::reduce:
      return out && in == root ? nullptr : "buffers that do not reduce";
    default:
      return out && in ? nullptr : "a buffer is missing";
  }
}

}  // namespace

void Server::collective(const Command& command, std::span<const std::byte> data, MPI_Comm comm) {
  Collective call;
  if (data.size() < sizeof call) return refuse(command, "a collective without what it is");
  std::memcpy(&call, data.data(), sizeof call);
  data = data.subspan(sizeof call);
  std::vector<std::int64_t> numbers(data.size() / sizeof(std::int64_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), data.data(), numbers.size() * sizeof(std::int64_t));
  const int size = communicators_.size_of(command.comm);
  int rank = 0;
  platform::must("MPI_Comm_rank", MPI_Comm_rank(comm, &rank));
  if (const char* why = refusal(call, numbers, size, area_.heap())) return refuse(command, why);
  if (const char* why = refusal_of_buffers(call, rank)) return refuse(command, why);
  const std::span<const std::int64_t> all = numbers;
  const std::size_t out = call.out_pieces;
  if (call.kind >= Kind::reduce) {
    if (const char* why = refusal_of_elements(call, all.first(out), all.subspan(2 * out, call.in_pieces), rank))
      return refuse(command, why);
  }
  Operation& operation = underway_.take();
  operation.answer = answer_of(command);
  operation.told = (command.flags & told) != 0;
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = start(call, all, size, comm, operation, request);
  underway_.begin(operation, request, code);
}

int Server::start(const Collective& call, std::span<const std::int64_t> numbers, int size, MPI_Comm comm,
                  Operation& operation, MPI_Request& request) const {
  const void* const out = area_.at(call.out);
  void* const in = area_.at(call.in);
  const std::size_t outs = call.out_pieces;
  const std::size_t ins = call.in_pieces;
  const auto out_lengths = numbers.first(outs);
  const auto in_lengths = numbers.subspan(2 * outs, ins);
  const int first_out = outs > 0 ? static_cast<int>(out_lengths[0]) : 0;
  const int first_in = ins > 0 ? static_cast<int>(in_lengths[0]) : 0;
  // It stays as it is until the operation has ended.
  std::vector<int>& lists = operation.numbers;
  lists.clear();
  expand(out_lengths, numbers.subspan(outs, outs), size, lists);
  expand(in_lengths, numbers.subspan(2 * outs + ins, ins), size, lists);
  const int* const out_counts = lists.data();
  const int* const out_places = out_counts + size;
  const int* const in_counts = out_places + size;
  const int* const in_places = in_counts + size;
  const MPI_Datatype type = datatype_of(call.type);
  const MPI_Op op = op_of(call.op);
  switch (call.kind) {
    case Kind::barrier:
      return MPI_Ibarrier(comm, &request);
    case Kind::bcast:
      return outs > 0 ? MPI_Ibcast(area_.at(call.out), first_out, MPI_BYTE, call.root, comm, &request)
                      : MPI_Ibcast(in, first_in, MPI_BYTE, call.root, comm, &request);
    // Only the root knows whether lengths differ.
    case Kind::gather:
      return MPI_Igatherv(out, first_out, MPI_BYTE, in, in_counts, in_places, MPI_BYTE, call.root, comm, &request);
    case Kind::scatter:
      return MPI_Iscatterv(out, out_counts, out_places, MPI_BYTE, in, first_in, MPI_BYTE, call.root, comm, &request);
    case Kind::allgather:
      return ins == 1 ? MPI_Iallgather(out, first_out, MPI_BYTE, in, first_in, MPI_BYTE, comm, &request)
                      : MPI_Iallgatherv(out, first_out, MPI_BYTE, in, in_counts, in_places, MPI_BYTE, comm, &request);
    case Kind::alltoall:
      return outs == 1 && ins == 1 ? MPI_Ialltoall(out, first_out, MPI_BYTE, in, first_in, MPI_BYTE, comm, &request)
                                   : MPI_Ialltoallv(out, out_counts, out_places, MPI_BYTE, in, in_counts, in_places,
                                                    MPI_BYTE, comm, &request);
    case Kind::reduce:
      return MPI_Ireduce(out, in, first_out, type, op, call.root, comm, &request);
    case Kind::allreduce:
      return MPI_Iallreduce(out, in, first_out, type, op, comm, &request);
    case Kind::reduce_scatter:
      return MPI_Ireduce_scatter(out, in, in_counts, type, op, comm, &request);
    case Kind::scan:
      return MPI_Iscan(out, in, first_out, type, op, comm, &request);
    case Kind::exscan:
      return MPI_Iexscan(out, in, first_out, type, op, comm, &request);
  }
  return MPI_ERR_ARG;
}

}  // namespace raddle::proxy
