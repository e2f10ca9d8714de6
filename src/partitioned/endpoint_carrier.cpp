// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/endpoint_carrier.hpp"

#include <cstring>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/errors.hpp"
#include "partitioned/group_set.hpp"
#include "partitioned/tags.hpp"

namespace raddle::partitioned {
namespace {

using endpoints::Layout;

EndpointTags tags_of(endpoints::Endpoint& endpoint) {
  return endpoint_tags(!endpoint.has_own_tags(), endpoint.greatest_tag());
}

class EndpointMessages final : public Messages {
 public:
  EndpointMessages(const Division& division, endpoints::Endpoint& endpoint, int first_data_tag, bool send) {
    for (int group = 0; group < division.groups; ++group) {
      Layout layout;
      endpoints::check(layout.describe(division.data + division.offset(group),
                                       static_cast<MPI_Count>(division.length(group)), MPI_BYTE));
      requests_.push_back(
          &endpoint.make_persistent(std::move(layout), {.peer = division.peer,
                                                        .tag = first_data_tag - division.first_tag - group,
                                                        .sends = send,
                                                        .mode = endpoints::Mode::standard}));
    }
  }
  ~EndpointMessages() override {
    for (endpoints::Request* request : requests_) request->abandon();
  }

  int start(int group) override {
    const int code = requests_[static_cast<std::size_t>(group)]->start();
    started_.add(group);
    return code;
  }

  int look(std::vector<int>& ended) override {
    started_.take_all([this](int group) { under_way_.push_back(group); });
    int error = MPI_SUCCESS;
    std::erase_if(under_way_, [&](int group) {
      endpoints::Request& request = *requests_[static_cast<std::size_t>(group)];
      if (!request.complete()) return false;
      if (const int code = request.result().error; code != MPI_SUCCESS) error = code;
      request.retire();
      ended.push_back(group);
      return true;
    });
    return error;
  }

 private:
  std::vector<endpoints::Request*> requests_;  ///< by group
  GroupSet started_;
  std::vector<int> under_way_;
};

}  // namespace

EndpointCarrier::EndpointCarrier(endpoints::Endpoint& endpoint)
    : endpoint_(endpoint),
      notice_tag_(endpoints::greatest_own_tag - tags_of(endpoint).notices),
      first_data_tag_(endpoints::greatest_own_tag - tags_of(endpoint).first_data),
      greatest_tag_(tags_of(endpoint).greatest_data) {}

const void* EndpointCarrier::shared_with(int peer) const {
  const endpoints::Communicator& communicator = endpoint_.communicator();
  const bool here = communicator.places()[static_cast<std::size_t>(peer)].process == communicator.process();
  return here ? &communicator : nullptr;
}

void EndpointCarrier::tell(int peer, const Notice& notice) {
  if (endpoint_.send_now(std::as_bytes(std::span(&notice, 1)), peer, notice_tag_)) return;
  const auto copy = std::make_shared<std::byte[]>(sizeof notice);
  std::memcpy(copy.get(), &notice, sizeof notice);
  endpoint_.send_copy(copy, sizeof notice, peer, notice_tag_);
}

bool EndpointCarrier::hear(int& peer, Notice& notice) {
  endpoints::Result found;
  endpoints::Probed* const message = endpoint_.take(MPI_ANY_SOURCE, notice_tag_, found);
  if (message == nullptr) return false;
  Layout room;
  endpoints::check(room.describe(&notice, sizeof notice, MPI_BYTE));
  endpoint_.receive(room, *message);
  peer = found.source;
  return true;
}

std::unique_ptr<Messages> EndpointCarrier::sends(const Division& division) {
  return std::make_unique<EndpointMessages>(division, endpoint_, first_data_tag_, true);
}

std::unique_ptr<Messages> EndpointCarrier::receives(const Division& division) {
  return std::make_unique<EndpointMessages>(division, endpoint_, first_data_tag_, false);
}

}  // namespace raddle::partitioned
