// SPDX-License-Identifier: BSD-3-Clause
// Which of Raddle's own tags between endpoints are those of partitioned communication, as distances from the greatest
// of them on downwards. Knows no MPI.
#pragma once

#include <algorithm>

namespace raddle::partitioned {

struct EndpointTags {
  int notices;
  int first_data;
  int greatest_data;  ///< counted from the first
};

/// Below those of neighbourhood collectives, which take turns with 2^30 of them.
/// @param by_mpi  whether messages are the MPI's: their tags are then the rest of the distance by what the MPI has, a
///   power of two, and the first ones have to stay apart from those of collectives as well
/// @param greatest  of the MPI
constexpr EndpointTags endpoint_tags(bool by_mpi, int greatest) {
  constexpr int usual_apart = 1 << 22;
  constexpr int usual_data = 1 << 29;
  const int apart = by_mpi ? std::min(usual_apart, greatest / 4 + 1) : usual_apart;
  const int notices = (1 << 30) + apart;
  return {notices, notices + 1, by_mpi ? std::min(usual_data, greatest - 2 * apart) : usual_data};
}

}  // namespace raddle::partitioned
