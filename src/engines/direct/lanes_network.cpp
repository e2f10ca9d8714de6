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
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"

namespace raddle::direct {
namespace {

using platform::must;

constexpr std::size_t most_at_once = std::size_t{1} << 30U;  // MPI counts are int

/// Of a packet with its frame, so that the next one is aligned.
constexpr std::size_t rounded(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

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
      outgoing_(most_outgoing),
      incoming_(receives * message_bytes),
      probes_(platform::misses_any_source()) {
  receives_.fill(MPI_REQUEST_NULL);
  if (probes_) return;
  idle_receives_ = receives;
  for (std::size_t i = 0; i < receives; ++i) {
    must("MPI_Recv_init",
         PMPI_Recv_init(room_of(i), message_bytes, MPI_BYTE, MPI_ANY_SOURCE, packet_tag, own_, &receives_[i]));
  }
  start_receives();
}

LanesNetwork::~LanesNetwork() {
  end_receives();
  push();
  for (Outgoing& message : outgoing_) {
    if (has_left(message)) continue;
    must("MPI_Request_free", PMPI_Request_free(&message.request));
    keep_for_ever(std::move(message.bytes));
  }
}

void LanesNetwork::end_receives() {
  // What was found is on its way.
  if (probes_) return must("MPI_Wait", PMPI_Wait(&receives_[next_receive_], MPI_STATUS_IGNORE));
  start_receives();
  for (MPI_Request& receive : receives_) {
    must("MPI_Cancel", PMPI_Cancel(&receive));
    must("MPI_Wait", PMPI_Wait(&receive, MPI_STATUS_IGNORE));
    must("MPI_Request_free", PMPI_Request_free(&receive));
  }
}

/// In the order in which they are looked at.
void LanesNetwork::start_receives() {
  const std::size_t first = (next_receive_ + receives - idle_receives_) % receives;
  const std::size_t to_the_end = std::min(idle_receives_, receives - first);
  must("MPI_Startall", PMPI_Startall(static_cast<int>(to_the_end), &receives_[first]));
  if (to_the_end < idle_receives_)
    must("MPI_Startall", PMPI_Startall(static_cast<int>(idle_receives_ - to_the_end), receives_.data()));
  idle_receives_ = 0;
}

bool LanesNetwork::has_left(Outgoing& message) {
  if (message.request == MPI_REQUEST_NULL) return true;
  int left = 0;
  must("MPI_Test", PMPI_Test(&message.request, &left, MPI_STATUS_IGNORE));
  return left != 0;
}

std::byte* LanesNetwork::packet(int peer, std::size_t payload) {
  const std::size_t needed = rounded(sizeof(Frame) + sizeof(Header) + payload);
  if (filled_ > 0 && (peer != peer_ || filled_ + needed > message_bytes)) push();
  if (filled_ == 0 && outgoing_[outgoing_now_].request != MPI_REQUEST_NULL) {  // else its bytes are in the cache
    const std::size_t next = (outgoing_now_ + 1) % most_outgoing;
    if (!has_left(outgoing_[next])) return nullptr;
    outgoing_now_ = next;
  }
  Outgoing& message = outgoing_[outgoing_now_];
  if (message.bytes.size() < filled_ + needed) message.bytes.resize(filled_ + needed);
  peer_ = peer;
  payload_ = payload;
  return message.bytes.data() + filled_ + sizeof(Frame) + sizeof(Header);
}

void LanesNetwork::add(const Header& header) {
  std::byte* const bytes = outgoing_[outgoing_now_].bytes.data();
  const Frame frame{.payload = static_cast<std::uint32_t>(payload_), .more = 0};
  if (filled_ > 0) {
    constexpr std::uint32_t more = 1;
    std::memcpy(bytes + last_ + offsetof(Frame, more), &more, sizeof more);
  }
  std::memcpy(bytes + filled_, &frame, sizeof frame);
  std::memcpy(bytes + filled_ + sizeof frame, &header, sizeof header);
  last_ = filled_;
  filled_ += rounded(sizeof frame + sizeof header + payload_);
}

void LanesNetwork::push() {
  if (filled_ == 0) return;
  Outgoing& message = outgoing_[outgoing_now_];
  must("MPI_Isend", PMPI_Isend(message.bytes.data(), static_cast<int>(std::exchange(filled_, 0)), MPI_BYTE,
                               place_of(peer_).process, packet_tag, comm_of(peer_), &message.request));
}

MPI_Request& LanesNetwork::begin_part(const std::shared_ptr<Beside>& beside) {
  beside_.push_back(beside);
  ++beside->parts;
  return under_way_.emplace_back(MPI_REQUEST_NULL);
}

/// Of this process; two large messages with the same tag would have to be 32000 messages apart.
std::int64_t LanesNetwork::body_tag() {
  static std::atomic<std::uint32_t> next{0};
  const auto range = static_cast<std::uint32_t>(lanes_->greatest_tag - first_body_tag);
  return first_body_tag + static_cast<int>(next.fetch_add(1, std::memory_order_relaxed) % range);
}

void LanesNetwork::send_body(int peer, std::int64_t tag, std::span<const std::byte> body, bool synchronous,
                             Reference owner) {
  const auto start = synchronous ? PMPI_Issend : PMPI_Isend;
  const auto beside = std::make_shared<Beside>(Beside{.kind = Beside::Kind::sent, .owner = owner});
  for (std::size_t at = 0; at < body.size(); at += most_at_once) {
    const std::size_t part = std::min(body.size() - at, most_at_once);
    must("MPI_Isend", start(body.data() + at, static_cast<int>(part), MPI_BYTE, place_of(peer).process,
                            static_cast<int>(tag), comm_of(peer), &begin_part(beside)));
  }
}

void LanesNetwork::receive_body(int peer, std::int64_t tag, std::size_t bytes, const endpoints::Body& room,
                                Reference owner) {
  const auto beside = std::make_shared<Beside>(Beside{.kind = Beside::Kind::received, .owner = owner, .room = room});
  const bool straight = room.scattered == nullptr && room.bytes >= bytes;
  if (!straight) beside->scratch.resize(bytes);
  receive_into({straight ? room.data : beside->scratch.data(), bytes}, peer, tag, beside);
}

void LanesNetwork::drop_body(int peer, std::int64_t tag, std::size_t bytes) {
  const auto beside =
      std::make_shared<Beside>(Beside{.kind = Beside::Kind::dropped, .scratch = std::vector<std::byte>(bytes)});
  receive_into(beside->scratch, peer, tag, beside);
}

bool LanesNetwork::drops_bodies() const {
  return std::ranges::any_of(beside_, [](const auto& beside) { return beside->kind == Beside::Kind::dropped; });
}

void LanesNetwork::receive_into(std::span<std::byte> place, int peer, std::int64_t tag,
                                const std::shared_ptr<Beside>& beside) {
  for (std::size_t at = 0; at < place.size(); at += most_at_once) {
    const std::size_t part = std::min(place.size() - at, most_at_once);
    must("MPI_Irecv", PMPI_Irecv(place.data() + at, static_cast<int>(part), MPI_BYTE, place_of(peer).process,
                                 static_cast<int>(tag), own_, &begin_part(beside)));
  }
}

void LanesNetwork::poll(Handler& handler, Reading reading) {
  for (std::size_t seen = 0; seen < receives; ++seen) {
    const bool come = beside_.empty() ? test_packets(handler) : test_all(handler);
    if (!come) return tidy();
    if (idle_receives_ >= restarted) start_receives();
    if (reading == Reading::to_match) return;
  }
}

/// While there is nothing else to do: what the next packets would wait for.
void LanesNetwork::tidy() {
  if (idle_receives_ > 0) start_receives();
  if (filled_ == 0) has_left(outgoing_[outgoing_now_]);
}

/// The next message of packets, if one has come. Matched: it is received like one whose receive was posted.
void LanesNetwork::probe() {
  MPI_Request& receive = receives_[next_receive_];
  if (receive != MPI_REQUEST_NULL) return;
  int come = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  must("MPI_Improbe", PMPI_Improbe(MPI_ANY_SOURCE, packet_tag, own_, &come, &message, MPI_STATUS_IGNORE));
  if (come == 0) return;
  must("MPI_Imrecv", PMPI_Imrecv(room_of(next_receive_), message_bytes, MPI_BYTE, &message, &receive));
}

bool LanesNetwork::test_packets(Handler& handler) {
  if (probes_) {
    probe();
    if (receives_[next_receive_] == MPI_REQUEST_NULL) return false;
  }
  int come = 0;
  must("MPI_Test", PMPI_Test(&receives_[next_receive_], &come, MPI_STATUS_IGNORE));
  if (come != 0) handle_packets(handler);
  return come != 0;
}

void LanesNetwork::handle_packets(Handler& handler) {
  const std::byte* at = room_of(next_receive_);
  if (!probes_) {
    next_receive_ = (next_receive_ + 1) % receives;
    ++idle_receives_;
  }
  for (Frame frame{.payload = 0, .more = 1}; frame.more != 0;) {
    Header header;
    std::memcpy(&frame, at, sizeof frame);
    std::memcpy(&header, at + sizeof frame, sizeof header);
    handler.packet_arrived(header, {at + sizeof frame + sizeof header, frame.payload});
    at += rounded(sizeof frame + sizeof header + frame.payload);
  }
}

bool LanesNetwork::test_all(Handler& handler) {
  if (probes_) probe();
  under_way_.front() = receives_[next_receive_];
  ended_.resize(under_way_.size());
  int number = 0;
  must("MPI_Testsome", PMPI_Testsome(static_cast<int>(under_way_.size()), under_way_.data(), &number, ended_.data(),
                                     MPI_STATUSES_IGNORE));
  receives_[next_receive_] = under_way_.front();
  if (number == 0) return false;
  std::vector<std::shared_ptr<Beside>> ended;  // the handler may begin others
  bool packet = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(number); ++i) {
    if (ended_[i] == 0) {
      packet = true;
    } else if (auto& beside = beside_[static_cast<std::size_t>(ended_[i] - 1)]; --beside->parts == 0) {
      ended.push_back(std::move(beside));
    } else {
      beside.reset();
    }
  }
  std::erase_if(beside_, [](const auto& beside) { return beside == nullptr; });
  under_way_.erase(std::remove(under_way_.begin() + 1, under_way_.end(), MPI_REQUEST_NULL), under_way_.end());
  for (const auto& beside : ended) end(handler, *beside);
  if (packet) handle_packets(handler);
  return packet;
}

void LanesNetwork::end(Handler& handler, const Beside& beside) {
  if (beside.kind == Beside::Kind::sent) {
    handler.body_sent(beside.owner);
  } else if (beside.kind == Beside::Kind::received) {
    if (!beside.scratch.empty()) endpoints::copy_in(beside.room, 0, beside.scratch);
    handler.body_received(beside.owner);
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
