// SPDX-License-Identifier: BSD-3-Clause

#include "endpoints/collectives/held.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "endpoints/collectives/operators.hpp"
#include "endpoints/collectives/pieces.hpp"
#include "endpoints/datatypes/layout.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints::collectives {
namespace {

/// How many operations need each handle of one kind.
template <typename Handle>
class Holds {
 public:
  void take(Handle handle) {
    const std::lock_guard lock(guard_);
    ++holds_[bits(handle)].count;
    any_.store(true, std::memory_order_relaxed);
  }
  /// @returns whether it has to be freed now
  [[nodiscard]] bool release(Handle handle) {
    const std::lock_guard lock(guard_);
    const auto hold = holds_.find(bits(handle));
    if (--hold->second.count > 0) return false;
    const bool freed = hold->second.freed;
    holds_.erase(hold);
    any_.store(!holds_.empty(), std::memory_order_relaxed);
    return freed;
  }
  [[nodiscard]] bool free_later(Handle handle) {
    if (!any_.load(std::memory_order_relaxed)) return false;
    const std::lock_guard lock(guard_);
    const auto hold = holds_.find(bits(handle));
    if (hold == holds_.end()) return false;
    hold->second.freed = true;
    return true;
  }

 private:
  struct Hold {
    std::size_t count = 0;
    bool freed = false;
  };
  std::atomic<bool> any_{false};
  std::mutex guard_;
  std::map<std::uint64_t, Hold> holds_;
};

// Never destroyed: MPI may be called after the destructors of a program have run.
Holds<MPI_Datatype>& types() {
  static auto& all = *new Holds<MPI_Datatype>;
  return all;
}

/// Apart from datatypes, which are of the same C type in some MPIs.
Holds<MPI_Op>& ops() {
  static auto& all = *new Holds<MPI_Op>;
  return all;
}

}  // namespace

bool free_type_later(MPI_Datatype type) { return types().free_later(type); }
bool free_op_later(MPI_Op op) { return ops().free_later(op); }

Held::~Held() {
  for (MPI_Datatype& type : types_) {
    if (types().release(type)) platform::regardless(PMPI_Type_free(&type));
  }
  for (MPI_Op& op : ops_) {
    if (ops().release(op)) {
      ProgramOperator::freed(op);
      platform::regardless(PMPI_Op_free(&op));
    }
  }
}

MPI_Datatype Held::keep(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL || named_sizes.find(bits(type)) != 0) return type;
  types().take(type);
  types_.push_back(type);
  return type;
}

MPI_Op Held::keep_op(MPI_Op op) {
  ops().take(op);
  ops_.push_back(op);
  return op;
}

const MPI_Datatype* Held::keep(const MPI_Datatype* types, int count) {
  auto& array = arrays_.emplace_back(std::make_unique<MPI_Datatype[]>(static_cast<std::size_t>(count)));
  for (int i = 0; i < count; ++i) array[static_cast<std::size_t>(i)] = keep(types[i]);
  return array.get();
}

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
