// SPDX-License-Identifier: BSD-3-Clause
// The ways to receive.
#include <algorithm>
#include <array>
#include <utility>

#include "context.hpp"
#include "core/text.hpp"
#include "core/whereabouts.hpp"

namespace raddle::traffic {

Pattern Context::widen(const Envelope& envelope) {
  Pattern pattern{envelope.source, envelope.tag};
  const std::size_t choice = random_.below(5);
  if (choice == 0 || choice == 1) pattern.source = any;
  if ((choice == 1 || choice == 2) && !place_.shared) pattern.tag = any;
  return pattern;
}

void Context::make_room(Receive& receive, std::size_t most, bool may_truncate) {
  std::size_t units = most;
  if (may_truncate && !traffic_.spare && most > 0 && random_.chance(8)) {
    units = random_.below(most);
  } else if (random_.chance(40)) {
    units += 1 + random_.below(100);
  }
  receive.parcel = std::make_shared<Parcel>(Layout(round_->signature, units, random_));
}

/// For a tag of awaited messages either all receives name their source or none does: then each message finds one.
void Context::post_awaited() {
  std::vector<Pattern> patterns;
  std::array<bool, awaited_tags> named{};
  for (bool& choice : named) choice = random_.chance(50);
  for (int source = 0; source < traffic_.contexts; ++source) {
    for (const Message& message : inbox_->from(source)) {
      if (!message.awaited) continue;
      const bool name = named[static_cast<std::size_t>(message.tag - awaited_tag(traffic_, 0))];
      patterns.push_back({name ? source : any, message.tag});
    }
  }
  random_.shuffle(patterns);
  for (const Pattern& pattern : patterns) post(pattern);
}

bool Context::post_any() {
  const std::optional<Envelope> envelope = inbox_->choose(random_);
  if (envelope) post(widen(*envelope));
  return envelope.has_value();
}

void Context::post(const Pattern& pattern) {
  if (restart(pattern)) return;
  Pending pending{Kind::receive};
  pending.persistent = random_.chance(30);
  const char* way = pending.persistent ? "MPI_Recv_init" : "MPI_Irecv";
  enter(way, pattern.source, pattern.tag);
  pending.receive = &inbox_->post(pattern, way);
  make_room(*pending.receive, inbox_->most_units(pattern), true);
  Parcel& parcel = *pending.receive->parcel;
  const auto call = pending.persistent ? MPI_Recv_init : MPI_Irecv;
  check(call(parcel.address(), parcel.layout().count(), parcel.layout().type(), mpi_source(pattern), mpi_tag(pattern),
             place_.comm, &pending.request),
        way);
  if (pending.persistent) check(MPI_Start(&pending.request), "MPI_Start");
  pending_.push_back(pending);
}

/// Starts a persistent receive again. What it got last time is kept aside.
bool Context::restart(const Pattern& pattern) {
  const auto idle = std::ranges::find_if(idle_, [&](const Idle& i) {
    return i.last->pattern.source == pattern.source && i.last->pattern.tag == pattern.tag;
  });
  if (idle == idle_.end()) return false;
  Pending again{Kind::receive};
  again.request = idle->request;
  again.persistent = true;
  again.receive = &inbox_->post(pattern, "MPI_Start");
  again.receive->parcel =
      std::exchange(idle->last->parcel, std::make_shared<Parcel>(std::as_const(*idle->last->parcel)));
  again.receive->parcel->clear();
  idle_.erase(idle);
  enter("MPI_Start", pattern.source, pattern.tag);
  check(random_.chance(50) ? MPI_Start(&again.request) : MPI_Startall(1, &again.request), "MPI_Start");
  pending_.push_back(again);
  return true;
}

bool Context::receive_now() {
  if (!held_.empty()) {
    take_held(true);
    return true;
  }
  const std::optional<Envelope> envelope = inbox_->choose(random_, stage());
  if (!envelope) return false;
  const Pattern pattern = widen(*envelope);
  MPI_Status status;
  const std::size_t choice = random_.below(3);
  if (choice == 0) {
    enter("MPI_Recv", pattern.source, pattern.tag);
    Receive& receive = inbox_->post(pattern, "MPI_Recv");
    make_room(receive, inbox_->most_units(pattern), true);
    Parcel& parcel = *receive.parcel;
    const int code = MPI_Recv(parcel.address(), parcel.layout().count(), parcel.layout().type(), mpi_source(pattern),
                              mpi_tag(pattern), place_.comm, &status);
    settle_receive(receive, status, code);
  } else if (choice == 1) {
    enter("MPI_Probe", pattern.source, pattern.tag);
    check(MPI_Probe(mpi_source(pattern), mpi_tag(pattern), place_.comm, &status), "MPI_Probe");
    receive_probed(pattern, "MPI_Probe", status);
  } else {
    enter("MPI_Mprobe", pattern.source, pattern.tag);
    MPI_Message message = MPI_MESSAGE_NULL;
    check(MPI_Mprobe(mpi_source(pattern), mpi_tag(pattern), place_.comm, &message, &status), "MPI_Mprobe");
    hold(pattern, "MPI_Mprobe", message, status);
  }
  return true;
}

/// Whatever is there may be taken: no open receive accepts it, or it would have gone there.
void Context::glance() {
  std::vector<Envelope> some;
  for (int source = 0; source < traffic_.contexts; ++source) {
    for (const Message& message : inbox_->from(source)) some.push_back({source, message.tag});
  }
  if (some.empty()) return;
  const Pattern pattern = widen(random_.pick(some));
  int flag = 0;
  MPI_Status status;
  if (random_.chance(50)) {
    enter("MPI_Iprobe", pattern.source, pattern.tag);
    check(MPI_Iprobe(mpi_source(pattern), mpi_tag(pattern), place_.comm, &flag, &status), "MPI_Iprobe");
    if (flag != 0) receive_probed(pattern, "MPI_Iprobe", status);
  } else {
    enter("MPI_Improbe", pattern.source, pattern.tag);
    MPI_Message message = MPI_MESSAGE_NULL;
    check(MPI_Improbe(mpi_source(pattern), mpi_tag(pattern), place_.comm, &flag, &message, &status), "MPI_Improbe");
    if (flag != 0) hold(pattern, "MPI_Improbe", message, status);
  }
}

std::size_t Context::units_of(const MPI_Status& status) {
  const Layout unit(round_->signature, 1, random_);
  int count = 0;
  MPI_Get_count(&status, unit.type(), &count);
  demand(count >= 0, "a probe told of part of a unit");
  return static_cast<std::size_t>(count);
}

void Context::receive_probed(const Pattern& pattern, const char* way, const MPI_Status& status) {
  Receive& receive = inbox_->post(pattern, way);
  make_room(receive, units_of(status), true);
  Parcel& parcel = *receive.parcel;
  enter("MPI_Recv", status.MPI_SOURCE, status.MPI_TAG);
  MPI_Status got;
  const int code = MPI_Recv(parcel.address(), parcel.layout().count(), parcel.layout().type(), status.MPI_SOURCE,
                            status.MPI_TAG, place_.comm, &got);
  settle_receive(receive, got, code);
  demand(receive.truncated || receive.elements == parcel.layout().expected_elements(units_of(status)),
         bench::text(way, " told of ", units_of(status), " units, and ", receive.elements, " elements came"));
}

void Context::hold(const Pattern& pattern, const char* way, MPI_Message message, const MPI_Status& status) {
  Receive& receive = inbox_->post(pattern, way);
  const std::string wrong = inbox_->note(receive, envelope_of(status));
  demand(wrong.empty(), wrong);
  make_room(receive, units_of(status), true);
  held_.push_back({message, &receive});
}

void Context::take_held(bool blocking) {
  if (held_.empty()) return;
  std::swap(held_[random_.below(held_.size())], held_.back());
  Held held = held_.back();
  held_.pop_back();
  Parcel& parcel = *held.receive->parcel;
  if (blocking) {
    enter("MPI_Mrecv", held.receive->got->source, held.receive->got->tag);
    MPI_Status status;
    const int code =
        MPI_Mrecv(parcel.address(), parcel.layout().count(), parcel.layout().type(), &held.message, &status);
    settle_receive(*held.receive, status, code);
  } else {
    enter("MPI_Imrecv", held.receive->got->source, held.receive->got->tag);
    Pending pending{Kind::receive};
    pending.receive = held.receive;
    check(
        MPI_Imrecv(parcel.address(), parcel.layout().count(), parcel.layout().type(), &held.message, &pending.request),
        "MPI_Imrecv");
    pending_.push_back(pending);
  }
  demand(held.message == MPI_MESSAGE_NULL || held.receive->truncated, "a message is still there after it was received");
}

}  // namespace raddle::traffic
