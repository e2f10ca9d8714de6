// SPDX-License-Identifier: BSD-3-Clause
// Communicators made of the ranks of an endpoints communicator (MPI-4.1 section 7.4.2), by all of them or some
// together.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "endpoints/communicators/agree.hpp"
#include "endpoints/errors.hpp"
#include "platform/own_hints.hpp"

namespace raddle::endpoints {

class Communicator;
class Endpoint;
class Topology;
namespace collectives {
class Context;
}
namespace buffered {
class Account;
}

/// A communicator to be made.
struct Birth {
  std::vector<int> ranks;  ///< in the communicator that it is made of, in the order of the new ones
  int code = MPI_SUCCESS;  ///< why it cannot be made
  int first_group = 0;     ///< so many ranks are the first of two groups; 0: there is one group
  bool merged = false;     ///< of an intercommunicator both groups become one: otherwise the new one has two as well
};

/// Which communicators are to be made that this process has ranks in, once it is known what all ranks gave. In an order
/// in which no two processes wait for each other. @throws Failure, on all processes
using Births = std::vector<Birth> (*)(const Communicator&, const Agreement&);

std::vector<Birth> of_all(const Communicator&, const Agreement&);     ///< MPI_Comm_dup
std::vector<Birth> by_colour(const Communicator&, const Agreement&);  ///< MPI_Comm_split
std::vector<Birth> of_alike(const Communicator&, const Agreement&);   ///< the same, where all gave the same digest
std::vector<Birth> by_type(const Communicator&, const Agreement&);    ///< MPI_Comm_split_type; its colour is the type
std::vector<Birth> as_chosen(const Communicator&, const Agreement&);  ///< MPI_Comm_create, MPI_Comm_create_group
/// MPI_Intercomm_create, where all that take part make it: as chosen, by both groups.
std::vector<Birth> of_two_groups(const Communicator&, const Agreement&);
/// MPI_Comm_create on an intercommunicator: by colour, where all of a group gave the same digest.
std::vector<Birth> of_each_group(const Communicator&, const Agreement&);
std::vector<Birth> merged(const Communicator&, const Agreement&);  ///< MPI_Intercomm_merge; its colour is `high`

/// A rank that takes part: what it brings, and what becomes of it.
struct Newcomer {
  Births births = nullptr;
  Given given{};
  std::vector<int> chosen{};                   ///< as_chosen: the ranks of its communicator, if it is one of them
  int first_group = 0;                         ///< of_two_groups: how many of those are the first group
  MPI_Info info = MPI_INFO_NULL;               ///< by_type
  std::shared_ptr<const Topology> topology{};  ///< that it will have in the new communicator
  /// For its handle in the new communicator. It is its own again if it does not become a member, or if that fails.
  MPI_Comm handle = MPI_COMM_NULL;

  /// Of the session that the new communicator descends from: of a call on a communicator, that one's.
  std::shared_ptr<buffered::Account> session_buffer{};

  std::shared_ptr<collectives::Context> context{};  ///< that was made
  int code = MPI_SUCCESS;                           ///< what is wrong with its arguments; later: how it ended
  bool raised = false;                              ///< whether that has been raised already
  bool member = false;                              ///< whether it has become one
  std::function<void()> ended{};                    ///< called at the end of what is not waited for
};

/// For as_chosen and of_alike.
std::uint64_t digest_of(const std::vector<int>& numbers);

/// Blocks in the MPI function `call` until the communicator has been made.
void derive(Endpoint& endpoint, const char* call, const CallKey& key, Newcomer& newcomer);

/// What has to be done once in a process, by one thread for all of its ranks.
using Once = void (*)(Endpoint&, const Agreement&);

/// Blocks in the MPI function `call` until all that take part have come, and it has been done.
void do_once(Endpoint& endpoint, const char* call, const CallKey& key, Newcomer& newcomer, Once act);

/// What is wrong for all ranks where the arguments of one are; MPI_SUCCESS.
int wrong_in(const Agreement& agreement);

/// Blocks in the MPI function `call` until all endpoints have come: a sequence of collectives beside the communicator's
/// own, the same object for the endpoints of a process. @throws Failure the MPI has no communicators left
std::shared_ptr<collectives::Context> derive_context(Endpoint& endpoint, const char* call);

/// Returns at once; a thread of Raddle's waits for the others, and calls newcomer.ended(). The endpoint's communicator
/// is held until then.
void start_derive(Endpoint& endpoint, Newcomer& newcomer);

// Raddle's info keys, where a bad one is an error of the MPI's classes for that.

/// The settings, with what the hints in `info` say instead.
/// @throws Failure: a raddle_ key that these functions have not, or a bad value; platform::SettingsError
inline platform::Settings settings_with(platform::HintScope of, MPI_Info info) {
  try {
    return platform::settings_with(of, info);
  } catch (const platform::HintError& error) {
    throw Failure(
        error_with(error.unknown ? MPI_ERR_INFO_KEY : MPI_ERR_INFO_VALUE, std::string("Raddle: ") + error.what()));
  }
}

}  // namespace raddle::endpoints
