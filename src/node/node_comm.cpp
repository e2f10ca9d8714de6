// SPDX-License-Identifier: BSD-3-Clause

#include "node/node_comm.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>
#include <utility>

#include "node/cpu_set.hpp"
#include "node/cross_memory.hpp"
#include "node/process_watch.hpp"
#include "platform/errors.hpp"
#include "platform/must.hpp"
#include "platform/own_copy.hpp"
#include "platform/settings.hpp"

namespace raddle::node {

const Calls of_processes{
    .comm_split_type = PMPI_Comm_split_type,
    .comm_split = PMPI_Comm_split,
    .comm_set_errhandler = PMPI_Comm_set_errhandler,
    .comm_rank = PMPI_Comm_rank,
    .comm_size = PMPI_Comm_size,
    .comm_free = PMPI_Comm_free,
    .allgather = PMPI_Allgather,
    .allreduce = PMPI_Allreduce,
    .barrier = PMPI_Barrier,
    .bcast = PMPI_Bcast,
    .expect = platform::must,
};

const Calls of_ranks{
    .comm_split_type = MPI_Comm_split_type,
    .comm_split = MPI_Comm_split,
    .comm_set_errhandler = MPI_Comm_set_errhandler,
    .comm_rank = MPI_Comm_rank,
    .comm_size = MPI_Comm_size,
    .comm_free = MPI_Comm_free,
    .allgather = MPI_Allgather,
    .allreduce = MPI_Allreduce,
    .barrier = MPI_Barrier,
    .bcast = MPI_Bcast,
    .expect = [](const char*, int code) { platform::check(code); },
};

using platform::must;

bool all_of(MPI_Comm comm, const Calls& calls, bool mine) {
  int every = mine ? 1 : 0;
  if (comm != MPI_COMM_NULL)
    calls.expect("MPI_Allreduce", calls.allreduce(MPI_IN_PLACE, &every, 1, MPI_INT, MPI_LAND, comm));
  return every != 0;
}

NodeComm::NodeComm(MPI_Comm comm, const Calls& calls, int& code) : calls_(&calls) {
  code = MPI_SUCCESS;
  if (comm == MPI_COMM_NULL) return;
  const platform::MakingOwn own;
  code = calls_->comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm_);
  if (code == MPI_SUCCESS) take(comm_);
}

NodeComm::NodeComm(NodeComm&& other) noexcept { swap(other); }

NodeComm& NodeComm::operator=(NodeComm&& other) noexcept {
  NodeComm taken(std::move(other));
  swap(taken);
  return *this;
}

NodeComm::~NodeComm() {
  if (comm_ != MPI_COMM_NULL) platform::regardless(calls_->comm_free(&comm_));
}

void NodeComm::swap(NodeComm& other) noexcept {
  std::swap(calls_, other.calls_);
  std::swap(comm_, other.comm_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
}

void NodeComm::take(MPI_Comm made) {
  comm_ = made;
  must("MPI_Comm_set_errhandler", calls_->comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
  must("MPI_Comm_rank", calls_->comm_rank(comm_, &rank_));
  must("MPI_Comm_size", calls_->comm_size(comm_, &size_));
}

int NodeComm::divide(int part) {
  if (comm_ == MPI_COMM_NULL) return MPI_SUCCESS;
  const platform::MakingOwn own;
  MPI_Comm made = MPI_COMM_NULL;
  const int code = calls_->comm_split(comm_, part, rank_, &made);
  if (code != MPI_SUCCESS) return code;
  platform::regardless(calls_->comm_free(&comm_));
  take(made);
  return MPI_SUCCESS;
}

void NodeComm::gather(const void* mine, std::size_t bytes, void* all) const {
  const int count = static_cast<int>(bytes);
  if (comm_ == MPI_COMM_NULL) {
    std::memcpy(all, mine, bytes);
  } else {
    calls_->expect("MPI_Allgather", calls_->allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, comm_));
  }
}

int NodeComm::count_cpus() const {
  CpuSet cpus = CpuSet::lately();
  if (comm_ != MPI_COMM_NULL)
    calls_->expect("MPI_Allreduce",
                   calls_->allreduce(MPI_IN_PLACE, cpus.bytes(), CpuSet::size, MPI_BYTE, MPI_BOR, comm_));
  return cpus.count();
}

std::vector<Member> NodeComm::members(int rank) const {
  const std::uint64_t& number = own_number();
  return gather(Member{rank, this_process(), number, reinterpret_cast<std::uintptr_t>(&number)});
}

bool NodeComm::reach_each_other(std::span<const Member> members) const {
  if (size_ == 1) return true;
  // A pid may mean another process here than it does there: that one does not have the number at this place.
  const auto reaches = [](const Member& member) {
    return can_reach(member.process.pid, static_cast<std::uintptr_t>(member.number_at), member.number);
  };
  return all(platform::settings().single_copy != platform::SingleCopy::off && std::ranges::all_of(members, reaches));
}

void NodeComm::wait_for_all() const {
  if (comm_ != MPI_COMM_NULL) calls_->expect("MPI_Barrier", calls_->barrier(comm_));
}

Sharing NodeComm::share(std::size_t bytes, std::size_t spare) const {
  Sharing result;
  const auto attempt = [&](auto&& make) {
    try {
      result.memory.emplace(make());
    } catch (const std::system_error& error) {
      result.problem = error.what();
    }
  };
  if (comm_ == MPI_COMM_NULL) {
    attempt([&] { return SharedSegment::alone(bytes); });
    return result;
  }
  const bool first = rank_ == 0;
  for (const auto kind : {SharedSegment::Kind::nameless, SharedSegment::Kind::named}) {
    std::array<char, 64> address{};
    if (first) attempt([&] { return SharedSegment::create(bytes, kind, spare); });
    if (first && result.memory) result.memory->address().copy(address.data(), address.size() - 1);
    calls_->expect("MPI_Bcast", calls_->bcast(address.data(), static_cast<int>(address.size()), MPI_CHAR, 0, comm_));
    if (!first && address[0] != '\0') attempt([&] { return SharedSegment::open(address.data(), bytes, spare); });
    if (all(result.memory.has_value())) {
      result.memory->all_have_it();
      return result;
    }
    result.memory.reset();
  }
  return result;
}

}  // namespace raddle::node
