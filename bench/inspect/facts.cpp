// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/facts.hpp"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "inspect/affinity.hpp"
#include "inspect/reach.hpp"
#include "inspect/say.hpp"
#include "mpi/about_mpi.hpp"

namespace raddle::inspect {
namespace {

using Json = nlohmann::ordered_json;

Json about_rank(int rank, int threads) {
  std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
  int length = 0;
  MPI_Get_processor_name(host.data(), &length);
  return {{"rank", rank},
          {"host", host.data()},
          {"pid", getpid()},
          {"cpus", my_cpus()},
          {"threads", cpus_of_threads(threads)}};
}

/// What every rank says of itself, at rank 0.
std::vector<Json> gather(const Json& mine, int rank, int size) {
  const std::string text = mine.dump();
  const int length = static_cast<int>(text.size());
  std::vector<int> lengths(static_cast<std::size_t>(size));
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<int> offsets(1, 0);
  for (const int one : lengths) offsets.push_back(offsets.back() + one);
  std::string all(static_cast<std::size_t>(offsets.back()), ' ');
  MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<Json> ranks;
  for (int i = 0; rank == 0 && i < size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ranks.push_back(
        Json::parse(all.substr(static_cast<std::size_t>(offsets[at]), static_cast<std::size_t>(lengths[at]))));
  }
  return ranks;
}

/// Control variables of type bool, which bench/mpi/about_mpi.cpp leaves out; Open MPI has many.
void add_booleans(Json& variables) {
  int provided = 0;
  int count = 0;
  if (MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return;
  MPI_T_cvar_get_num(&count);
  for (int i = 0; i < count; ++i) {
    std::array<char, 512> name{};
    int name_length = static_cast<int>(name.size());
    int verbosity = 0;
    int bind = 0;
    int scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (MPI_T_cvar_get_info(i, name.data(), &name_length, &verbosity, &type, nullptr, nullptr, nullptr, &bind,
                            &scope) != MPI_SUCCESS)
      continue;
    if (type != MPI_C_BOOL || bind != MPI_T_BIND_NO_OBJECT) continue;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int elements = 0;
    if (MPI_T_cvar_handle_alloc(i, nullptr, &handle, &elements) != MPI_SUCCESS) continue;
    bool value = false;
    if (elements == 1 && MPI_T_cvar_read(handle, &value) == MPI_SUCCESS) variables[name.data()] = value;
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_finalize();
}

Json control_variables(const bench::MpiFacts& facts) {
  Json variables = Json::object();
  for (const auto& [name, value] : facts.control_variables) {
    std::visit([&variable = variables[name]](const auto& v) { variable = v; }, value);
  }
  add_booleans(variables);
  return variables;
}

}  // namespace

void say_facts(const std::string& requested, int provided, int threads) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::vector<Json> ranks = gather(about_rank(rank, threads), rank, size);
  const Reach reach = try_reach(MPI_COMM_WORLD);
  if (rank != 0) return;
  const bench::MpiFacts facts = bench::about_mpi(requested, provided);
  say({{"type", "facts"},
       {"library_version", facts.library_version},
       {"standard", facts.standard},
       {"level_requested", facts.level_requested},
       {"level_provided", facts.level_provided},
       {"ranks", ranks},
       {"reach_tried", reach.tried},
       {"reach_error", reach.error},
       {"cvars", control_variables(facts)}});
}

}  // namespace raddle::inspect
