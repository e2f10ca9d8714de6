// SPDX-License-Identifier: BSD-3-Clause
// What processes exchange of reductions: what each has combined of its endpoints; or, where ranks do not lie in the
// order of processes and that matters, all that they have brought.
#include <algorithm>
#include <climits>

#include "endpoints/collectives/reduction.hpp"
#include "endpoints/errors.hpp"

namespace raddle::endpoints::collectives {
namespace {

constexpr std::size_t combined_at_once = std::size_t{4} * 1024;  // bytes that are not worth sharing

int too_long() {
  return error_with(MPI_ERR_COUNT, "Raddle: this reduction over several nodes has at most 2^31 - 1 elements");
}

}  // namespace

bool Reduction::can_exchange() {
  if (!all_have_arrived() || !all_alike()) return false;
  if (!by_process() || elements_.bytes(count_) <= combined_at_once) return true;
  Exchanged& now = exchanged();
  if (now.open.load(std::memory_order_relaxed) != number()) {
    now.combined = elements_.room(now.sent, count_);
    now.open.store(number(), std::memory_order_release);
  }
  return meeting().shares(number()).complete(number(), shares());
}

int Reduction::exchange(Exchanged& exchanged) {
  if (!by_process()) {
    const bool fits = elements_.packed(count_) * static_cast<std::size_t>(size()) <= INT_MAX;
    return fits ? exchange_all(exchanged) : too_long();
  }
  return in_pieces() || count_ <= INT_MAX ? exchange_combined(exchanged) : too_long();
}

template <typename Call>
int Reduction::exchange_in_pieces(Exchanged& exchanged, Call&& call) const {
  const auto pieces = static_cast<MPI_Count>(context().pieces(elements_.bytes(count_)));
  const MPI_Count each = (count_ + pieces - 1) / pieces;
  int code = MPI_SUCCESS;
  for (MPI_Count i = 0; i < pieces && code == MPI_SUCCESS; ++i) {
    const MPI_Count first = std::min(i * each, count_);
    code = call(elements_.at(exchanged.combined, first), static_cast<int>(std::min(each, count_ - first)),
                static_cast<std::size_t>(i));
  }
  return code;
}

int Reduction::exchange_combined(Exchanged& exchanged) {
  if (exchanged.open.load(std::memory_order_relaxed) != number()) {
    exchanged.combined = elements_.room(exchanged.sent, count_);
    const int code = fold(meeting().seats(), [&](int index) { return brought(index, 0); }, exchanged.combined, count_);
    if (code != MPI_SUCCESS) return code;
  }
  const Communicator& all = communicator();
  void* const combined = exchanged.combined;
  const int count = static_cast<int>(count_);
  const MPI_Datatype type = combine_ != nullptr ? plain(elements_.type()) : elements_.type();
  const MPI_Comm processes = context().processes();
  switch (kind_) {
    case Kind::reduce:
      return exchange_in_pieces(exchanged, [&](void* piece, int elements, std::size_t i) {
        const int root = place(root_).process;
        const bool receives = root == all.process();
        return PMPI_Ireduce(receives ? MPI_IN_PLACE : piece, receives ? piece : nullptr, elements, type, op_, root,
                            context().lane(i), exchanged.add());
      });
    case Kind::scan:
    case Kind::exscan:
      exchanged.before = elements_.room(exchanged.received, count_);
      return PMPI_Iexscan(combined, exchanged.before, count, type, op_, processes, exchanged.add());
    case Kind::reduce_scatter:
      if (all.in_order()) {
        exchanged.numbers.assign(static_cast<std::size_t>(all.process_count()), 0);
        for (int rank = 0; rank < size(); ++rank)
          exchanged.numbers[static_cast<std::size_t>(place(rank).process)] += static_cast<int>(parts_[rank]);
        exchanged.before =
            elements_.room(exchanged.received, exchanged.numbers[static_cast<std::size_t>(all.process())]);
        return PMPI_Ireduce_scatter(combined, exchanged.before, exchanged.numbers.data(), type, op_, processes,
                                    exchanged.add());
      }
      [[fallthrough]];
    case Kind::allreduce:
      return exchange_in_pieces(exchanged, [&](void* piece, int elements, std::size_t i) {
        return PMPI_Iallreduce(MPI_IN_PLACE, piece, elements, type, op_, context().lane(i), exchanged.add());
      });
  }
  return MPI_ERR_INTERN;
}

int Reduction::exchange_all(Exchanged& exchanged) {
  const Communicator& all = communicator();
  const std::size_t each = elements_.packed(count_);
  exchanged.sent.resize(each * static_cast<std::size_t>(meeting().seats()));
  for (int index = 0; index < meeting().seats(); ++index) {
    std::byte* const to = exchanged.sent.data() + each * static_cast<std::size_t>(index);
    if (const int code = elements_.pack(brought(index, 0), to, count_); code != MPI_SUCCESS) return code;
  }
  exchanged.received.resize(each * static_cast<std::size_t>(size()));
  exchanged.pieces.assign(static_cast<std::size_t>(size()), {});
  exchanged.numbers.clear();
  std::vector<int> displacements;
  std::size_t sum = 0;
  for (int process = 0; process < all.process_count(); ++process) {
    displacements.push_back(static_cast<int>(sum));
    for (const int rank : all.ranks_of(process)) {
      exchanged.pieces[static_cast<std::size_t>(rank)] = {sum, each};
      sum += each;
    }
    exchanged.numbers.push_back(static_cast<int>(sum) - displacements.back());
  }
  exchanged.numbers.insert(exchanged.numbers.end(), displacements.begin(), displacements.end());
  return PMPI_Iallgatherv(exchanged.sent.data(), static_cast<int>(exchanged.sent.size()), MPI_BYTE,
                          exchanged.received.data(), exchanged.numbers.data(),
                          exchanged.numbers.data() + all.process_count(), MPI_BYTE, context().processes(),
                          exchanged.add());
}

int Reduction::take_exchanged() {
  const bool scans = kind_ == Kind::scan || kind_ == Kind::exscan;
  const auto [first, count, ranks] = own();
  MPI_Count first_of_process = 0;
  if (kind_ == Kind::reduce_scatter) {
    for (int before = 0; before < communicator().own_ranks().front(); ++before) first_of_process += parts_[before];
  }
  if (count == 0) return MPI_SUCCESS;
  std::vector<std::byte> storage;
  std::vector<std::byte> unpacked;
  if (!by_process()) {
    if (ranks == 0) return MPI_SUCCESS;
    int failed = MPI_SUCCESS;
    void* const one = elements_.room(unpacked, count_);
    const auto who = [&, from = first](int rank) -> const void* {
      const std::byte* const packed =
          exchanged().received.data() + exchanged().pieces[static_cast<std::size_t>(rank)].begin;
      if (elements_.dense()) return elements_.at(packed, from);
      if (const int code = elements_.unpack(packed, one, count_); code != MPI_SUCCESS) failed = code;
      return elements_.at(one, from);
    };
    void* const result = elements_.room(storage, count);
    const int code = fold(ranks, who, result, count);
    if (code != MPI_SUCCESS || failed != MPI_SUCCESS) return code != MPI_SUCCESS ? code : failed;
    return give(result, count);
  }
  if (kind_ == Kind::reduce_scatter) {
    const bool scattered = communicator().in_order();
    return give(scattered ? elements_.at(exchanged().before, first - first_of_process)
                          : elements_.at(exchanged().combined, first),
                count);
  }
  if (!scans) return give(exchanged().combined, count);
  const int locals = index() + (kind_ == Kind::scan ? 1 : 0);
  const bool has_before = communicator().process() > 0;
  if (locals == 0) return has_before ? give(exchanged().before, count) : MPI_SUCCESS;
  void* const result = elements_.room(storage, count);
  int code = fold(locals, [&](int index) { return brought(index, 0); }, result, count);
  if (code == MPI_SUCCESS && has_before) code = combine(exchanged().before, result, count);
  return code == MPI_SUCCESS ? give(result, count) : code;
}

}  // namespace raddle::endpoints::collectives
