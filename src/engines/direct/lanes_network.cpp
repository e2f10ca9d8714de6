// SPDX-License-Identifier: BSD-3-Clause

#include "engines/direct/lanes_network.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/errors.hpp"
#include "lanes/lane_pool.hpp"
#include "platform/errors.hpp"
#include "platform/must.hpp"

namespace raddle::direct {
namespace {

using platform::must;

constexpr std::size_t most_at_once = std::size_t{1} << 30U;  // MPI counts are int

/// Tags of large messages from this process; two with the same tag would have to be 32000 messages apart.
int next_body_tag(int greatest) {
  static std::atomic<std::uint32_t> next{0};
  const auto range = static_cast<std::uint32_t>(greatest - first_body_tag);
  return first_body_tag + static_cast<int>(next.fetch_add(1, std::memory_order_relaxed) % range);
}

/// What the MPI may read until the process ends, after its endpoint has ended.
void keep_for_ever(std::vector<std::byte>&& bytes) {
  static std::mutex guard;
  static auto& kept = *new std::vector<std::vector<std::byte>>;
  const std::lock_guard lock(guard);
  kept.push_back(std::move(bytes));
}

}  // namespace

LanesNetwork::LanesNetwork(std::shared_ptr<const Lanes> lanes, int lane, int first_peer)
    : lanes_(std::move(lanes)),
      own_(lanes_->comms[static_cast<std::size_t>(lane)]),
      first_peer_(first_peer),
      outgoing_(packets),
      incoming_(std::make_unique<std::array<Incoming, packets>>()) {
  for (Incoming& packet : *incoming_) {
    must("MPI_Recv_init", PMPI_Recv_init(packet.bytes.data(), packet_bytes, MPI_BYTE, MPI_ANY_SOURCE, packet_tag, own_,
                                         &packet.request));
    must("MPI_Start", PMPI_Start(&packet.request));
  }
}

LanesNetwork::~LanesNetwork() {
  for (Incoming& packet : *incoming_) {
    must("MPI_Cancel", PMPI_Cancel(&packet.request));
    must("MPI_Wait", PMPI_Wait(&packet.request, MPI_STATUS_IGNORE));
    must("MPI_Request_free", PMPI_Request_free(&packet.request));
  }
  for (Outgoing& packet : outgoing_) {
    int left = 0;
    must("MPI_Test", PMPI_Test(&packet.request, &left, MPI_STATUS_IGNORE));
    if (left != 0) continue;
    must("MPI_Request_free", PMPI_Request_free(&packet.request));
    keep_for_ever(std::move(packet.bytes));
  }
}

std::byte* LanesNetwork::packet(std::size_t payload) {
  Outgoing& packet = outgoing_[next_outgoing_];
  if (packet.request != MPI_REQUEST_NULL) {
    int left = 0;
    must("MPI_Test", PMPI_Test(&packet.request, &left, MPI_STATUS_IGNORE));
    if (left == 0) return nullptr;
  }
  packet_size_ = sizeof(Header) + payload;
  if (packet.bytes.size() < packet_size_) packet.bytes.resize(packet_size_);
  return packet.bytes.data() + sizeof(Header);
}

void LanesNetwork::send(int peer, const Header& header) {
  Outgoing& packet = outgoing_[next_outgoing_];
  next_outgoing_ = (next_outgoing_ + 1) % packets;
  std::memcpy(packet.bytes.data(), &header, sizeof header);
  must("MPI_Isend", PMPI_Isend(packet.bytes.data(), static_cast<int>(packet_size_), MPI_BYTE, place_of(peer).process,
                               packet_tag, comm_of(peer), &packet.request));
}

std::int64_t LanesNetwork::send_body(int peer, std::span<const std::byte> body, bool synchronous, Reference owner) {
  const int tag = next_body_tag(lanes_->greatest_tag);
  const auto start = synchronous ? PMPI_Issend : PMPI_Isend;
  Beside beside{.kind = Beside::Kind::sent, .owner = owner};
  for (std::size_t at = 0; at < body.size(); at += most_at_once) {
    const std::size_t part = std::min(body.size() - at, most_at_once);
    start(body.data() + at, static_cast<int>(part), MPI_BYTE, place_of(peer).process, tag, comm_of(peer),
          &beside.requests.emplace_back(MPI_REQUEST_NULL));
  }
  beside_.push_back(std::move(beside));
  return tag;
}

void LanesNetwork::receive_body(int peer, std::int64_t tag, std::size_t bytes, const endpoints::Body& room,
                                Reference owner) {
  Beside beside{.kind = Beside::Kind::received, .owner = owner, .room = room};
  const bool straight = room.scattered == nullptr && room.bytes >= bytes;
  if (!straight) beside.scratch.resize(bytes);
  const std::span place(straight ? room.data : beside.scratch.data(), bytes);
  receive_into(place, peer, tag, std::move(beside));
}

void LanesNetwork::drop_body(int peer, std::int64_t tag, std::size_t bytes) {
  Beside beside{.kind = Beside::Kind::dropped, .scratch = std::vector<std::byte>(bytes)};
  const std::span place(beside.scratch);
  receive_into(place, peer, tag, std::move(beside));
}

bool LanesNetwork::drops_bodies() const {
  return std::ranges::any_of(beside_, [](const Beside& beside) { return beside.kind == Beside::Kind::dropped; });
}

void LanesNetwork::receive_into(std::span<std::byte> place, int peer, std::int64_t tag, Beside&& beside) {
  for (std::size_t at = 0; at < place.size(); at += most_at_once) {
    const std::size_t part = std::min(place.size() - at, most_at_once);
    must("MPI_Irecv", PMPI_Irecv(place.data() + at, static_cast<int>(part), MPI_BYTE, place_of(peer).process,
                                 static_cast<int>(tag), own_, &beside.requests.emplace_back(MPI_REQUEST_NULL)));
  }
  beside_.push_back(std::move(beside));
}

void LanesNetwork::poll(Handler& handler, Reading reading) {
  poll_packets(handler, reading);
  if (!beside_.empty()) poll_beside(handler);
}

void LanesNetwork::poll_packets(Handler& handler, Reading reading) {
  for (std::size_t seen = 0; seen < packets; ++seen) {
    Incoming& packet = (*incoming_)[next_incoming_];
    int come = 0;
    MPI_Status status;
    must("MPI_Test", PMPI_Test(&packet.request, &come, &status));
    if (come == 0) return;
    int bytes = 0;
    must("MPI_Get_count", PMPI_Get_count(&status, MPI_BYTE, &bytes));
    Header header;
    std::memcpy(&header, packet.bytes.data(), sizeof header);
    handler.packet_arrived(header,
                           std::span(packet.bytes).first(static_cast<std::size_t>(bytes)).subspan(sizeof header));
    must("MPI_Start", PMPI_Start(&packet.request));
    next_incoming_ = (next_incoming_ + 1) % packets;
    if (reading == Reading::to_match) return;
  }
}

void LanesNetwork::poll_beside(Handler& handler) {
  std::vector<Beside> ended;
  std::erase_if(beside_, [&](Beside& beside) {
    int done = 0;
    must("MPI_Testall",
         PMPI_Testall(static_cast<int>(beside.requests.size()), beside.requests.data(), &done, MPI_STATUSES_IGNORE));
    if (done != 0) ended.push_back(std::move(beside));
    return done != 0;
  });
  for (const Beside& beside : ended) {
    if (beside.kind == Beside::Kind::sent) {
      handler.body_sent(beside.owner);
    } else if (beside.kind == Beside::Kind::received) {
      if (!beside.scratch.empty()) endpoints::copy_in(beside.room, 0, beside.scratch);
      handler.body_received(beside.owner);
    }
  }
}

// The lanes that endpoints on several nodes share: taken from the pool of their processes, and given back to it.
namespace {

using platform::must;
using platform::text_of;

void check_level(MPI_Comm processes, int most) {
  int provided = MPI_THREAD_SINGLE;
  must("MPI_Query_thread", PMPI_Query_thread(&provided));
  must("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &provided, 1, MPI_INT, MPI_MIN, processes));
  if (provided >= MPI_THREAD_MULTIPLE || most <= 1) return;
  throw endpoints::Failure(
      endpoints::endpoints_error("between nodes they need MPI_THREAD_MULTIPLE, and the MPI does not provide it"));
}

}  // namespace

std::shared_ptr<const Lanes> make_lanes(const endpoints::Communicator& communicator) {
  const MPI_Comm processes = communicator.processes();
  int most = 0;
  for (const endpoints::Place& place : communicator.places()) most = std::max(most, place.index + 1);
  check_level(processes, most);
  auto made = std::make_shared<Lanes>();
  made->greatest_tag = endpoints::greatest_tag_of(processes);
  made->places = &communicator.places();
  std::vector<MPI_Comm> comms(static_cast<std::size_t>(most), MPI_COMM_NULL);
  try {
    lanes::LanePool::of(processes).take(most, MPI_INFO_NULL, true, MPI_ERRORS_ARE_FATAL, comms.data());
  } catch (const endpoints::Failure& failure) {
    throw endpoints::Failure(endpoints::endpoints_error("between nodes each needs a lane. " + text_of(failure.code)));
  }
  made->comms = std::move(comms);
  return made;
}

Lanes::~Lanes() {
  for (const MPI_Comm comm : comms) platform::regardless(lanes::LanePool::give_back(comm));
}

}  // namespace raddle::direct
