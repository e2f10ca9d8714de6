// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/native_office.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "endpoints/errors.hpp"
#include "endpoints/own_comm.hpp"
#include "endpoints/polling.hpp"
#include "engines/creation.hpp"
#include "node/cpu_set.hpp"
#include "node/cross_memory.hpp"
#include "partitioned/costs.hpp"
#include "platform/must.hpp"
#include "platform/own_copy.hpp"
#include "platform/settings.hpp"

namespace raddle::partitioned {
namespace {

using platform::must;

[[noreturn]] void fail_without_communicators(bool raised = false) {
  throw endpoints::Failure(
      endpoints::error_with(
          endpoints::endpoints_class(),
          "Raddle: partitioned communication could not be provided: the MPI has no communicators left"),
      raised);
}

/// Communicators that are being made, and go with this until somebody takes them.
class OwnLanes {
 public:
  OwnLanes() = default;
  OwnLanes(const OwnLanes&) = delete;
  OwnLanes& operator=(const OwnLanes&) = delete;
  ~OwnLanes() {
    for (MPI_Comm& lane : lanes_) platform::regardless(PMPI_Comm_free(&lane));
  }

  /// Collective over `comm`. @throws endpoints::Failure
  void add(MPI_Comm comm) {
    int code = MPI_SUCCESS;
    const MPI_Comm made = platform::own_copy(comm, code);
    if (made == MPI_COMM_NULL) fail_without_communicators(lanes_.empty());  // then it is the program's
    lanes_.push_back(made);
  }
  [[nodiscard]] MPI_Comm first() const { return lanes_.front(); }
  [[nodiscard]] std::vector<MPI_Comm> take() { return std::exchange(lanes_, {}); }

 private:
  std::vector<MPI_Comm> lanes_;
};

/// A process of the node, as it tells the others.
struct Neighbour {
  std::int32_t rank;
  std::int32_t process;
  std::uint64_t address;  ///< of a token that only this process has there
  std::uint64_t token;
};

class OnNode {
 public:
  /// @throws endpoints::Failure
  explicit OnNode(MPI_Comm comm) {
    if (PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_) != MPI_SUCCESS)
      fail_without_communicators();
    must("MPI_Comm_size", PMPI_Comm_size(node_, &size_));
    node::CpuSet cpus;
    must("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, cpus.bytes(), node::CpuSet::size, MPI_BYTE, MPI_BOR, node_));
    cpus_ = cpus.count();
  }
  OnNode(const OnNode&) = delete;
  OnNode& operator=(const OnNode&) = delete;
  ~OnNode() { platform::regardless(PMPI_Comm_free(&node_)); }

  [[nodiscard]] bool crowded() const { return size_ > cpus_; }

  /// By rank in `comm`. All of the node reach each other, or nobody does.
  [[nodiscard]] std::vector<bool> reached(MPI_Comm comm) {
    int rank = 0;
    int all = 0;
    must("MPI_Comm_rank", PMPI_Comm_rank(comm, &rank));
    must("MPI_Comm_size", PMPI_Comm_size(comm, &all));
    std::vector<bool> reached(static_cast<std::size_t>(all), false);
    if (size_ == 1 || platform::settings().node == platform::Node::rank) return reached;
    static const std::uint64_t token =
        static_cast<std::uint64_t>(getpid()) * 0x9e3779b97f4a7c15U ^ reinterpret_cast<std::uintptr_t>(&token);
    const Neighbour mine{rank, getpid(), reinterpret_cast<std::uintptr_t>(&token), token};
    std::vector<Neighbour> neighbours(static_cast<std::size_t>(size_));
    constexpr int bytes = static_cast<int>(sizeof mine);
    must("MPI_Allgather", PMPI_Allgather(&mine, bytes, MPI_BYTE, neighbours.data(), bytes, MPI_BYTE, node_));
    if (!all_reach(neighbours)) {
      if (allowed()) node::allow_tracers();
      if (!all_reach(neighbours)) return reached;
    }
    for (const Neighbour& one : neighbours) reached[static_cast<std::size_t>(one.rank)] = one.rank != rank;
    return reached;
  }

 private:
  static bool allowed() { return platform::settings().single_copy != platform::SingleCopy::off; }

  [[nodiscard]] bool all_reach(const std::vector<Neighbour>& neighbours) const {
    int mine = allowed() ? 1 : 0;
    for (const Neighbour& one : neighbours)
      mine = mine != 0 && node::can_reach(one.process, one.address, one.token) ? 1 : 0;
    int all = 0;
    must("MPI_Allreduce", PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, node_));
    return all != 0;
  }

  MPI_Comm node_ = MPI_COMM_NULL;
  int size_ = 1;
  int cpus_ = 1;
};

int peers_of(MPI_Comm comm) {
  int between = 0;
  int size = 0;
  must("MPI_Comm_test_inter", PMPI_Comm_test_inter(comm, &between));
  if (between != 0) {
    must("MPI_Comm_remote_size", PMPI_Comm_remote_size(comm, &size));
  } else {
    must("MPI_Comm_size", PMPI_Comm_size(comm, &size));
  }
  return size;
}

}  // namespace

std::unique_ptr<NativeOffice> NativeOffice::make(MPI_Comm comm) {
  OwnLanes lanes;
  lanes.add(comm);
  for (int more = platform::settings().part_lanes - 1; more > 0; --more) lanes.add(lanes.first());
  std::vector<bool> reached(static_cast<std::size_t>(peers_of(comm)), false);
  bool crowded = true;
  int between = 0;
  must("MPI_Comm_test_inter", PMPI_Comm_test_inter(comm, &between));
  if (between == 0) {
    OnNode node(lanes.first());
    reached = node.reached(lanes.first());
    crowded = node.crowded();
    measure_costs(lanes.first());
  }
  return std::make_unique<NativeOffice>(comm, lanes.take(), std::move(reached), crowded);
}

std::unique_ptr<NativeOffice> NativeOffice::make_alone(MPI_Comm comm, MPI_Comm lane) {
  constexpr bool crowded = true;  // to yield costs little
  const std::vector<bool> nobody(static_cast<std::size_t>(peers_of(lane)), false);
  return std::make_unique<NativeOffice>(comm, std::vector{lane}, nobody, crowded);
}

NativeOffice::NativeOffice(MPI_Comm program, std::vector<MPI_Comm> lanes, std::vector<bool> reached, bool crowded)
    : Mover(program),
      control_(lanes[0]),
      size_(static_cast<int>(reached.size())),
      crowded_(crowded),
      carrier_(new MpiCarrier(std::move(lanes), std::move(reached))),
      office_(std::unique_ptr<Carrier>(carrier_), active_) {}

NativeOffice::~NativeOffice() = default;

void NativeOffice::leave() {
  if (office_.unused()) return;
  stand_in_ = endpoints::own_comm(comm);
  comm = stand_in_ == MPI_COMM_NULL ? endpoints::without_communicator() : stand_in_;
  office_.raise_on(comm);
}

bool NativeOffice::ended() {
  if (!ending_ && !office_.unused()) {
    progress();
    return false;
  }
  return ended_with_requests();
}

bool NativeOffice::ended_with_requests() {
  if (!ending_) {
    office_.close();
    carrier_->begin_to_free();
    ending_ = true;
  }
  if (!carrier_->freed()) return false;
  if (stand_in_ != MPI_COMM_NULL) platform::must("MPI_Comm_free", PMPI_Comm_free(&stand_in_));
  return true;
}

void NativeOffice::meanwhile() { endpoints::Everything::progress(); }

}  // namespace raddle::partitioned
