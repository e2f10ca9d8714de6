// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/native_office.hpp"

#include <utility>

#include "endpoints/errors.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/requests/polling.hpp"
#include "engines/creation.hpp"
#include "node/cross_memory.hpp"
#include "node/node_comm.hpp"
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

node::NodeComm node_of(MPI_Comm comm) {
  int code = MPI_SUCCESS;
  node::NodeComm here(comm, node::of_processes, code);
  if (code != MPI_SUCCESS) fail_without_communicators();
  return here;
}

/// By rank in `comm`, whose ranks of this node are `here`. All of these reach each other, or nobody does. Collective.
std::vector<bool> reached_on(const node::NodeComm& here, MPI_Comm comm) {
  int rank = 0;
  int all = 0;
  must("MPI_Comm_rank", PMPI_Comm_rank(comm, &rank));
  must("MPI_Comm_size", PMPI_Comm_size(comm, &all));
  std::vector<bool> reached(static_cast<std::size_t>(all), false);
  if (here.size() == 1 || platform::settings().node == platform::NodeScope::rank) return reached;
  const std::vector<node::Member> members = here.members(rank);
  if (!here.reach_each_other(members)) {
    if (platform::settings().single_copy != platform::SingleCopy::off) node::allow_tracers();
    if (!here.reach_each_other(members)) return reached;
  }
  for (const node::Member& one : members) reached[static_cast<std::size_t>(one.rank)] = one.rank != rank;
  return reached;
}

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
    const node::NodeComm here = node_of(lanes.first());
    crowded = here.size() > here.count_cpus();
    reached = reached_on(here, lanes.first());
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
