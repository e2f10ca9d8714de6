// SPDX-License-Identifier: BSD-3-Clause
// The ways to send.
#include <algorithm>

#include "context.hpp"
#include "core/text.hpp"
#include "core/whereabouts.hpp"

namespace raddle::traffic {

void Context::attach() {
  std::size_t bytes = 0;
  for (const Message& message : *outgoing_) {
    if (message.mode != Mode::bsend && message.mode != Mode::ibsend && message.mode != Mode::bsend_init) continue;
    int packed = 0;
    MPI_Pack_size(static_cast<int>(content(message).bytes), MPI_BYTE, place_.comm, &packed);
    bytes += static_cast<std::size_t>(packed) + MPI_BSEND_OVERHEAD + 64;
  }
  if (bytes == 0) return;
  buffer_.resize(bytes);
  check(MPI_Buffer_attach(buffer_.data(), static_cast<int>(bytes)), "MPI_Buffer_attach");
}

void Context::send_next() {
  if (all_sent()) return;
  const Message& message = (*outgoing_)[next_];
  if (blocks(message.mode) && !held_.empty()) return take_held(true);
  send(message);
  ++next_;
  bench::Board::instance().moved();
}

void Context::send(const Message& message) {
  const auto idle = std::ranges::find_if(idle_sends_, [&](const IdleSend& i) {
    const Message& last = *i.sending->message;
    return last.dest == message.dest && last.tag == message.tag && last.units == message.units &&
           last.mode == message.mode;
  });
  if (idle != idle_sends_.end()) {
    Sending& sending = sendings_.emplace_back(Sending{&message, idle->sending->parcel});
    sending.parcel->clear();
    sending.parcel->fill(content(message));
    Pending again{Kind::send, idle->request, true, nullptr, &sending};
    idle_sends_.erase(idle);
    enter("MPI_Start", message.dest, message.tag);
    check(MPI_Start(&again.request), "MPI_Start");
    pending_.push_back(again);
    return;
  }
  Sending& sending = sendings_.emplace_back(
      Sending{&message, std::make_shared<Parcel>(Layout(round_->signature, message.units, random_))});
  sending.parcel->fill(content(message));
  switch (message.mode) {
    case Mode::sendrecv:
    case Mode::sendrecv_replace:
      exchange(sending, message.mode == Mode::sendrecv_replace);
      break;
    case Mode::isendrecv:
    case Mode::isendrecv_replace:
      exchange_nonblocking(sending, message.mode == Mode::isendrecv_replace);
      break;
    default:
      if (persistent(message.mode)) {
        send_persistent(sending);
      } else {
        send_at_once(sending);
      }
  }
  // What is received into the same buffer will be counted in units of its type.
  if (message.mode != Mode::isendrecv_replace && random_.chance(50)) sending.parcel->layout().forget();
}

void Context::send_at_once(Sending& sending) {
  const Message& m = *sending.message;
  Parcel& parcel = *sending.parcel;
  const bool alone = m.mode == Mode::isendrecv || m.mode == Mode::isendrecv_replace;  // with nothing to receive
  enter(alone ? "MPI_Isend" : call_of(m.mode), m.dest, m.tag);
  const auto plain = [&](auto call) {
    check(call(parcel.address(), parcel.layout().count(), parcel.layout().type(), m.dest, m.tag, place_.comm),
          call_of(m.mode));
    parcel.spoil();
  };
  const auto nonblocking = [&](auto call) {
    Pending pending{Kind::send};
    pending.sending = &sending;
    check(call(parcel.address(), parcel.layout().count(), parcel.layout().type(), m.dest, m.tag, place_.comm,
               &pending.request),
          call_of(m.mode));
    if (random_.chance(7)) {
      enter("MPI_Request_free", m.dest, m.tag);
      check(MPI_Request_free(&pending.request), "MPI_Request_free");
    } else {
      pending_.push_back(pending);
    }
  };
  switch (m.mode) {
    case Mode::send:
      return plain(MPI_Send);
    case Mode::ssend:
      return plain(MPI_Ssend);
    case Mode::rsend:
      return plain(MPI_Rsend);
    case Mode::bsend:
      return plain(MPI_Bsend);
    case Mode::issend:
      return nonblocking(MPI_Issend);
    case Mode::irsend:
      return nonblocking(MPI_Irsend);
    case Mode::ibsend:
      return nonblocking(MPI_Ibsend);
    default:
      return nonblocking(MPI_Isend);
  }
}

void Context::send_persistent(Sending& sending) {
  const Message& m = *sending.message;
  Parcel& parcel = *sending.parcel;
  Pending pending{Kind::send};
  pending.persistent = true;
  pending.sending = &sending;
  enter(call_of(m.mode), m.dest, m.tag);
  const auto make = [&](auto call) {
    check(call(parcel.address(), parcel.layout().count(), parcel.layout().type(), m.dest, m.tag, place_.comm,
               &pending.request),
          call_of(m.mode));
  };
  if (m.mode == Mode::send_init) make(MPI_Send_init);
  if (m.mode == Mode::ssend_init) make(MPI_Ssend_init);
  if (m.mode == Mode::bsend_init) make(MPI_Bsend_init);
  if (m.mode == Mode::rsend_init) make(MPI_Rsend_init);
  if (random_.chance(50)) {
    check(MPI_Start(&pending.request), "MPI_Start");
  } else {
    check(MPI_Startall(1, &pending.request), "MPI_Startall");
  }
  pending_.push_back(pending);
}

/// With a receive that is safe to wait for if there is one, else from nobody.
void Context::exchange(Sending& sending, bool replace) {
  const Message& m = *sending.message;
  Layout& out = sending.parcel->layout();
  std::optional<Envelope> envelope = inbox_->choose(random_, stage());
  Pattern pattern{any, any};
  if (envelope) pattern = widen(*envelope);
  if (replace && envelope && inbox_->most_units(pattern) > m.units) envelope.reset();
  Receive* receive = envelope ? &inbox_->post(pattern, call_of(m.mode)) : nullptr;
  enter(call_of(m.mode), m.dest, m.tag);
  MPI_Status status;
  const int source = envelope ? mpi_source(pattern) : MPI_PROC_NULL;
  const int tag = mpi_tag(pattern);
  if (replace) {
    if (receive) receive->parcel = sending.parcel;
    check(MPI_Sendrecv_replace(sending.parcel->address(), out.count(), out.type(), m.dest, m.tag, source, tag,
                               place_.comm, &status),
          call_of(m.mode));
    if (!receive) demand(sending.parcel->holds(content(m)), "MPI_Sendrecv_replace from nobody changed its buffer");
  } else {
    Receive dropped{.pattern = pattern, .way = ""};
    Receive& to = receive ? *receive : dropped;
    make_room(to, inbox_->most_units(pattern), false);
    check(MPI_Sendrecv(sending.parcel->address(), out.count(), out.type(), m.dest, m.tag, to.parcel->address(),
                       to.parcel->layout().count(), to.parcel->layout().type(), source, tag, place_.comm, &status),
          call_of(m.mode));
    sending.parcel->spoil();
  }
  if (receive) {
    settle_receive(*receive, status, MPI_SUCCESS);
  } else {
    check_nobody(status, call_of(m.mode));
  }
}

void Context::exchange_nonblocking(Sending& sending, bool replace) {
  const Message& m = *sending.message;
  Layout& out = sending.parcel->layout();
  std::optional<Envelope> envelope = inbox_->choose(random_);
  Pattern pattern{any, any};
  if (envelope) pattern = widen(*envelope);
  if (replace && envelope && inbox_->most_units(pattern) > m.units) envelope.reset();
  if (!envelope) return send_at_once(sending);
  enter(call_of(m.mode), m.dest, m.tag);
  Pending pending{Kind::both};
  pending.sending = &sending;
  pending.receive = &inbox_->post(pattern, call_of(m.mode));
  const int source = mpi_source(pattern);
  const int tag = mpi_tag(pattern);
#if RADDLE_HAVE_ISENDRECV
  if (replace) {
    pending.receive->parcel = sending.parcel;
    check(MPI_Isendrecv_replace(sending.parcel->address(), out.count(), out.type(), m.dest, m.tag, source, tag,
                                place_.comm, &pending.request),
          call_of(m.mode));
  } else {
    make_room(*pending.receive, inbox_->most_units(pattern), false);
    Parcel& in = *pending.receive->parcel;
    check(MPI_Isendrecv(sending.parcel->address(), out.count(), out.type(), m.dest, m.tag, in.address(),
                        in.layout().count(), in.layout().type(), source, tag, place_.comm, &pending.request),
          call_of(m.mode));
  }
#endif
  pending_.push_back(pending);
}

}  // namespace raddle::traffic
