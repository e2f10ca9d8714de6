// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/messages.hpp"

namespace raddle::direct {

Messages::Messages(Transport& transport, std::size_t eager, std::size_t least_in_pipeline)
    : transport_(transport),
      matching_(transport.size()),
      eager_(eager),
      least_in_pipeline_(transport.own().pipelines == nullptr ? ~std::size_t{0} : least_in_pipeline) {
  for (CopyChoice& choice : choices_) choice.warm_up(transport.own().ring.bytes());
}

bool Messages::other_arrived(const Header& header, std::span<const std::byte> payload) {
  switch (header.kind) {
    case PacketKind::eager:
      if (Posted* const receive = matching_.match(header.source, header.tag)) {
        auto& operation = static_cast<Operation&>(*receive);
        if (take_in(header, payload.data(), operation)) {
          operation.end_well();
        } else {
          deliver(header, payload, operation);
        }
        return true;
      }
      keep(header, payload);
      return false;
    case PacketKind::eager_ack:
    case PacketKind::rts_get:
    case PacketKind::rts_pipeline:
    case PacketKind::rts:
    case PacketKind::rts_beside:
      if (Posted* const receive = matching_.match(header.source, header.tag)) {
        deliver(header, payload, static_cast<Operation&>(*receive));
      } else {
        keep(header, payload);
      }
      return false;
    case PacketKind::cts: {
      const Cts cts = prefix_of<Cts>(payload);
      Operation& send = operation_of(cts.send);
      send.other_side = cts.receive;
      activate(send);
      return false;
    }
    case PacketKind::part: {
      Operation& receive = operation_of(prefix_of<Reference>(payload));
      write(receive, payload.subspan(sizeof(Reference), header.bytes));
      if (receive.moved == receive.bytes) finish_receive(receive, receive.bytes);
      return false;
    }
    case PacketKind::fin: {
      const Fin fin = prefix_of<Fin>(payload);
      finished(operation_of(fin.send), fin.cancelled != 0 ? Outcome::cancelled : Outcome::good);
      return false;
    }
    case PacketKind::withdraw:
      withdrawn(header, prefix_of<Reference>(payload));
      return false;
  }
  return false;
}

void Messages::step() {
  if (!withdrawn_.empty()) end_withdrawn();
  for (Operation* operation = active_.first(); operation != nullptr;) {
    Operation& now = *operation;
    operation = operation->next_active;  // the step may be the last
    if (!now.sends) {
      now.pipelined ? take_from_pipeline(now) : copy_step(now);
    } else if (now.pipelined) {
      push_more(now);
    } else if (now.transfer >= 0) {
      help(now);
    } else {
      send_parts(now);
    }
  }
}

void Messages::activate(Operation& operation) {
  active_.append(operation);
  transport_.begin_work();
}

void Messages::retire(Operation& operation) {
  if (operation.active_link == nullptr) return;
  active_.remove(operation);
  transport_.end_work();
}

void Messages::cancel(Operation& operation) {
  if (operation.complete()) return;
  if (operation.sends) {
    cancel_send(operation);
  } else if (Matching::waits(operation)) {
    matching_.withdraw(operation);
    operation.complete(Outcome::cancelled);
  }
}

std::uint64_t Messages::moved() const {
  std::uint64_t bytes = 0;
  for (const Operation* operation = active_.first(); operation != nullptr; operation = operation->next_active)
    bytes += operation->moved;
  return bytes;
}

std::string Messages::describe() const {
  const auto number = [](int value) {
    return value == any ? std::string("any") : value < 0 ? std::string("of Raddle's own") : std::to_string(value);
  };
  std::string text;
  matching_.each_posted([&](const Posted& receive) {
    text += "\n  receive posted: from " + number(receive.source) + ", tag " + number(receive.tag);
  });
  matching_.each_arrived([&](const Arrived& message) {
    text += "\n  message unexpected: from " + std::to_string(message.source) + ", tag " + number(message.tag) + ", " +
            std::to_string(static_cast<const Kept&>(message).header.bytes) + " bytes";
  });
  for (const Operation* operation = active_.first(); operation != nullptr; operation = operation->next_active) {
    text += std::string("\n  ") + (operation->sends ? "send to " : "receive from ") + std::to_string(operation->peer) +
            " under way: " + std::to_string(operation->moved) + " bytes";
  }
  return text;
}

}  // namespace raddle::direct
