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

Json control_variables(const bench::MpiFacts& facts) {
  Json variables = Json::object();
  for (const auto& [name, value] : facts.control_variables) {
    std::visit([&variable = variables[name]](const auto& v) { variable = v; }, value);
  }
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
