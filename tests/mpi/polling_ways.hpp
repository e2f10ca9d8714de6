// SPDX-License-Identifier: BSD-3-Clause
// The calls by which a rank of polling.cpp waits.
#pragma once

#include <array>

namespace raddle::testing::polling {

enum class Way {
  test,
  testany,
  testsome,
  testall,
  get_status,
  iprobe,
  improbe,
  wait,  // the last: it blocks, and so do its relatives
  waitany,
  waitsome,
  waitall,
  probe,
  mprobe,
};
inline constexpr std::array<const char*, 13> names{
    "MPI_Test",    "MPI_Testany", "MPI_Testsome", "MPI_Testall", "MPI_Request_get_status",
    "MPI_Iprobe",  "MPI_Improbe", "MPI_Wait",     "MPI_Waitany", "MPI_Waitsome",
    "MPI_Waitall", "MPI_Probe",   "MPI_Mprobe"};
constexpr bool is_probe(Way way) {
  return way == Way::iprobe || way == Way::improbe || way == Way::probe || way == Way::mprobe;
}

}  // namespace raddle::testing::polling
