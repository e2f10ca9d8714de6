// SPDX-License-Identifier: BSD-3-Clause
#include "lanes/errors.hpp"

#include <array>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace raddle::lanes {
namespace {

struct Entry {
  Error error;
  int mpi_class;  ///< MPI_ERR_LASTCODE stands for lanes_class(), which exists only at run time
  const char* text;
};

const std::array entries{
    Entry{Error::no_communicators, MPI_ERR_LASTCODE,
          "Raddle: the MPI has no communicators left for more lanes; free lanes or communicators, or ask for fewer"},
    Entry{Error::pool_limit, MPI_ERR_LASTCODE,
          "Raddle: more lanes asked for than RADDLE_LANES_MAX allows on one communicator"},
    Entry{Error::unequal_counts, MPI_ERR_ARG,
          "Raddle: nlanes differs between processes; it must be the same on all of them"},
    Entry{Error::negative_count, MPI_ERR_ARG, "Raddle: nlanes is negative"},
};

std::mutex guard;

}  // namespace

int lanes_class() {
  const std::lock_guard lock(guard);
  static const int made = [] {
    int c = MPI_ERR_OTHER;
    MPI_Add_error_class(&c);
    MPI_Add_error_string(c, "Raddle: lanes could not be provided");
    return c;
  }();
  return made;
}

int error_code(Error error) {
  static auto& codes = *new std::map<Error, int>;  // destructors of the program may ask
  const int lanes = lanes_class();
  const std::lock_guard lock(guard);
  if (const auto found = codes.find(error); found != codes.end()) return found->second;
  for (const Entry& entry : entries) {
    if (entry.error != error) continue;
    int code = MPI_ERR_OTHER;
    MPI_Add_error_code(entry.mpi_class == MPI_ERR_LASTCODE ? lanes : entry.mpi_class, &code);
    MPI_Add_error_string(code, entry.text);
    codes.emplace(error, code);
    return code;
  }
  return MPI_ERR_OTHER;
}

int error_code_with(int error_class, const char* message) {
  static auto& codes = *new std::map<std::pair<int, std::string>, int>;  // MPIs have few to give: one for each text
  const std::lock_guard lock(guard);
  const auto [found, fresh] = codes.try_emplace({error_class, message}, error_class);
  if (fresh && MPI_Add_error_code(error_class, &found->second) == MPI_SUCCESS)
    MPI_Add_error_string(found->second, found->first.second.substr(0, MPI_MAX_ERROR_STRING - 1).c_str());
  return found->second;
}

}  // namespace raddle::lanes
