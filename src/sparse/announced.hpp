// SPDX-License-Identifier: BSD-3-Clause
// The algorithms in which an MPI_Alltoall announces all sizes, O(P) memory and volume. alltoallv: then one
// MPI_Alltoallv, which is what programs do that know nothing better. pex: then point-to-point messages.
// Source: Hoefler, Siebert, Lumsdaine, PPoPP '10, section 4.1 (personalized exchange).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/message.hpp"
#include "sparse/receiver.hpp"
#include "sparse/round.hpp"
#include "sparse/sender.hpp"
#include "sparse/way.hpp"

namespace raddle::sparse {

class Announced final : public Way {
 public:
  /// What carries the data; blocking_alltoallv: as alltoallv, with calls that wait, which some MPIs make far better.
  enum class Data : std::uint8_t { messages, alltoallv, blocking_alltoallv };

  Announced(const Round& round, std::span<const Message> messages, Sink& sink, Data data);
  Step step() override;

 private:
  /// What a rank announces to another: nothing, one message of so many bytes, or so many messages, whose sizes show
  /// when they come. An int: MPIs are quick with so little.
  using Code = int;
  [[nodiscard]] static bool is_one(Code code) { return code > 0; }
  [[nodiscard]] static std::size_t bytes_of(Code one) { return static_cast<std::size_t>(one - 1); }

  /// Whether it travels in the MPI_Alltoallv: both sides say the same.
  [[nodiscard]] bool together(Code code) const { return is_one(code) && code - 1 <= most_together_; }

  void announced();
  void send_apart();
  void start_together();

  Round round_;
  bool blocks_;
  std::vector<Message> messages_;
  Sink& sink_;
  Sender sender_;
  Receiver receiver_;
  Code most_together_;  ///< bytes; negative: none
  std::vector<Code> to_;
  std::vector<Code> from_;
  MPI_Request announcing_ = MPI_REQUEST_NULL;
  MPI_Request exchanging_ = MPI_REQUEST_NULL;

  struct Ints {
    std::vector<int> counts;
    std::vector<int> places;
  };
  Ints sent_;
  Ints received_;
  std::vector<std::byte> packed_;
  std::vector<Message> rooms_;  ///< of those that come together
  bool known_ = false;
  bool exchanged_ = false;
};

}  // namespace raddle::sparse
