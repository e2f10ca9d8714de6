// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of endpoints: arguments, what the processes have to agree on, error handlers.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/communicators/derive.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "engines/engine.hpp"
#include "interpose/wrapper.hpp"
#include "platform/errors.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"
#include "raddle/raddle.h"

namespace {

namespace endpoints = raddle::endpoints;
namespace platform = raddle::platform;
using endpoints::Failure;

using raddle::platform::EngineName;

/// What all processes have asked for.
struct Asked {
  std::vector<int> counts;  ///< by rank in the parent
  EngineName engine{};
};

/// A communicator of Raddle's own with the processes of the program's: errors are returned there. If it cannot be made
/// the MPI has raised that on the program's.
class Own {
 public:
  /// Collective.
  explicit Own(MPI_Comm parent) {
    MPI_Group all = MPI_GROUP_NULL;
    if (PMPI_Comm_group(parent, &all) != MPI_SUCCESS) return;
    const int code = PMPI_Comm_create(parent, all, &comm_);  // calls no function of the program, as a duplicate would
    platform::regardless(PMPI_Group_free(&all));
    if (code != MPI_SUCCESS) comm_ = MPI_COMM_NULL;
    if (comm_ != MPI_COMM_NULL)
      platform::must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
  }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
  ~Own() {
    if (comm_ != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&comm_));
  }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Collective: all processes fail if one has failed. @throws Failure
Asked agree(MPI_Comm own, int my_num_ep, MPI_Info info, const MPI_Comm* newcomm) {
  constexpr int failed = -1;
  int code = MPI_SUCCESS;
  Asked asked;
  try {
    asked.engine = endpoints::settings_with(raddle::platform::HintScope::endpoints, info).engine;
    if (!raddle::interpose::calls_pass)
      code = endpoints::error_with(MPI_ERR_OTHER, raddle::interpose::calls_do_not_pass);
    else if (my_num_ep < 0)
      code = endpoints::error_with(MPI_ERR_ARG, "Raddle: the number of endpoints of a process is negative");
    else if (my_num_ep > 0 && newcomm == nullptr)
      code = endpoints::error_with(MPI_ERR_ARG, "Raddle: MPIX_Comm_create_endpoints: the address of newcomm is null");
  } catch (...) {
    code = raddle::platform::code_of_caught();
  }
  int processes = 0;
  platform::must("MPI_Comm_size", PMPI_Comm_size(own, &processes));
  struct Told {
    int count;
    int engine;
  };
  std::vector<Told> all(static_cast<std::size_t>(processes));
  const Told mine{code == MPI_SUCCESS ? my_num_ep : failed, static_cast<int>(asked.engine)};
  if (const int told = PMPI_Allgather(&mine, 2, MPI_INT, all.data(), 2, MPI_INT, own); told != MPI_SUCCESS)
    throw Failure(told);
  if (code != MPI_SUCCESS) throw Failure(code);
  for (const Told& one : all) asked.counts.push_back(one.count);
  if (std::ranges::count(asked.counts, failed) > 0)
    throw Failure(endpoints::error_with(MPI_ERR_ARG, "Raddle: another process gave bad arguments for its endpoints"));
  if (std::ranges::any_of(all, [&](const Told& one) { return one.engine != mine.engine; }))
    throw Failure(endpoints::error_with(MPI_ERR_ARG, "Raddle: processes asked for different engines"));
  return asked;
}

/// Collective: whether it is so for all.
bool all(MPI_Comm own, bool mine) {
  int every = mine ? 1 : 0;
  const int code = PMPI_Allreduce(MPI_IN_PLACE, &every, 1, MPI_INT, MPI_LAND, own);
  return code == MPI_SUCCESS && every != 0;
}

/// Collective: the processes that have endpoints, in a communicator of their own. @throws Failure, on all
MPI_Comm processes_with(MPI_Comm own, const std::vector<int>& counts, bool has) {
  if (std::ranges::count_if(counts, [](int count) { return count > 0; }) <= 1) return MPI_COMM_NULL;
  MPI_Comm processes = MPI_COMM_NULL;
  const int code = PMPI_Comm_split(own, has ? 0 : MPI_UNDEFINED, 0, &processes);
  if (all(own, code == MPI_SUCCESS)) return processes;
  if (processes != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&processes));
  throw Failure(endpoints::no_communicators_left());
}

std::vector<endpoints::Place> places_of(const std::vector<int>& counts) {
  std::vector<endpoints::Place> places;
  int process = 0;
  for (const int count : counts) {
    for (int index = 0; index < count; ++index) places.push_back({process, index});
    if (count > 0) ++process;
  }
  return places;
}

/// Collective: `counts[its rank]` endpoints on each process. @param made  those of this process @throws Failure, on all
void create(MPI_Comm parent, MPI_Comm own, const Asked& asked, MPI_Comm made[]) {
  const std::vector<int>& counts = asked.counts;
  int process = 0;
  platform::must("MPI_Comm_rank", PMPI_Comm_rank(own, &process));
  const int count = counts[static_cast<std::size_t>(process)];
  endpoints::OwnHandles handles(parent, count);
  int code = MPI_SUCCESS;
  if (all(own, static_cast<int>(handles.get().size()) == count)) {
    try {
      const MPI_Comm processes = processes_with(own, counts, count > 0);
      if (count > 0) {
        auto communicator =
            std::make_unique<endpoints::Communicator>(processes, places_of(counts), endpoints::members_of(own, counts));
        communicator->found();
        raddle::engines::make_in_turn(raddle::engines::engine(asked.engine), std::move(communicator), handles.get());
      }
    } catch (const Failure& failure) {
      if (counts.size() > 1) platform::end_relied_on("MPIX_Comm_create_endpoints", failure);
      code = failure.code;
    }
    // Those that have endpoints fail together, and the others do not know.
    if (!all(own, code == MPI_SUCCESS) && code == MPI_SUCCESS)
      code = endpoints::endpoints_error("the processes that were to have some could not make them");
  } else {
    code = endpoints::no_communicators_left();
  }
  if (code != MPI_SUCCESS) throw platform::failure_of_all(code);
  std::ranges::copy(handles.get(), made);
  handles.keep();
}

/// @throws Failure
void make_from(MPI_Comm parent, int my_num_ep, MPI_Info info, MPI_Comm newcomm[]) {
  static_cast<void>(endpoints::CompleteRequest::sent());  // MPI_Isend finds it made
  int inter = 0;
  const endpoints::Outcome outcome;
  if (const int code = outcome.of(PMPI_Comm_test_inter(parent, &inter)); code != MPI_SUCCESS) throw Failure(code, true);
  if (inter != 0) {
    throw Failure(endpoints::error_with(MPI_ERR_COMM,
                                        "Raddle: MPIX_Comm_create_endpoints is not supported on an intercommunicator"));
  }
  const Own own(parent);
  if (own.comm() == MPI_COMM_NULL) throw Failure(endpoints::no_communicators_left(), true);
  const auto make = [&] { create(parent, own.comm(), agree(own.comm(), my_num_ep, info, newcomm), newcomm); };
  int processes = 0;
  platform::must("MPI_Comm_size", PMPI_Comm_size(own.comm(), &processes));
  if (processes == 1) {
    make();
  } else {
    platform::relied_on("MPIX_Comm_create_endpoints", make);
  }
}

}  // namespace

RADDLE_ENTRY int MPIX_Comm_create_endpoints(MPI_Comm parent, int my_num_ep, MPI_Info info, MPI_Comm newcomm[]) {
  if (parent == MPI_COMM_NULL) return endpoints::raise(endpoints::without_communicator(), MPI_ERR_COMM);
  if (const auto* endpoint = endpoints::find<endpoints::Kind::communicator>(parent)) {
    return raddle::interpose::barrier(endpoint->comm, []() -> int {
      throw Failure(endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                          "Raddle: MPIX_Comm_create_endpoints is not supported on an endpoint; give it "
                                          "the parent"));
    });
  }
  const int code = raddle::interpose::barrier(parent, [&]() -> int {
    make_from(parent, my_num_ep, info, newcomm);
    return MPI_SUCCESS;
  });
  if (code == MPI_SUCCESS) return code;
  for (int i = 0; newcomm != nullptr && i < my_num_ep; ++i) newcomm[i] = MPI_COMM_NULL;
  return code;
}

RADDLE_ENTRY int Raddle_Err_endpoints(int* errorclass) {
  return raddle::interpose::barrier(MPI_COMM_NULL, [&]() -> int {
    if (errorclass == nullptr) return endpoints::raise(endpoints::without_communicator(), MPI_ERR_ARG);
    *errorclass = endpoints::endpoints_class();
    return MPI_SUCCESS;
  });
}
