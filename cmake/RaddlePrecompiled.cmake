# SPDX-License-Identifier: BSD-3-Clause
# Most of the time that a file takes to compile goes into the standard library's headers and mpi.h: they are compiled
# once. A file includes what it uses all the same; `make lint` reads each without this.
set(
  RADDLE_COMMON_HEADERS
  <algorithm>
  <array>
  <atomic>
  <cstddef>
  <cstdint>
  <cstring>
  <functional>
  <map>
  <memory>
  <mutex>
  <numeric>
  <optional>
  <span>
  <string>
  <string_view>
  <thread>
  <utility>
  <vector>
)
