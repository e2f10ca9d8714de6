// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/reduction.hpp"

#include <cstring>

#include "endpoints/collectives/operator_check.hpp"
#include "endpoints/collectives/operators.hpp"
#include "endpoints/layout_named.hpp"
#include "interpose/on_endpoint/collective.hpp"
#include "interpose/on_endpoint/collective_call.hpp"
#include "interpose/on_endpoint/in_seats.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::collectives::Reduction;
using Reduces = Checked<Reduction::Arguments>;

/// All but MPI_Reduce_scatter, with what each rank gets of the result in `parts`.
Reduces checked(const Endpoint& endpoint, Held* held, Reduction::Kind kind, int root, const void* buffer, void* room,
                MPI_Count count, MPI_Datatype type, MPI_Op op, bool in_place, Numbers parts = {}) {
  if (op == MPI_OP_NULL) return {MPI_ERR_OP};
  if (type == MPI_DATATYPE_NULL) return {MPI_ERR_TYPE};
  if (count < 0) return {MPI_ERR_COUNT};
  if (const int code = endpoints::collectives::check_operator(op, type); code != MPI_SUCCESS) return {code};
  const bool gets = kind != Reduction::Kind::reduce || endpoint.rank() == root;
  const bool nothing = kind == Reduction::Kind::exscan && endpoint.rank() == 0;
  const MPI_Count own = nothing ? 0 : kind == Reduction::Kind::reduce_scatter ? parts[endpoint.rank()] : count;
  if (!gets && buffer == MPI_IN_PLACE) return {MPI_ERR_BUFFER};
  if (gets && room == MPI_IN_PLACE) return {MPI_ERR_BUFFER};
  // At MPI_BOTTOM only the program's types have something.
  if (gets && room == nullptr && own > 0 && endpoints::named_sizes.find(endpoints::bits(type)) != 0)
    return {MPI_ERR_BUFFER};
  if (gets && same_buffer(buffer, room, count)) {
    if (platform::quirks().refuses_same_buffer) return {same_buffer_error()};
    in_place = true;
  }
  return {MPI_SUCCESS,
          {kind, root, buffer, room, count, held == nullptr ? type : held->keep(type),
           held == nullptr ? op : held->keep_op(op), parts, in_place}};
}

Reduces reduce(const Endpoint& endpoint, Held* held, const void* buffer, void* room, MPI_Count count, MPI_Datatype type,
               MPI_Op op, int root) {
  if (root < 0 || root >= endpoint.size()) return {MPI_ERR_ROOT};
  const bool in_place = endpoint.rank() == root && buffer == MPI_IN_PLACE;
  return checked(endpoint, held, Reduction::Kind::reduce, root, buffer, room, count, type, op, in_place);
}

Reduces allreduce(const Endpoint& endpoint, Held* held, const void* buffer, void* room, MPI_Count count,
                  MPI_Datatype type, MPI_Op op) {
  return checked(endpoint, held, Reduction::Kind::allreduce, 0, buffer, room, count, type, op, buffer == MPI_IN_PLACE);
}

Reduces reduce_scatter(const Endpoint& endpoint, Held* held, const void* buffer, void* room, Numbers counts,
                       MPI_Datatype type, MPI_Op op) {
  if (type == MPI_DATATYPE_NULL) return {MPI_ERR_TYPE};
  if (!counts.are_there()) return {MPI_ERR_ARG};
  MPI_Count all = 0;
  for (int rank = 0; rank < endpoint.size(); ++rank) {
    if (counts[rank] < 0) return {MPI_ERR_COUNT};
    all += counts[rank];
  }
  return checked(endpoint, held, Reduction::Kind::reduce_scatter, 0, buffer, room, all, type, op,
                 buffer == MPI_IN_PLACE,
                 held == nullptr ? counts : counts.copied_to(held->room(endpoint.size()), endpoint.size()));
}

Reduces reduce_scatter_block(const Endpoint& endpoint, Held* held, const void* buffer, void* room, MPI_Count count,
                             MPI_Datatype type, MPI_Op op) {
  return checked(endpoint, held, Reduction::Kind::reduce_scatter, 0, buffer, room, count * endpoint.size(), type, op,
                 buffer == MPI_IN_PLACE, Numbers::alike(count));
}

Reduces scan(const Endpoint& endpoint, Held* held, const void* buffer, void* room, MPI_Count count, MPI_Datatype type,
             MPI_Op op) {
  return checked(endpoint, held, Reduction::Kind::scan, 0, buffer, room, count, type, op, buffer == MPI_IN_PLACE);
}

Reduces exscan(const Endpoint& endpoint, Held* held, const void* buffer, void* room, MPI_Count count, MPI_Datatype type,
               MPI_Op op) {
  return checked(endpoint, held, Reduction::Kind::exscan, 0, buffer, room, count, type, op, buffer == MPI_IN_PLACE);
}

/// @returns as in_seats()
int allreduce_in_seats(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op,
                       Endpoint& endpoint) {
  using endpoints::collectives::Call;
  using endpoints::collectives::Meeting;
  using endpoints::collectives::Seat;
  const std::size_t size = endpoints::named_sizes.find(endpoints::bits(type));
  const auto most = static_cast<MPI_Count>(Seat::room);
  if (size == 0 || count <= 0 || count > most || size * static_cast<std::size_t>(count) > Seat::room)
    return another_way;
  const auto [combine, op_number] = endpoints::collectives::known_operator(op, type);
  if (combine == nullptr || buffer == nullptr || room == nullptr || buffer == room || room == MPI_IN_PLACE)
    return another_way;
  const std::size_t elements = static_cast<std::size_t>(count);
  const std::size_t bytes = size * elements;
  const Call call{.kind = Call::Kind::allreduce, .op = op_number, .bytes = bytes};
  return in_seats(
      endpoint, "MPI_Allreduce", call.word(),
      [&](Seat& mine) {
        mine.bytes = static_cast<std::uint32_t>(bytes);
        std::memcpy(mine.little, buffer == MPI_IN_PLACE ? room : buffer, bytes);
      },
      [&, with = combine](Meeting& all, std::uint64_t number) {
        alignas(16) std::byte result[Seat::room];
        int rank = all.seats() - 1;  // in the order of Reduction
        std::memcpy(result, all.seat(number, rank).little, bytes);
        while (--rank >= 0) with(all.seat(number, rank).little, result, result, elements);
        std::memcpy(room, result, bytes);
      });
}

}  // namespace

int Reduce(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
           Endpoint& endpoint) {
  return run<Reduction>(endpoint, "MPI_Reduce",
                        [&](Held* held) { return reduce(endpoint, held, buffer, room, count, type, op, root); });
}

int Ireduce(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, Endpoint& endpoint,
            MPI_Request* request) {
  return start<Reduction>(endpoint, request,
                          [&](Held* held) { return reduce(endpoint, held, buffer, room, count, type, op, root); });
}

int Reduce_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init<Reduction>(endpoint, "MPI_Reduce_init", request,
                         [&](Held* held) { return reduce(endpoint, held, buffer, room, count, type, op, root); });
}

int Allreduce(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint) {
  if (const int code = allreduce_in_seats(buffer, room, count, type, op, endpoint); code != another_way) return code;
  return run<Reduction>(endpoint, "MPI_Allreduce",
                        [&](Held* held) { return allreduce(endpoint, held, buffer, room, count, type, op); });
}

int Iallreduce(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
               MPI_Request* request) {
  return start<Reduction>(endpoint, request,
                          [&](Held* held) { return allreduce(endpoint, held, buffer, room, count, type, op); });
}

int Allreduce_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
                   MPI_Info, MPI_Request* request) {
  return init<Reduction>(endpoint, "MPI_Allreduce_init", request,
                         [&](Held* held) { return allreduce(endpoint, held, buffer, room, count, type, op); });
}

int Reduce_scatter(const void* buffer, void* room, Numbers counts, MPI_Datatype type, MPI_Op op, Endpoint& endpoint) {
  return run<Reduction>(endpoint, "MPI_Reduce_scatter",
                        [&](Held* held) { return reduce_scatter(endpoint, held, buffer, room, counts, type, op); });
}

int Ireduce_scatter(const void* buffer, void* room, Numbers counts, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
                    MPI_Request* request) {
  return start<Reduction>(endpoint, request,
                          [&](Held* held) { return reduce_scatter(endpoint, held, buffer, room, counts, type, op); });
}

int Reduce_scatter_init(const void* buffer, void* room, Numbers counts, MPI_Datatype type, MPI_Op op,
                        Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init<Reduction>(endpoint, "MPI_Reduce_scatter_init", request,
                         [&](Held* held) { return reduce_scatter(endpoint, held, buffer, room, counts, type, op); });
}

int Reduce_scatter_block(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         Endpoint& endpoint) {
  return run<Reduction>(endpoint, "MPI_Reduce_scatter_block", [&](Held* held) {
    return reduce_scatter_block(endpoint, held, buffer, room, count, type, op);
  });
}

int Ireduce_scatter_block(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op,
                          Endpoint& endpoint, MPI_Request* request) {
  return start<Reduction>(endpoint, request, [&](Held* held) {
    return reduce_scatter_block(endpoint, held, buffer, room, count, type, op);
  });
}

int Reduce_scatter_block_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op,
                              Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init<Reduction>(endpoint, "MPI_Reduce_scatter_block_init", request, [&](Held* held) {
    return reduce_scatter_block(endpoint, held, buffer, room, count, type, op);
  });
}

int Scan(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint) {
  return run<Reduction>(endpoint, "MPI_Scan",
                        [&](Held* held) { return scan(endpoint, held, buffer, room, count, type, op); });
}

int Iscan(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
          MPI_Request* request) {
  return start<Reduction>(endpoint, request,
                          [&](Held* held) { return scan(endpoint, held, buffer, room, count, type, op); });
}

int Scan_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
              MPI_Info, MPI_Request* request) {
  return init<Reduction>(endpoint, "MPI_Scan_init", request,
                         [&](Held* held) { return scan(endpoint, held, buffer, room, count, type, op); });
}

int Exscan(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint) {
  return run<Reduction>(endpoint, "MPI_Exscan",
                        [&](Held* held) { return exscan(endpoint, held, buffer, room, count, type, op); });
}

int Iexscan(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
            MPI_Request* request) {
  return start<Reduction>(endpoint, request,
                          [&](Held* held) { return exscan(endpoint, held, buffer, room, count, type, op); });
}

int Exscan_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
                MPI_Info, MPI_Request* request) {
  return init<Reduction>(endpoint, "MPI_Exscan_init", request,
                         [&](Held* held) { return exscan(endpoint, held, buffer, room, count, type, op); });
}

}  // namespace raddle::interpose::on_endpoint
