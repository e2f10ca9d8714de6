// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/operator_check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "endpoints/collectives/operators.hpp"
#include "endpoints/own_comm.hpp"
#include "endpoints/rank.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints::collectives {
namespace {

bool is_mpis_own(MPI_Op op) {
  const std::array all{MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
                       MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};
  return std::ranges::find(all, op) != all.end();
}

/// Whether the handle is one for good, so that what is found out about it stays true.
bool is_named(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_UNDEFINED;
  platform::must("MPI_Type_get_envelope", PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  return combiner == MPI_COMBINER_NAMED;
}

/// Combines one element with itself, in this process alone.
int ask(MPI_Op op, MPI_Datatype type) {
  MPI_Aint begin = 0;
  MPI_Aint extent = 0;
  if (const int code = PMPI_Type_get_true_extent(type, &begin, &extent); code != MPI_SUCCESS) return code;
  std::vector<std::byte> in(static_cast<std::size_t>(std::max(extent, MPI_Aint{1})));
  std::vector<std::byte> out(in.size());
  const AsProcess process;
  return PMPI_Allreduce(in.data() - begin, out.data() - begin, 1, type, op, comm_to_ask());
}

}  // namespace

int check_operator(MPI_Op op, MPI_Datatype type) {
  if (combine_of(op, type) != nullptr || !is_mpis_own(op)) return MPI_SUCCESS;
  static std::mutex guard;
  static auto& known = *new std::map<std::pair<MPI_Op, MPI_Datatype>, int>;
  const std::lock_guard lock(guard);
  if (const auto found = known.find({op, type}); found != known.end()) return found->second;
  const int code = ask(op, type);
  if (is_named(type)) known[{op, type}] = code;
  return code;
}

}  // namespace raddle::endpoints::collectives
