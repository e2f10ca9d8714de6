// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/program_operators.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "endpoints/collectives/pieces.hpp"
#include "endpoints/handles.hpp"

namespace raddle::endpoints::collectives {
namespace {

struct ProgramOperators {
  std::shared_mutex guard;
  std::atomic<bool> any{false};
  std::map<std::uint64_t, ProgramOperator> operators;
};

ProgramOperators& known() {
  static auto& lasting = *new ProgramOperators;  // MPI may be called after the destructors of a program
  return lasting;
}

}  // namespace

void ProgramOperator::created(MPI_Op op, ProgramOperator made) {
  const std::lock_guard lock(known().guard);
  known().operators.insert_or_assign(bits(op), made);
  known().any.store(true, std::memory_order_relaxed);
}

void ProgramOperator::freed(MPI_Op op) {
  if (!known().any.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(known().guard);
  known().operators.erase(bits(op));
  known().any.store(!known().operators.empty(), std::memory_order_relaxed);
}

ProgramOperator ProgramOperator::of(MPI_Op op) {
  if (!known().any.load(std::memory_order_relaxed)) return {};
  const std::shared_lock lock(known().guard);
  const auto found = known().operators.find(bits(op));
  return found == known().operators.end() ? ProgramOperator() : found->second;
}

bool ProgramOperator::call(const void* in, void* inout, MPI_Count count, MPI_Datatype type) const {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): as MPI declares it
  auto* left = static_cast<std::byte*>(const_cast<void*>(in));
  auto* right = static_cast<std::byte*>(inout);
  if (auto* const* const large = std::get_if<OperatorFunction<MPI_Count>*>(&function_)) {
    if (count > 0) (*large)(left, right, &count, &type);
    return true;
  }
  auto* const* const small = std::get_if<OperatorFunction<int>*>(&function_);
  if (small == nullptr) return false;
  constexpr MPI_Count most = std::numeric_limits<int>::max();
  const MPI_Aint extent = count > most ? extent_of(type) : 0;
  for (MPI_Count done = 0; done < count; done += most) {
    int length = static_cast<int>(std::min(most, count - done));
    (*small)(left + done * extent, right + done * extent, &length, &type);
  }
  return true;
}

}  // namespace raddle::endpoints::collectives
