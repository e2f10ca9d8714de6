// SPDX-License-Identifier: BSD-3-Clause
// What the arguments of collectives mean that combine data: MPI-4.1 sections 6.9 to 6.11.
#pragma once

#include <mpi.h>

#include "endpoints/collectives/held.hpp"
#include "endpoints/collectives/reduction.hpp"
#include "endpoints/datatypes/layout.hpp"
#include "interpose/on_endpoint/forms.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::interpose::on_endpoint::described {

using endpoints::collectives::Reduction;
using Reduces = Checked<Reduction>;

/// All but MPI_Reduce_scatter, with what each rank gets of the result in `parts`.
inline Reduces checked(const Endpoint& endpoint, Held* held, Reduction::Kind kind, int root, const void* buffer,
                       void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, bool in_place, Numbers parts = {}) {
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
    const platform::MpiQuirks& quirks = platform::quirks();
    if (kind == Reduction::Kind::reduce ? quirks.reduce_refuses_same_buffer : quirks.refuses_same_buffer)
      return {same_buffer_error()};
    in_place = true;
  }
  return {MPI_SUCCESS,
          {kind, root, buffer, room, count, held == nullptr ? type : held->keep(type),
           held == nullptr ? op : held->keep_op(op), parts, in_place}};
}

inline Reduces Reduce(const Endpoint& endpoint, Held* held, const void* buffer, void* room, MPI_Count count,
                      MPI_Datatype type, MPI_Op op, int root) {
  if (root < 0 || root >= endpoint.size()) return {MPI_ERR_ROOT};
  const bool in_place = endpoint.rank() == root && buffer == MPI_IN_PLACE;
  return checked(endpoint, held, Reduction::Kind::reduce, root, buffer, room, count, type, op, in_place);
}

inline Reduces Allreduce(const Endpoint& endpoint, Held* held, const void* buffer, void* room, MPI_Count count,
                         MPI_Datatype type, MPI_Op op) {
  return checked(endpoint, held, Reduction::Kind::allreduce, 0, buffer, room, count, type, op, buffer == MPI_IN_PLACE);
}

inline Reduces Reduce_scatter(const Endpoint& endpoint, Held* held, const void* buffer, void* room, Numbers counts,
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

inline Reduces Reduce_scatter_block(const Endpoint& endpoint, Held* held, const void* buffer, void* room,
                                    MPI_Count count, MPI_Datatype type, MPI_Op op) {
  return checked(endpoint, held, Reduction::Kind::reduce_scatter, 0, buffer, room, count * endpoint.size(), type, op,
                 buffer == MPI_IN_PLACE, Numbers::alike(count));
}

inline Reduces Scan(const Endpoint& endpoint, Held* held, const void* buffer, void* room, MPI_Count count,
                    MPI_Datatype type, MPI_Op op) {
  return checked(endpoint, held, Reduction::Kind::scan, 0, buffer, room, count, type, op, buffer == MPI_IN_PLACE);
}

inline Reduces Exscan(const Endpoint& endpoint, Held* held, const void* buffer, void* room, MPI_Count count,
                      MPI_Datatype type, MPI_Op op) {
  return checked(endpoint, held, Reduction::Kind::exscan, 0, buffer, room, count, type, op, buffer == MPI_IN_PLACE);
}

}  // namespace raddle::interpose::on_endpoint::described
