// SPDX-License-Identifier: BSD-3-Clause
// What an algorithm of sparse exchange is: a file of src/sparse/algorithms, with a function of the file's name in the
// namespace raddle::sparse::algorithms that gives its Algorithm, and a line of platform/sparse_algorithms.def.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "endpoints/errors.hpp"
#include "platform/sparse_algorithm.hpp"
#include "sparse/message.hpp"

namespace raddle::sparse {

using platform::SparseAlgorithm;
using platform::SparseNeeds;

class ExchangeLane;

/// What a message is, within an exchange.
enum class Kind : std::uint8_t { payload, bundle, answer };

/// One exchange among those that follow each other on a communicator of Raddle's own. Two sets of tags, in turn, keep
/// exchanges apart: nobody is through with one that not everybody has begun, so nobody is more than one ahead.
struct Round {
  MPI_Comm comm;
  int rank;
  int size;
  int parity;

  [[nodiscard]] int tag(Kind kind) const { return 2 * static_cast<int>(kind) + parity; }
};

/// What an exchange begins with.
struct Exchange {
  Round round;
  std::span<const Message> messages;  ///< none to this rank; the list goes, their bytes stay until it is over
  Sink& sink;
  int radix;                  ///< as raddle_sparse_radix
  bool blocks = false;        ///< whether calls of the MPI may wait for other ranks: the same for all
  Kind kind = Kind::payload;  ///< of the messages
};

/// What a step has brought. Those who wait pause only where nothing moves.
enum class Step : std::uint8_t { idle, moved, over };

[[nodiscard]] constexpr Step moved_if(bool moved) { return moved ? Step::moved : Step::idle; }

/// One exchange under way.
class Way {
 public:
  Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;

  /// Never waits. One thread at a time, and not after it is over. @throws endpoints::Failure
  virtual Step step() = 0;

  /// Whether a step that finds nothing asks the MPI, which may yield itself.
  [[nodiscard]] virtual bool asks_mpi() const { return true; }
};

/// What an algorithm keeps for a communicator.
class Resources {
 public:
  Resources() = default;
  Resources(const Resources&) = delete;
  Resources& operator=(const Resources&) = delete;
  /// Collective.
  virtual ~Resources() = default;
};

/// What has come of preparing an algorithm for a communicator.
struct Preparation {
  bool possible = true;  ///< the same for all ranks
  std::unique_ptr<Resources> resources = nullptr;
};

/// What the file of an algorithm says of it.
struct Algorithm {
  /// Begins an exchange. @param resources  what `prepare` has made
  std::unique_ptr<Way> (*begin)(const Exchange& exchange, Resources* resources);

  /// Makes what it needs, once for a lane; nullptr: it needs nothing. Collective over the communicator given here,
  /// whose ranks are the lane's, and on which nothing else is under way.
  Preparation (*prepare)(ExchangeLane& lane, MPI_Comm comm) = nullptr;

  /// Its turn among the algorithms that the automatic choice tries on such a communicator: the least one is first, and
  /// is the choice until something has been tried. None: it is not tried; nullptr: never. Collective over the lane.
  std::optional<int> (*turn)(ExchangeLane& lane) = nullptr;
};

/// The turn of an algorithm whose memory or messages are in proportion to P: on few ranks before that of nbx, which is
/// 100; on many after it; none where they are too many. @param place  from 0, among its like
[[nodiscard]] std::optional<int> turn_in_proportion(const ExchangeLane& lane, int place);

/// A line of the list.
struct Listed {
  SparseAlgorithm which;
  const char* name;
  SparseNeeds needs;
  const Algorithm* algorithm;
};

/// All that there are.
[[nodiscard]] std::span<const Listed> listed();
/// @pre it is not `automatic`
[[nodiscard]] const Listed& listed(SparseAlgorithm which);

// Calls of the MPI, whose errors are thrown.

using platform::check;

/// Whether a request is complete; then there is none any more. Of none it asks nothing: MPIs take such a call for an
/// occasion to yield. @throws endpoints::Failure
inline bool completed(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return true;
  int flag = 0;
  check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
  return flag != 0;
}

}  // namespace raddle::sparse
