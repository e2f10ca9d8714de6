// SPDX-License-Identifier: BSD-3-Clause
#include "exceptions.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <string>

namespace raddle::collectives {
namespace {

// The versions: MPICH 5.0.2, Open MPI 5.0.11, Intel MPI 2021.18.1.

/// Whether this MPI is of that family, by what it calls itself.
bool on(const char* family) {
  static const std::string library = [] {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    return std::string(text.data());
  }();
  return library.find(family) != std::string::npos;
}

bool derived_reduction(const Call& call) { return reduces(call.kind) && call.grain > 0; }

void tame_mpich(Call& call) {
  // Reductions that scatter or do not block: temporary memory for a datatype whose extent is not its length, or that
  // does not begin at 0, is freed where it does not begin, or is too short.
  const bool scatters = call.kind == Kind::reduce_scatter || call.kind == Kind::reduce_scatter_block;
  if (derived_reduction(call) && (call.mode != Mode::blocking || scatters)) call.grain = 0;
  // Long ones: ranks whose datatypes have other extents cut them into other pieces.
  if (call.kind == Kind::allgatherv) call.grain = 0;
}

void tame_intel(Call& call) {
  if (derived_reduction(call)) call.grain = 0;
  if (call.kind == Kind::allgather || call.kind == Kind::allgatherv) call.grain = 0;
}

void tame_open_mpi(Call& call) {
  // Persistent operations do not keep their datatypes.
  if (call.mode == Mode::persistent) call.forgetful = false;
  if (call.kind == Kind::allgatherv) call.grain = 0;
}

/// Persistent forms of these copy a rank's own block when they are made and not when they are started, and with three
/// ranks some starts fail with "Invalid communicator".
bool intel_cannot(const Call& call) {
  return (call.mode == Mode::persistent &&
          (call.kind == Kind::gather || call.kind == Kind::scatter || call.kind == Kind::allgather)) ||
         (call.kind == Kind::alltoallw && call.in_place && call.mode != Mode::blocking);
}

/// An MPI_OFFSET is taken for an unsigned number; on one rank MPI_Alltoallw takes displacements for items;
/// MPI_Alltoallv and MPI_Alltoallw in place that do not block give wrong results, or wait for ever where some blocks
/// are empty; copies of 64 KiB from one derived datatype to another lose elements; neighbourhood collectives answer
/// MPI_ERR_ARG, MPI_ERR_INTERN or MPI_ERR_TRUNCATE now and then, or wait for ever.
bool open_mpi_cannot(const Call& call) {
  const std::size_t most = *std::ranges::max_element(call.amounts);
  return (call.element->type == MPI_OFFSET && (call.op == Op::max || call.op == Op::min)) ||
         (call.kind == Kind::alltoallw && call.size == 1) || neighborhood(call.kind) ||
         (individual(call.kind) && call.in_place && call.mode != Mode::blocking) ||
         (call.grain > 0 && most * call.element->extent >= std::size_t{1} << 16U);
}

}  // namespace

void tame(Call& call) {
  if (on("MPICH")) tame_mpich(call);
  if (on("Intel")) tame_intel(call);
  if (on("Open MPI")) tame_open_mpi(call);
}

bool excepted(const Call& call) {
  if (on("Intel")) return intel_cannot(call);
  if (on("Open MPI")) return open_mpi_cannot(call);
  return false;
}

// MPI_Testall answers MPI_ERR_IN_STATUS once a persistent collective is complete.
bool spared_from_testall(const Operation* operation) {
  return operation && operation->call().mode == Mode::persistent && (on("Intel") || on("MPICH"));
}

}  // namespace raddle::collectives
