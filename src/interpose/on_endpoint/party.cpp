// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/on_endpoint/party.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <string>
#include <tuple>

#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/rank.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Communicator;

template <typename Number>
void put(std::vector<std::byte>& bytes, const std::vector<Number>& numbers) {
  const std::uint64_t count = numbers.size();
  const auto add = [&](const void* data, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  };
  add(&count, sizeof count);
  add(numbers.data(), count * sizeof(Number));
}

/// @returns whether it was there
template <typename Number>
bool take(const std::vector<std::byte>& bytes, std::size_t& at, std::vector<Number>& numbers) {
  std::uint64_t count = 0;
  if (bytes.size() - at < sizeof count) return false;
  std::memcpy(&count, bytes.data() + at, sizeof count);
  at += sizeof count;
  if ((bytes.size() - at) / sizeof(Number) < count) return false;
  numbers.resize(count);
  if (count != 0) std::memcpy(numbers.data(), bytes.data() + at, count * sizeof(Number));
  at += count * sizeof(Number);
  return true;
}

bool have_one_in_common(auto one, auto other) {
  std::ranges::sort(one);
  std::ranges::sort(other);
  decltype(one) both;
  std::ranges::set_intersection(one, other, std::back_inserter(both));
  return !both.empty();
}

}  // namespace

const Communicator& origin_of(const Endpoint& endpoint) {
  const endpoints::Rank* const rank = endpoints::adopted;
  return rank != nullptr && rank->world != nullptr ? rank->world->communicator().origin()
                                                   : endpoint.communicator().origin();
}

Party party_of(const Endpoint& endpoint, const Communicator& origin) {
  const Communicator& own = endpoint.communicator();
  Party told{.origin = origin.name(), .ranks = {}, .port = {}, .processes = {}, .call = 0};
  const endpoints::Ranks known(origin.members());
  for (const endpoints::Member& member : own.members()) {
    told.ranks.push_back(known.of(member));
    if (told.ranks.back() == endpoints::Ranks::none) told.origin = 0;
  }
  for (int process = 0; process < own.process_count(); ++process) told.processes.push_back(own.seniority(process));
  static std::atomic<std::uint32_t> calls{0};
  const auto leader = static_cast<std::uint32_t>(told.ranks[static_cast<std::size_t>(endpoint.rank())]);
  told.call = std::uint64_t{leader} << 32U | calls.fetch_add(1, std::memory_order_relaxed);
  return told;
}

std::vector<std::byte> packed(const Party& party) {
  std::vector<std::byte> bytes;
  put(bytes, std::vector{party.origin, party.call});
  put(bytes, party.ranks);
  put(bytes, party.port);
  put(bytes, party.processes);
  return bytes;
}

std::optional<Party> unpacked(const std::vector<std::byte>& bytes) {
  Party party;
  std::vector<std::uint64_t> numbers;
  std::size_t at = 0;
  if (!take(bytes, at, numbers) || numbers.size() != 2 || !take(bytes, at, party.ranks) ||
      !take(bytes, at, party.port) || !take(bytes, at, party.processes))
    return std::nullopt;
  party.origin = numbers.front();
  party.call = numbers.back();
  return party;
}

bool goes_first(const Party& mine, const Party& theirs) {
  return std::tie(mine.processes, mine.ranks) < std::tie(theirs.processes, theirs.ranks);
}

Agreed agree(const Party& first, const Party& second) {
  Agreed agreed{.ranks = static_cast<std::int32_t>(first.ranks.size() + second.ranks.size()),
                .first = static_cast<std::int32_t>(first.ranks.size()),
                .call = first.call};
  // An origin of one process has a name that other processes give to theirs, too.
  const bool of_one_job =
      Communicator::is_of_one_process(first.origin) ? first.processes == second.processes : first.origin != 0;
  if (of_one_job && first.origin == second.origin) {
    agreed.origin = first.origin;
    if (have_one_in_common(first.ranks, second.ranks))
      agreed.code =
          endpoints::error_with(MPI_ERR_COMM, "Raddle: the groups that are to be connected have ranks in common");
  } else if (have_one_in_common(first.processes, second.processes)) {
    agreed.code = endpoints::error_with(
        MPI_ERR_UNSUPPORTED_OPERATION,
        "Raddle: endpoints of one process that different calls of MPIX_Comm_create_endpoints have made cannot be "
        "connected");
  }
  return agreed;
}

endpoints::CallKey key_of(const Agreed& agreed, const std::vector<int>& ranks) {
  // No tag of the program's is so odd.
  return endpoints::call_of_some("\1two groups\1" + std::to_string(agreed.call), ranks);
}

std::vector<int> ranks_of_both(const Party& first, const Party& second) {
  std::vector<int> ranks = first.ranks;
  ranks.insert(ranks.end(), second.ranks.begin(), second.ranks.end());
  return ranks;
}

}  // namespace raddle::interpose::on_endpoint
