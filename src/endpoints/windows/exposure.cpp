// SPDX-License-Identifier: BSD-3-Clause
// The memory of a window (MPI-4.1 section 12.2): what each rank exposes, and how each of the others reaches it.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/windows/window.hpp"
#include "node/node_comm.hpp"

namespace raddle::endpoints {
namespace {

constexpr std::size_t cache_line = 64;

constexpr std::size_t whole_lines(std::size_t bytes) { return (bytes + cache_line - 1) / cache_line * cache_line; }

auto allocate(std::size_t bytes) {
  const auto free = +[](std::byte* memory) { ::operator delete[](memory, std::align_val_t{cache_line}); };
  return std::unique_ptr<std::byte[], void (*)(std::byte*)>(
      static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{cache_line})), free);
}

bool says_noncontiguous(MPI_Info info) {
  if (info == MPI_INFO_NULL) return false;
  char value[8] = {};
  int found = 0;
  check(PMPI_Info_get(info, "alloc_shared_noncontig", sizeof value - 1, value, &found));
  return found != 0 && std::string_view(value) == "true";
}

}  // namespace

/// What a rank tells all others of its part.
struct Window::Exposure {
  std::uint64_t at;       ///< in its own process; in the memory of the node: from where that begins
  std::uint64_t control;  ///< in its own process
  std::int64_t bytes;
  std::int64_t unit;
  std::int32_t in_segment;  ///< its control is in the memory of the node
  std::int32_t atomics;     ///< nobody of its node copies to its memory
};

/// Ranks of this rank's node. None where all ranks are in one process.
struct Window::Neighbours {
  std::vector<node::Member> members;
  std::size_t own = 0;  ///< which of them is this rank
  bool copy = false;    ///< by cross-memory attach
};

void Window::expose(const WindowArguments& arguments) {
  const bool adjoins = flavor_ == MPI_WIN_FLAVOR_SHARED && !says_noncontiguous(arguments.info);
  Exposure mine{.at = 0, .control = 0, .bytes = arguments.size, .unit = arguments.unit, .in_segment = 0, .atomics = 1};
  Neighbours neighbours;
  if (endpoint_.communicator().process_count() > 1) neighbours = meet_neighbours(arguments, adjoins, mine);

  const bool in_segment = shared_ && !brings_memory();
  if (brings_memory()) {
    base_ = flavor_ == MPI_WIN_FLAVOR_DYNAMIC ? MPI_BOTTOM : arguments.base;
  } else if (in_segment) {
    base_ = shared_->bytes().data() + mine.at;
  } else if (!adjoins) {
    own_memory_ = allocate(static_cast<std::size_t>(arguments.size));
    base_ = own_memory_.get();
  }
  if (!in_segment) mine.at = reinterpret_cast<std::uintptr_t>(base_);
  if (!shared_) {
    own_control_ = allocate(WindowControl::bytes(targets_.size()));
    control_ = WindowControl::make(own_control_.get(), targets_.size());
    mine.control = reinterpret_cast<std::uintptr_t>(control_);
  }

  std::vector<Exposure> all(targets_.size());
  constexpr int bytes = sizeof mine;
  check(PMPI_Allgather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, endpoint_.comm));
  if (adjoins && !in_segment) adjoin(all);
  aim_in_process(all);
  if (shared_) aim_on_node(neighbours);
  if (bytes_ == 0 && !brings_memory()) base_ = nullptr;
}

Window::Neighbours Window::meet_neighbours(const WindowArguments& arguments, bool adjoins, Exposure& mine) {
  const bool needs_memory = flavor_ == MPI_WIN_FLAVOR_SHARED;
  int code = MPI_SUCCESS;
  const node::NodeComm node(endpoint_.comm, node::of_ranks, code);
  check(code);
  if (needs_memory && node.size() < endpoint_.size())
    throw platform::failure_of_all(
        error_with(MPI_ERR_RMA_SHARED, "Raddle: MPI_Win_allocate_shared needs ranks that share a node"));
  Neighbours found{.members = node.members(endpoint_.rank()), .own = static_cast<std::size_t>(node.rank())};

  // First the controls of all, then the parts of their memory.
  std::uint64_t end = found.members.size() * WindowControl::bytes(found.members.size());
  const std::vector<std::uint64_t> sizes =
      node.gather(static_cast<std::uint64_t>(brings_memory() ? 0 : arguments.size));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (static_cast<int>(i) == node.rank()) mine.at = end;
    end += adjoins ? sizes[i] : whole_lines(sizes[i]);
  }
  node::Sharing sharing = node.share(end);
  if (!sharing.memory) {
    if (needs_memory)
      throw platform::failure_of_all(error_with(MPI_ERR_RMA_SHARED, "Raddle: no shared memory: " + sharing.problem));
    return found;
  }
  shared_ = std::move(sharing.memory);
  mine.in_segment = 1;
  if (node.rank() == 0) {
    const std::size_t ranks = found.members.size();
    for (std::size_t i = 0; i < ranks; ++i)
      WindowControl::make(shared_->bytes().data() + i * WindowControl::bytes(ranks), ranks);
  }
  node.wait_for_all();
  found.copy = brings_memory() && node.reach_each_other(found.members);
  // Those who copy do so in two steps, which the processor's atomics do not keep apart.
  mine.atomics = found.copy ? 0 : 1;
  return found;
}

void Window::adjoin(std::vector<Exposure>& all) {
  std::uint64_t sum = 0;
  for (const Exposure& one : all) sum += static_cast<std::uint64_t>(one.bytes);
  std::uint64_t at = 0;
  if (endpoint_.rank() == 0) {
    own_memory_ = allocate(sum);
    at = reinterpret_cast<std::uintptr_t>(own_memory_.get());
  }
  check(PMPI_Bcast(&at, 1, MPI_UINT64_T, 0, endpoint_.comm));
  for (Exposure& one : all) {
    one.at = at;
    at += static_cast<std::uint64_t>(one.bytes);
  }
  base_ = reinterpret_cast<void*>(all[static_cast<std::size_t>(endpoint_.rank())].at);
}

void Window::aim_in_process(const std::vector<Exposure>& all) {
  const Communicator& communicator = endpoint_.communicator();
  for (int rank = 0; rank < size(); ++rank) {
    const Exposure& one = all[static_cast<std::size_t>(rank)];
    Target& there = target(rank);
    there.at = one.at;
    there.bytes = one.bytes;
    there.unit = one.unit;
    there.atomics = one.atomics != 0;
    if (communicator.places()[static_cast<std::size_t>(rank)].process != communicator.process()) continue;
    there.reach = Reach::mapped;
    if (one.in_segment == 0) {
      there.control = reinterpret_cast<WindowControl*>(one.control);
      meet(there, *control_, static_cast<std::size_t>(rank), static_cast<std::size_t>(endpoint_.rank()));
    }
  }
}

void Window::meet(Target& there, WindowControl& own, std::size_t number, std::size_t own_number) {
  there.post_there = &there.control->post(own_number);
  there.post_here = &own.post(number);
}

void Window::aim_on_node(const Neighbours& neighbours) {
  std::byte* const memory = shared_->bytes().data();
  const std::size_t ranks = neighbours.members.size();
  const auto control = [&](std::size_t i) {
    return std::launder(reinterpret_cast<WindowControl*>(memory + i * WindowControl::bytes(ranks)));
  };
  control_ = control(neighbours.own);
  for (std::size_t i = 0; i < ranks; ++i) {
    const node::Member& member = neighbours.members[i];
    Target& there = target(member.rank);
    there.control = control(i);
    meet(there, *control_, i, neighbours.own);
    if (!brings_memory()) {
      there.at += reinterpret_cast<std::uintptr_t>(memory);
      there.reach = Reach::mapped;
    } else if (there.reach != Reach::mapped && neighbours.copy) {
      there.reach = Reach::copied;
      there.process = member.process.pid;
    }
  }
}

}  // namespace raddle::endpoints
