// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/operators.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <variant>

#include "endpoints/handles.hpp"

namespace raddle::interpose::operators {
namespace {

using Either = std::variant<Function<int>*, Function<MPI_Count>*>;

struct Known {
  std::shared_mutex guard;
  std::atomic<bool> any{false};
  std::map<std::uint64_t, Either> functions;
};

Known& known() {
  static auto& lasting = *new Known;  // MPI may be called after the destructors of a program
  return lasting;
}

void keep(MPI_Op op, Either function) {
  const std::lock_guard lock(known().guard);
  known().functions.insert_or_assign(endpoints::bits(op), function);
  known().any.store(true, std::memory_order_relaxed);
}

}  // namespace

void created(MPI_Op op, Function<int>* function) { keep(op, function); }
void created(MPI_Op op, Function<MPI_Count>* function) { keep(op, function); }

void freed(MPI_Op op) {
  if (!known().any.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(known().guard);
  known().functions.erase(endpoints::bits(op));
  known().any.store(!known().functions.empty(), std::memory_order_relaxed);
}

bool called(const void* in, void* inout, MPI_Count count, MPI_Datatype type, MPI_Op op) {
  constexpr auto endpoint = static_cast<std::uint32_t>(endpoints::Kind::communicator);
  if ((endpoints::gate.load(std::memory_order_relaxed) & endpoint) == 0) return false;
  if (!known().any.load(std::memory_order_relaxed) || count <= 0 || in == MPI_IN_PLACE) return false;
  Either function;
  {
    const std::shared_lock lock(known().guard);
    const auto found = known().functions.find(endpoints::bits(op));
    if (found == known().functions.end()) return false;
    function = found->second;
  }
  void* const left = const_cast<void*>(in);  // NOLINT(cppcoreguidelines-pro-type-const-cast): as MPI declares it
  if (auto* const* const large = std::get_if<Function<MPI_Count>*>(&function)) {
    (*large)(left, inout, &count, &type);
    return true;
  }
  if (count > std::numeric_limits<int>::max()) return false;
  int length = static_cast<int>(count);
  (*std::get<Function<int>*>(function))(left, inout, &length, &type);
  return true;
}

}  // namespace raddle::interpose::operators
