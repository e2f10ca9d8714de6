// SPDX-License-Identifier: BSD-3-Clause
#include "operation.hpp"

#include <algorithm>
#include <utility>

#include "operators.hpp"

namespace raddle::collectives {
namespace {

using Use = Side::Use;

template <typename Count, typename Displacement>
void append(std::vector<Count>& counts, std::vector<Displacement>& places, std::size_t items, std::ptrdiff_t at) {
  counts.push_back(static_cast<Count>(items));
  places.push_back(static_cast<Displacement>(at));
}

}  // namespace

Operation::Operation(const Call& call, int rank, MPI_Comm comm)
    : call_(call), plan_(make_plan(call, rank)), send_(call, plan_.send, rank, 0), recv_(call, plan_.recv, rank, 1) {
  arguments_.comm = comm;
  arguments_.root = call.root;
  arguments_.op = handle_of(call.op, call.large);
  describe_side(plan_.send, send_, false);
  describe_side(plan_.recv, recv_, true);
  if (!reduces(call.kind)) return;
  // Reductions are told once how many elements there are: of the input, or of each rank's result.
  const std::size_t units = send_.shape().units();
  arguments_.recv_types = {send_.type()};
  arguments_.small.recv_counts.clear();
  arguments_.large.recv_counts.clear();
  if (call.kind == Kind::reduce_scatter) {
    for (int other = 0; other < call.size; ++other) {
      const std::size_t items = call.units(0, other) / units;
      arguments_.small.recv_counts.push_back(static_cast<int>(items));
      arguments_.large.recv_counts.push_back(static_cast<MPI_Count>(items));
    }
  } else {
    const std::size_t items = call.amounts.front() / units;
    arguments_.small.recv_counts.push_back(static_cast<int>(items));
    arguments_.large.recv_counts.push_back(static_cast<MPI_Count>(items));
  }
}

void Operation::describe_side(const Side& side, Buffer& buffer, bool receiving) {
  void* address = side.use == Use::normal ? buffer.address() : side.use == Use::in_place ? MPI_IN_PLACE : nullptr;
  std::vector<int> counts;
  std::vector<int> places;
  std::vector<MPI_Count> large_counts;
  std::vector<MPI_Aint> large_places;
  std::vector<MPI_Datatype> types;
  if (side.use == Use::normal) {
    for (const Block& block : buffer.blocks()) {
      const std::ptrdiff_t at = typed(call_.kind) ? block.at : block.at / block.shape->extent();
      append(counts, places, block.items, at);
      append(large_counts, large_places, block.items, at);
      types.push_back(block.shape->type());
    }
  } else {
    // Nobody may look at these. (Arrays are as long as they could have to be.)
    const int count = call_.garbage ? -1 : 0;
    counts.assign(static_cast<std::size_t>(call_.size), count);
    places.assign(counts.size(), 0);
    large_counts.assign(counts.size(), count);
    large_places.assign(counts.size(), 0);
    types.assign(counts.size(), call_.garbage ? MPI_DATATYPE_NULL : MPI_BYTE);
    if (side.use == Use::none && !call_.garbage) address = buffer.address();
  }
  if (types.empty()) types.push_back(buffer.type());
  // Without neighbours there are still arrays: some MPIs insist.
  if (counts.empty()) append(counts, places, 0, 0);
  if (large_counts.empty()) append(large_counts, large_places, 0, 0);
  if (receiving) {
    arguments_.recv = address;
    arguments_.small.recv_counts = std::move(counts);
    arguments_.small.recv_at = std::move(places);
    arguments_.large.recv_counts = std::move(large_counts);
    arguments_.large.recv_at = std::move(large_places);
    arguments_.recv_types = std::move(types);
  } else {
    arguments_.send = address;
    arguments_.small.send_counts = std::move(counts);
    arguments_.small.send_at = std::move(places);
    arguments_.large.send_counts = std::move(large_counts);
    arguments_.large.send_at = std::move(large_places);
    arguments_.send_types = std::move(types);
  }
}

const char* Operation::name() const noexcept {
  return initialised_ && call_.mode == Mode::persistent ? "MPI_Start" : form(call_.kind, call_.mode, call_.large).name;
}

int Operation::begin() {
  const std::uint64_t key = traffic::mix({call_.key, 5, static_cast<std::uint64_t>(starts_)});
  send_.fill(key);
  recv_.fill(key);
  ++starts_;
  int code = MPI_SUCCESS;
  if (!initialised_) {
    code = form(call_.kind, call_.mode, call_.large).call(arguments_, &request);
    initialised_ = true;
    // An operator of ours is told of the datatypes it works on, so they stay.
    if (call_.forgetful && call_.op != Op::mixing && call_.op != Op::affine) {
      send_.forget();
      recv_.forget();
    }
  }
  if (code == MPI_SUCCESS && call_.mode == Mode::persistent)
    code = call_.garbage ? MPI_Startall(1, &request) : MPI_Start(&request);
  return code;
}

std::string Operation::verdict() {
  const std::string sent = send_.verdict();
  if (!sent.empty()) return "what is sent, " + send_.shape().describe() + ": " + sent;
  const std::string received = recv_.verdict();
  return received.empty() ? "" : "what is received, " + recv_.shape().describe() + ": " + received;
}

}  // namespace raddle::collectives
