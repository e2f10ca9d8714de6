// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/held.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "endpoints/collectives/program_operators.hpp"
#include "endpoints/datatypes/layout_named.hpp"
#include "endpoints/handles/handles.hpp"
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

}  // namespace raddle::endpoints::collectives
