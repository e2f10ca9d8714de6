// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/transport.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "node/cross_memory.hpp"
#include "platform/background.hpp"

namespace raddle::direct {
namespace {

constexpr std::size_t scratch_bytes = std::size_t{64} * 1024;  // that stay in the cache between two copies

}  // namespace

Transport::Transport(int rank, const Peer& own, std::shared_ptr<const Peers> peers, std::size_t eager, Network* network)
    : rank_(rank),
      own_(own),
      network_(network),
      coalescing_(network != nullptr && network->may_wait()),
      lines_(static_cast<std::size_t>(peers->size())),
      reader_(*own.inbox),
      peers_(std::move(peers)) {
  const std::size_t longest = std::min(eager, most_in(*own.inbox));
  for (const auto& [near, receiver] : peers_->near()) {
    Line& line = line_of(near);
    line.inbox = receiver.inbox;
    line.at_once = std::min(longest, receiver.eager);
    line.below = line.usually_below();
  }
}

bool Transport::send_now(int to, PacketKind kind, int tag, std::span<const std::byte> body) {
  Line& line = line_of(to);
  if (line.inbox == nullptr || body.size() > line.at_once || line.delayed.load(std::memory_order_acquire) != 0)
    return false;
  const Inbox::Claim claim = line.inbox->claim(sizeof(Header) + body.size(), line.seen);
  if (claim.place == nullptr) return false;
  new (claim.place) Header(header(kind, tag, body.size()));
  platform::copy_bytes(claim.place + sizeof(Header), body.data(), body.size());
  line.inbox->publish(claim);
  return true;
}

bool Transport::try_put(int to, const Header& header, std::span<const std::byte> prefix, const endpoints::Body& body) {
  if (!place(to, header, prefix, body)) return false;
  if (line_of(to).inbox == nullptr) network_->push();
  return true;
}

bool Transport::place(int to, const Header& header, std::span<const std::byte> prefix, const endpoints::Body& body) {
  Line& line = line_of(to);
  Inbox::Claim claim;
  std::byte* place = nullptr;
  if (line.inbox == nullptr) {
    place = network_->packet(to, prefix.size() + body.bytes);
  } else {
    claim = line.inbox->claim(sizeof header + prefix.size() + body.bytes, line.seen);
    if (claim.place != nullptr) {
      std::memcpy(claim.place, &header, sizeof header);
      place = claim.place + sizeof header;
    }
  }
  if (place == nullptr) return false;
  platform::copy_bytes(place, prefix.data(), prefix.size());
  const std::span rest(place + prefix.size(), body.bytes);
  if (body.scattered != nullptr) {
    body.scattered->gather(rest);
  } else {
    platform::copy_bytes(rest.data(), body.data, rest.size());
  }
  if (line.inbox == nullptr) {
    network_->add(header);
  } else {
    line.inbox->publish(claim);
  }
  return true;
}

bool Transport::put(int to, const Header& header, std::span<const std::byte> prefix, const endpoints::Body& body,
                    Reference owner) {
  if (line_of(to).outbox.empty() && try_put(to, header, prefix, body)) return true;
  delay(to, header, prefix, body, owner);
  coalescing_.hurry();
  return false;
}

bool Transport::put_soon(int to, const Header& header, std::span<const std::byte> prefix, const endpoints::Body& body,
                         Reference owner) {
  const std::uint32_t at_once = header.kind == PacketKind::eager ? Coalescing::eager_at_once : Coalescing::rts_at_once;
  const bool of_raddle = header.tag < 0;  // a partition that is ready, which nobody may be in a call for
  if (line_of(to).inbox != nullptr || of_raddle || !coalescing_.waits(to, prefix.size() + body.bytes, at_once))
    return put(to, header, prefix, body, owner);
  delay(to, header, prefix, body, owner);
  if (coalescing_.only_one()) platform::Background::get().hurry();
  return false;
}

void Transport::delay(int to, const Header& header, std::span<const std::byte> prefix, const endpoints::Body& body,
                      Reference owner) {
  Line& line = line_of(to);
  auto& packet = *new (memory_.allocate(sizeof(DelayedPacket), alignof(DelayedPacket))) DelayedPacket;
  packet.header = header;
  packet.prefix_bytes = prefix.size();
  platform::copy_bytes(packet.prefix, prefix.data(), prefix.size());
  packet.body = body;
  packet.owner = owner;
  if (!line.listed) {
    new (&line.outbox) Outbox;
    line.listed = true;
    delayed_to_.push_back(to);
  }
  line.outbox.append(packet);
  line.delayed.fetch_add(1, std::memory_order_relaxed);
  line.below.store(0, std::memory_order_relaxed);
  begin_work();
}

void Transport::flush(Handler& handler) {
  for (std::size_t at = 0; at < delayed_to_.size(); ++at) {  // the handler may add some
    const int to = delayed_to_[at];
    flush(to);
    for (const Left& left : left_) handler.packet_sent(left.header, left.owner);  // which flushes nothing
    left_.clear();
  }
  std::erase_if(delayed_to_, [&](int to) {
    Line& line = line_of(to);
    line.listed = !line.outbox.empty();
    return !line.listed;
  });
}

void Transport::flush(int to) {
  Line& line = line_of(to);
  while (DelayedPacket* const packet = line.outbox.first()) {
    const Left left{packet->header, packet->owner};
    if (!place(to, left.header, {packet->prefix, packet->prefix_bytes}, packet->body)) break;
    discard(line, *packet);
    if (left.owner != 0) left_.push_back(left);
  }
  if (line.inbox == nullptr) network_->push();
}

bool Transport::recall(int to, Reference owner) {
  Line& line = line_of(to);
  for (DelayedPacket* packet = line.outbox.first(); packet != nullptr; packet = packet->next) {
    if (packet->owner != owner) continue;
    discard(line, *packet);
    return true;
  }
  return false;
}

void Transport::discard(Line& line, DelayedPacket& packet) {
  line.outbox.remove(packet);
  if (line.delayed.fetch_sub(1, std::memory_order_release) == 1)
    line.below.store(line.usually_below(), std::memory_order_release);
  end_work();
  memory_.deallocate(&packet, sizeof packet, alignof(DelayedPacket));
}

bool Transport::fetch(int from, std::uint64_t address, std::size_t bytes, const endpoints::Body& to, std::size_t at) {
  const pid_t process = peer(from).process;
  if (to.scattered == nullptr) return node::copy_from(process, address, {to.data + at, bytes});
  if (process == 0) {
    to.scattered->scatter({reinterpret_cast<const std::byte*>(address), bytes});
    return true;
  }
  scratch_.resize(scratch_bytes);
  for (std::size_t done = 0; done < bytes;) {
    const std::span part(scratch_.data(), std::min(bytes - done, scratch_bytes));
    if (!node::copy_from(process, address + done, part)) return false;
    to.scattered->scatter(part);
    done += part.size();
  }
  return true;
}

std::string Transport::describe() const {
  std::string text;
  for (const int to : delayed_to_) {
    if (const auto delayed = line_of(to).delayed.load(std::memory_order_relaxed); delayed > 0)
      text += "\n  packets without room in the inbox of " + std::to_string(to) + ": " + std::to_string(delayed);
  }
  return text;
}

}  // namespace raddle::direct
