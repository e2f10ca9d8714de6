// SPDX-License-Identifier: BSD-3-Clause

#include "partitioned/mpi_carrier.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <span>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/datatypes/layout.hpp"
#include "endpoints/errors.hpp"
#include "partitioned/groups.hpp"
#include "partitioned/link.hpp"
#include "partitioned/tags.hpp"
#include "platform/errors.hpp"
#include "platform/must.hpp"
#include "platform/own_copy.hpp"

namespace raddle::partitioned {
namespace {

using platform::must;

constexpr int notice_tag = 0;
constexpr int first_data_tag = 1;
constexpr int notice_bytes = static_cast<int>(sizeof(Notice));

/// Persistent requests of the MPI.
class MpiMessages final : public GroupMessages {
 public:
  MpiMessages(const Division& division, std::span<const MPI_Comm> lanes, bool send)
      : requests_(static_cast<std::size_t>(division.groups), MPI_REQUEST_NULL) {
    for (int group = 0; group < division.groups; ++group) {
      const platform::BytesType bytes(division.length(group));
      std::byte* const data = division.data + division.offset(group);
      const MPI_Comm lane = lanes[static_cast<std::size_t>(group) % lanes.size()];
      const int tag = first_data_tag + division.first_tag + group;
      MPI_Request* const request = &requests_[static_cast<std::size_t>(group)];
      if (send) {
        must("MPI_Send_init", PMPI_Send_init(data, bytes.count(), bytes.type(), division.peer, tag, lane, request));
      } else {
        must("MPI_Recv_init", PMPI_Recv_init(data, bytes.count(), bytes.type(), division.peer, tag, lane, request));
      }
    }
  }
  ~MpiMessages() override {
    for (MPI_Request& request : requests_) platform::regardless(PMPI_Request_free(&request));
  }

  int start(int group) override {
    const int code = PMPI_Start(&requests_[static_cast<std::size_t>(group)]);
    if (code == MPI_SUCCESS) {
      started_.add(group);
    } else {
      why_.store(code, std::memory_order_relaxed);
      not_started_.add(group);  // look() tells: it ends with this error
    }
    return MPI_SUCCESS;
  }

  int look(std::vector<int>& ended) override {
    // One that another thread is starting must not be looked at.
    started_.take_all([this](int group) { under_way_.push_back(group); });
    int error = MPI_SUCCESS;
    not_started_.take_all([&](int group) {
      ended.push_back(group);
      error = why_.load(std::memory_order_relaxed);
    });
    if (under_way_.empty()) return error;
    handles_.clear();
    for (const int group : under_way_) handles_.push_back(requests_[static_cast<std::size_t>(group)]);
    const int count = static_cast<int>(handles_.size());
    indices_.resize(handles_.size());
    statuses_.resize(handles_.size());
    int found = 0;
    const int code = PMPI_Testsome(count, handles_.data(), &found, indices_.data(), statuses_.data());
    if (platform::class_of(code) != MPI_ERR_IN_STATUS) must("MPI_Testsome", code);
    if (found == MPI_UNDEFINED) return error;
    for (int i = 0; i < found; ++i) {
      const auto at = static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)]);
      if (code != MPI_SUCCESS && statuses_[static_cast<std::size_t>(i)].MPI_ERROR != MPI_SUCCESS)
        error = statuses_[static_cast<std::size_t>(i)].MPI_ERROR;
      ended.push_back(under_way_[at]);
      under_way_[at] = gone;
    }
    std::erase(under_way_, gone);
    return error;
  }

 private:
  static constexpr int gone = -1;

  std::vector<MPI_Request> requests_;  ///< by group
  GroupSet started_;
  GroupSet not_started_;
  std::atomic<int> why_{MPI_SUCCESS};
  std::vector<int> under_way_;
  std::vector<MPI_Request> handles_;
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace

MpiCarrier::MpiCarrier(std::vector<MPI_Comm> lanes, std::vector<bool> reached)
    : lanes_(std::move(lanes)), reached_(std::move(reached)) {
  int size = 0;
  int between = 0;
  int level = MPI_THREAD_SINGLE;
  must("MPI_Comm_rank", PMPI_Comm_rank(lanes_[0], &rank_));
  must("MPI_Comm_test_inter", PMPI_Comm_test_inter(lanes_[0], &between));
  between_ = between != 0;
  if (between_) {
    must("MPI_Comm_remote_size", PMPI_Comm_remote_size(lanes_[0], &size));
  } else {
    must("MPI_Comm_size", PMPI_Comm_size(lanes_[0], &size));
  }
  told_.resize(static_cast<std::size_t>(size));
  must("MPI_Query_thread", PMPI_Query_thread(&level));
  any_thread_ = level == MPI_THREAD_MULTIPLE;
  takes_turns_ = level == MPI_THREAD_SERIALIZED;
  greatest_tag_ = endpoints::greatest_tag_of(lanes_[0]) - first_data_tag;
  for (const MPI_Comm lane : lanes_) must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(lane, MPI_ERRORS_RETURN));
}

MpiCarrier::~MpiCarrier() { OwnLinks::forget(this); }

void MpiCarrier::begin_to_free() {
  // What stays unreceived in a communicator that is freed may turn up in the next one.
  expected_.assign(between_ ? told_.size() : 1, 0);
  if (between_) {
    must("MPI_Ialltoall",
         PMPI_Ialltoall(told_.data(), 1, MPI_INT, expected_.data(), 1, MPI_INT, lanes_[0], &counting_));
  } else {
    must("MPI_Ireduce_scatter_block",
         PMPI_Ireduce_scatter_block(told_.data(), expected_.data(), 1, MPI_INT, MPI_SUM, lanes_[0], &counting_));
  }
}

bool MpiCarrier::freed() {
  int counted = 0;
  must("MPI_Test", PMPI_Test(&counting_, &counted, MPI_STATUS_IGNORE));
  int peer = 0;
  Notice notice;
  while (hear(peer, notice)) continue;
  forget_sent();
  if (counted == 0 || !sent_.empty() || heard_ < std::accumulate(expected_.begin(), expected_.end(), 0)) return false;
  for (MPI_Comm& lane : lanes_) must("MPI_Comm_free", PMPI_Comm_free(&lane));
  return true;
}

void MpiCarrier::tell(int peer, const Notice& notice) {
  forget_sent();
  auto& [kept, request] = sent_.emplace_back(notice, MPI_REQUEST_NULL);
  must("MPI_Isend", PMPI_Isend(&kept, notice_bytes, MPI_BYTE, peer, notice_tag, lanes_[0], &request));
  ++told_[static_cast<std::size_t>(peer)];
}

void MpiCarrier::forget_sent() {
  std::erase_if(sent_, [](auto& one) {
    int flag = 0;
    must("MPI_Test", PMPI_Test(&one.second, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  });
}

bool MpiCarrier::hear(int& peer, Notice& notice) {
  int flag = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  must("MPI_Improbe", PMPI_Improbe(MPI_ANY_SOURCE, notice_tag, lanes_[0], &flag, &message, &status));
  if (flag == 0) return false;
  must("MPI_Mrecv", PMPI_Mrecv(&notice, notice_bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE));
  peer = status.MPI_SOURCE;
  ++heard_;
  return true;
}

std::unique_ptr<GroupMessages> MpiCarrier::sends(const Division& division) {
  return std::make_unique<MpiMessages>(division, lanes_, true);
}

std::unique_ptr<GroupMessages> MpiCarrier::receives(const Division& division) {
  return std::make_unique<MpiMessages>(division, lanes_, false);
}

namespace {

using endpoints::Layout;

EndpointTags tags_of(endpoints::Endpoint& endpoint) {
  return endpoint_tags(!endpoint.has_own_tags(), endpoint.greatest_tag());
}

class EndpointMessages final : public GroupMessages {
 public:
  EndpointMessages(const Division& division, endpoints::Endpoint& endpoint, int first_tag, bool send) {
    for (int group = 0; group < division.groups; ++group) {
      Layout layout;
      endpoints::check(layout.describe(division.data + division.offset(group),
                                       static_cast<MPI_Count>(division.length(group)), MPI_BYTE));
      requests_.push_back(&endpoint.make_persistent(std::move(layout), {.peer = division.peer,
                                                                        .tag = first_tag - division.first_tag - group,
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

std::unique_ptr<GroupMessages> EndpointCarrier::sends(const Division& division) {
  return std::make_unique<EndpointMessages>(division, endpoint_, first_data_tag_, true);
}

std::unique_ptr<GroupMessages> EndpointCarrier::receives(const Division& division) {
  return std::make_unique<EndpointMessages>(division, endpoint_, first_data_tag_, false);
}

}  // namespace raddle::partitioned
