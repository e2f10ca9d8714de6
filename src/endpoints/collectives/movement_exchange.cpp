// SPDX-License-Identifier: BSD-3-Clause
// What processes exchange of data that are only moved: bytes, those of all its endpoints in one message.
#include <algorithm>
#include <climits>

#include "endpoints/collectives/movement.hpp"
#include "endpoints/errors.hpp"

namespace raddle::endpoints::collectives {
namespace {

/// Counts and displacements for each process, in bytes; MPI takes them as `int`.
class PerProcess {
 public:
  /// @param numbers where they are kept
  PerProcess(std::vector<int>& numbers, int processes, int sets) : numbers_(numbers), processes_(processes) {
    numbers_.assign(static_cast<std::size_t>(2 * processes * sets), 0);
  }
  /// Appends what belongs to `process`; in the order of processes.
  void add(int set, int process, std::size_t bytes, std::size_t before) {
    if (bytes > INT_MAX || before > INT_MAX) {
      fits_ = false;
      return;
    }
    counts(set)[process] = static_cast<int>(bytes);
    displacements(set)[process] = static_cast<int>(before);
  }
  [[nodiscard]] int* counts(int set) const { return numbers_.data() + 2 * processes_ * set; }
  [[nodiscard]] int* displacements(int set) const { return counts(set) + processes_; }
  [[nodiscard]] bool fit() const { return fits_; }

 private:
  std::vector<int>& numbers_;
  int processes_;
  bool fits_ = true;
};

int too_long() {
  return error_with(MPI_ERR_COUNT,
                    "Raddle: a collective on endpoints exchanges at most 2 GiB - 1 with another process");
}

void append(std::vector<std::byte>& all, std::span<const std::byte> piece) {
  all.insert(all.end(), piece.begin(), piece.end());
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
    const std::span<const std::byte> message = part<Movement>(place(root_).index).brought_[0];
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

int Movement::exchange_gather(Exchanged& exchanged) {
  const Communicator& all = communicator();
  const int root = place(root_).process;
  if (!is_local(root_)) {
    for (int index = 0; index < meeting().seats(); ++index) append(exchanged.sent, part<Movement>(index).brought_[0]);
    if (exchanged.sent.size() > INT_MAX) return too_long();
    return PMPI_Igatherv(exchanged.sent.data(), static_cast<int>(exchanged.sent.size()), MPI_BYTE, nullptr, nullptr,
                         nullptr, MPI_BYTE, root, context().processes(), exchanged.add());
  }
  PerProcess in(exchanged.numbers, all.process_count(), 1);
  for (int process = 0; process < all.process_count(); ++process) {
    const std::size_t before = exchanged.received.size();
    if (process != root) {
      for (const int source : all.ranks_of(process)) make_room(exchanged, source, place(root_).index);
    }
    in.add(0, process, exchanged.received.size() - before, before);
  }
  if (!in.fit()) return too_long();
  return PMPI_Igatherv(nullptr, 0, MPI_BYTE, exchanged.received.data(), in.counts(0), in.displacements(0), MPI_BYTE,
                       root, context().processes(), exchanged.add());
}

int Movement::exchange_scatter(Exchanged& exchanged) {
  const Communicator& all = communicator();
  const int root = place(root_).process;
  if (!is_local(root_)) {
    for (int index = 0; index < meeting().seats(); ++index) make_room(exchanged, root_, index);
    if (exchanged.received.size() > INT_MAX) return too_long();
    return PMPI_Iscatterv(nullptr, nullptr, nullptr, MPI_BYTE, exchanged.received.data(),
                          static_cast<int>(exchanged.received.size()), MPI_BYTE, root, context().processes(),
                          exchanged.add());
  }
  const auto& at_root = part<Movement>(place(root_).index);
  PerProcess out(exchanged.numbers, all.process_count(), 1);
  for (int process = 0; process < all.process_count(); ++process) {
    const std::size_t before = exchanged.sent.size();
    if (process != root) {
      for (const int dest : all.ranks_of(process)) append(exchanged.sent, at_root.brought_[dest]);
    }
    out.add(0, process, exchanged.sent.size() - before, before);
  }
  if (!out.fit()) return too_long();
  return PMPI_Iscatterv(exchanged.sent.data(), out.counts(0), out.displacements(0), MPI_BYTE, nullptr, 0, MPI_BYTE,
                        root, context().processes(), exchanged.add());
}

int Movement::exchange_allgather(Exchanged& exchanged) {
  const Communicator& all = communicator();
  for (int index = 0; index < meeting().seats(); ++index) append(exchanged.sent, part<Movement>(index).brought_[0]);
  PerProcess in(exchanged.numbers, all.process_count(), 1);
  for (int process = 0; process < all.process_count(); ++process) {
    const std::size_t before = exchanged.received.size();
    for (const int source : all.ranks_of(process)) make_room(exchanged, source, index());
    in.add(0, process, exchanged.received.size() - before, before);
  }
  if (!in.fit() || exchanged.sent.size() > INT_MAX) return too_long();
  return PMPI_Iallgatherv(exchanged.sent.data(), static_cast<int>(exchanged.sent.size()), MPI_BYTE,
                          exchanged.received.data(), in.counts(0), in.displacements(0), MPI_BYTE, context().processes(),
                          exchanged.add());
}

int Movement::exchange_alltoall(Exchanged& exchanged) {
  const Communicator& all = communicator();
  PerProcess both(exchanged.numbers, all.process_count(), 2);
  for (int process = 0; process < all.process_count(); ++process) {
    const std::size_t sent_before = exchanged.sent.size();
    const std::size_t before = exchanged.received.size();
    if (process != all.process()) {
      for (int index = 0; index < meeting().seats(); ++index) {
        for (const int dest : all.ranks_of(process)) append(exchanged.sent, part<Movement>(index).brought_[dest]);
      }
      // In the order in which the other process has sent.
      for (const int source : all.ranks_of(process)) {
        for (int index = 0; index < meeting().seats(); ++index) make_room(exchanged, source, index);
      }
    }
    both.add(0, process, exchanged.sent.size() - sent_before, sent_before);
    both.add(1, process, exchanged.received.size() - before, before);
  }
  if (!both.fit()) return too_long();
  return PMPI_Ialltoallv(exchanged.sent.data(), both.counts(0), both.displacements(0), MPI_BYTE,
                         exchanged.received.data(), both.counts(1), both.displacements(1), MPI_BYTE,
                         context().processes(), exchanged.add());
}

}  // namespace raddle::endpoints::collectives
