// SPDX-License-Identifier: BSD-3-Clause
// What differs between MPI libraries, as data. Algorithms ask this table; they never ask which vendor it is.
#pragma once

#include <optional>
#include <string_view>

namespace raddle::platform {

/// A network of an MPI, by what MPI_Get_library_version says.
struct MpiNetwork {
  std::string_view version;   ///< how the version's number begins
  std::string_view device;    ///< of the devices named, the first one
  std::string_view variable;  ///< of the environment, by which another one is chosen
  std::string_view name;      ///< this network, as its value
};

/// Where errors of calls without a communicator are raised (MPI-4.1 section 9.3).
enum class Raises {
  on_self,         ///< on MPI_COMM_SELF
  on_world,        ///< on MPI_COMM_WORLD, as before MPI-4.0
  on_self_if_set,  ///< on MPI_COMM_SELF once its error handler was set, and until then on MPI_COMM_WORLD
};

struct MpiQuirks {
  std::string_view name;            ///< as in raddle/mpis/*.toml
  std::string_view library_prefix;  ///< how MPI_Get_library_version begins
  /// Info key that ties a communicator to the thread which uses it; the value is the lane's index. None: not needed.
  std::optional<std::string_view> lane_thread_key = std::nullopt;
  /// A receive writes beyond its buffer, or does not tell, where a message is too long: it must not meet one.
  bool overruns = false;
  /// MPI_Comm_spawn ends the job.
  bool spawn_crashes = false;
  /// So does MPI_Open_port.
  bool open_port_crashes = false;
  /// It has no lock for what it looks up: names of ports, and what it asks the launcher for; parametrized datatypes.
  bool lookups_race = false;
  /// Its calls that find nothing yield, where mpiexec has seen more ranks than CPUs.
  bool yields = false;
  Raises raises = Raises::on_self;
  /// Before this version it was MPI_COMM_WORLD; "": of all versions.
  std::string_view raises_since = {};
  /// It has some 2000 communicators in all.
  bool scarce_communicators = false;
  /// A collective whose send and receive buffer are the same is MPI_ERR_BUFFER; otherwise it is as with MPI_IN_PLACE.
  bool refuses_same_buffer = true;
  /// That is so of MPI_Reduce and its kin.
  bool reduce_refuses_same_buffer = true;
  /// A message of MPI_Bsend that leaves at once needs no buffer.
  bool sends_without_buffer = false;
  /// MPI_Bcast is an error of class MPI_ERR_OTHER where the root sends less than there is room for.
  bool refuses_short_bcast = true;
  /// MPI_IN_PLACE where it has no meaning is of class MPI_ERR_ARG in collectives that move data, not MPI_ERR_BUFFER.
  bool arg_for_in_place = false;
  /// Messages of no elements may be of any datatype, null or not committed: between two ranks, to all, to neighbours.
  bool nothing_has_any_type = false;
  /// MPI_Compare_and_swap takes elements of any type, and MPI_Fetch_and_op those of the program's.
  bool swaps_any_type = false;
  /// MPI_File_call_errhandler does not take MPI_FILE_NULL.
  bool calls_no_null_file = false;
  /// With this network a receive from any source misses what has come from another node before it was posted.
  std::optional<MpiNetwork> misses_any_source = std::nullopt;
};

/// The entry whose prefix matches, or one without any quirk.
const MpiQuirks& quirks_of(std::string_view library_version);

/// Where a library raises errors of calls without a communicator.
Raises raises(std::string_view library_version);

/// Whether a library uses the network. @param chosen  the value of its variable; nullptr: not set
bool uses(std::string_view library_version, const MpiNetwork& network, const char* chosen);

/// Whether this process's library has that fault with the network that it uses. @pre MPI is initialised
bool misses_any_source();

/// Where this process's library raises errors of calls without a communicator. @pre MPI is initialised
Raises raises();

/// The entry of the library this process runs with. @pre MPI is initialised
const MpiQuirks& quirks();

}  // namespace raddle::platform
