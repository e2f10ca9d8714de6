// SPDX-License-Identifier: BSD-3-Clause

#include "endpoints/handles/handles.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "platform/gpus.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

namespace {

thread_local Leaving* innermost = nullptr;

std::mutex guard_of_leaving;
int leaving_now = 0;  ///< of all threads; as long as it is not 0 the gate says so

void add(int change) {
  const std::lock_guard lock(guard_of_leaving);
  leaving_now += change;
  if (leaving_now > 0)
    gate.fetch_or(someone_leaves, std::memory_order_relaxed);
  else
    gate.fetch_and(~someone_leaves, std::memory_order_relaxed);
}

}  // namespace

void look_for_gpus() {
  if (platform::gpus::look()) gate.fetch_or(with_gpus, std::memory_order_relaxed);
}

Leaving::Leaving(Endpoint& endpoint) : endpoint_(endpoint), outer_(std::exchange(innermost, this)) { add(1); }

Leaving::~Leaving() {
  innermost = outer_;
  add(-1);
}

Endpoint* Leaving::with(MPI_Comm comm) {
  for (const Leaving* one = innermost; one != nullptr; one = one->outer_) {
    if (one->endpoint_.comm == comm) return &one->endpoint_;
  }
  return nullptr;
}

Endpoint* meant_by(MPI_Comm comm) {
  const Rank* const rank = adopted;
  if (rank == nullptr) return nullptr;
  if (comm == MPI_COMM_WORLD) return rank->world;
  return comm == MPI_COMM_SELF ? rank->self : nullptr;
}

namespace {

using platform::must;

/// Messages wait on a communicator of their own.
struct MessageHandles {
  std::mutex guard;
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<MPI_Message> idle;
  std::vector<MPI_Request> sent;  ///< to oneself: complete when they are received, with some MPIs
};

MessageHandles& message_handles() {
  static auto& lasting = *new MessageHandles;  // a destructor of the program may call MPI_Finalize
  return lasting;
}

}  // namespace

MPI_Request make_request_handle() {
  const AsProcess process;
  MPI_Request request = MPI_REQUEST_NULL;
  must("MPI_Recv_init", PMPI_Recv_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request));
  return request;
}

void free_request_handle(MPI_Request handle) { platform::regardless(PMPI_Request_free(&handle)); }

MPI_Message take_message_handle() {
  MessageHandles& all = message_handles();
  const std::lock_guard lock(all.guard);
  if (!all.idle.empty()) {
    const MPI_Message message = all.idle.back();
    all.idle.pop_back();
    return message;
  }
  const AsProcess process;
  if (all.comm == MPI_COMM_NULL) all.comm = own_comm();
  MPI_Message message = MPI_MESSAGE_NULL;
  must("MPI_Isend", PMPI_Isend(nullptr, 0, MPI_BYTE, 0, 0, all.comm, &all.sent.emplace_back(MPI_REQUEST_NULL)));
  must("MPI_Mprobe", PMPI_Mprobe(0, 0, all.comm, &message, MPI_STATUS_IGNORE));
  return message;
}

void give_back_message_handle(MPI_Message handle) {
  MessageHandles& all = message_handles();
  const std::lock_guard lock(all.guard);
  all.idle.push_back(handle);
}

void free_message_handles() {
  MessageHandles& all = message_handles();
  const std::lock_guard lock(all.guard);
  for (MPI_Message& message : all.idle)
    must("MPI_Mrecv", PMPI_Mrecv(nullptr, 0, MPI_BYTE, &message, MPI_STATUS_IGNORE));
  all.idle.clear();
  must("MPI_Waitall", PMPI_Waitall(static_cast<int>(all.sent.size()), all.sent.data(), MPI_STATUSES_IGNORE));
  all.sent.clear();
  if (all.comm != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&all.comm));
}

}  // namespace raddle::endpoints
