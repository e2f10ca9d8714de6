// SPDX-License-Identifier: BSD-3-Clause
// The handles of endpoints. Each is a communicator of this process alone, or gets one late (late_handle.hpp).
#pragma once

#include <mpi.h>

#include <type_traits>
#include <vector>

namespace raddle::endpoints {

/// With the error handler of another communicator; MPI_COMM_NULL if the MPI has none left. Any thread.
MPI_Comm own_handle(MPI_Comm like);
/// One that is no endpoint's; MPI_COMM_NULL is left alone, and there afterwards.
void free_own_handle(MPI_Comm& handle);

/// So many, or none if the MPI has not got so many: given back unless they are kept.
class OwnHandles {
 public:
  OwnHandles(MPI_Comm like, int count);
  OwnHandles(const OwnHandles&) = delete;
  OwnHandles& operator=(const OwnHandles&) = delete;
  ~OwnHandles() { give_back(); }

  [[nodiscard]] const std::vector<MPI_Comm>& get() const { return handles_; }
  void keep() { handles_.clear(); }

 private:
  void give_back();
  std::vector<MPI_Comm> handles_;
};

}  // namespace raddle::endpoints

namespace raddle::endpoints::late {

// Handles of endpoints whose communicator is made late. An endpoint's handle is a communicator of its process alone,
// with which the MPI keeps names, attributes, hints and the error handler. Where an MPI has few communicators
// (platform::quirks().scarce_communicators) each endpoint would use up one of them. There a handle is a number that the
// MPI takes for no communicator, and the communicator behind it is made when something is to be kept with it.

/// MPICH's handles are integers whose two upper bits are 0 where they are invalid; the next four say of what they are.
/// These are like MPI_COMM_NULL, from which they count.
constexpr unsigned number_bits = 0x03ffffffU;
constexpr unsigned kind_bits = 0x04000000U;

/// Handles have to be integers for that.
constexpr bool possible = std::is_integral_v<MPI_Comm>;

/// Whether it is one of these.
template <typename Handle>
[[nodiscard]] constexpr bool is(Handle handle) {
  if constexpr (std::is_integral_v<Handle>) {
    const auto bits = static_cast<unsigned>(handle);
    return (bits & ~number_bits) == kind_bits && handle != MPI_COMM_NULL;
  } else {
    return false;
  }
}

/// One with the error handler of another communicator, late or not. Any thread.
[[nodiscard]] MPI_Comm make(MPI_Comm like);
/// One with this communicator behind it, whose attributes and hints are copied from now on. @returns it
[[nodiscard]] MPI_Comm put_before(MPI_Comm real);

/// What is behind a handle: made now if there is nothing yet. A handle that is not late is returned as it is.
/// @param keeps  something will be kept there that a duplicate has too
/// @returns MPI_COMM_NULL if the MPI has none left
[[nodiscard]] MPI_Comm real(MPI_Comm handle, bool keeps = false);
/// Where an error can be raised that this handle's error handler is to hear, even if the MPI has no communicators left.
[[nodiscard]] MPI_Comm to_raise_on(MPI_Comm handle);
/// Whether something has been kept that a duplicate has too.
[[nodiscard]] bool keeps(MPI_Comm handle);
/// The handle before a communicator; the same if there is none.
[[nodiscard]] MPI_Comm handle_of(MPI_Comm real);

/// What there is behind it, if anything: MPI_COMM_NULL otherwise.
[[nodiscard]] MPI_Comm behind(MPI_Comm handle);
/// The handle is given back, when what was behind it has been freed.
void give_back(MPI_Comm handle);

/// Before the MPI ends.
void forget_reserve();

}  // namespace raddle::endpoints::late

namespace raddle::endpoints {

/// What all others are made of: of the program's only this one is. The MPI has begun.
void make_own_comms();
/// One without attributes, which returns errors; MPI_COMM_NULL if the MPI has none left. Any threads may call at once.
MPI_Comm own_comm();
/// One that stays, for questions to the MPI that concern no communicator: errors are returned, which the user's own
/// communicators need not do.
MPI_Comm comm_to_ask();
/// With the error handler of another one.
MPI_Comm own_comm(MPI_Comm handler);

/// Before the MPI ends.
void forget_own_comms();

}  // namespace raddle::endpoints
