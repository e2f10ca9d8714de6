// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/on_endpoint/in_seats.hpp"

#include <string>

#include "endpoints/collectives/collective.hpp"
#include "endpoints/errors.hpp"

namespace raddle::interpose::on_endpoint {

int unlike_in_seats(endpoints::Endpoint& endpoint, endpoints::collectives::Meeting& all, std::uint64_t number,
                    std::uint64_t word, int other) {
  using endpoints::collectives::Call;
  endpoints::collectives::Discord& discord = all.discord();
  if (other < 0) return endpoints::raise(endpoint.comm, out_of_step(discord));
  const Call mine = Call::of(word);
  const Call theirs = Call::of(all.seat(number, other).call);
  const std::string both = unlike_calls(endpoint.rank(), mine, other, theirs);
  if (!in_step(mine, theirs)) discord.tell(number, both);
  return endpoints::raise(endpoint.comm, unlike_error(mine, theirs, both));
}

}  // namespace raddle::interpose::on_endpoint
