// SPDX-License-Identifier: BSD-3-Clause
#include "inbox.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/text.hpp"

namespace raddle::traffic {

using bench::text;

Inbox::Inbox(const Round& round, int rank) : round_(round) {
  for (const auto& list : round.from) {
    std::vector<Message>& mine = expected_.emplace_back();
    for (const Message& message : list) {
      if (message.dest != rank) continue;
      mine.push_back(message);
      const Envelope envelope{message.source, message.tag};
      const auto known = std::ranges::find_if(classes_, [&](const Class& c) {
        return c.envelope.source == envelope.source && c.envelope.tag == envelope.tag;
      });
      ++(known == classes_.end() ? classes_.emplace_back(Class{envelope}) : *known).sent;
    }
  }
}

std::optional<Envelope> Inbox::choose(Random& random) const {
  std::vector<Envelope> safe;
  for (const Class& c : classes_) {
    if (c.sent - c.received > ahead(c.envelope, nullptr)) safe.push_back(c.envelope);
  }
  return safe.empty() ? std::nullopt : std::optional(random.pick(safe));
}

std::optional<Envelope> Inbox::choose(Random& random, int stage) const {
  std::vector<Envelope> safe;
  for (const Class& c : classes_) {
    if (surely_sent(c.envelope, stage) - c.received > ahead(c.envelope, nullptr)) safe.push_back(c.envelope);
  }
  return safe.empty() ? std::nullopt : std::optional(random.pick(safe));
}

bool Inbox::sure(const Receive& receive, int stage) const {
  return std::ranges::any_of(classes_, [&](const Class& c) {
    return receive.pattern.accepts(c.envelope.source, c.envelope.tag) &&
           surely_sent(c.envelope, stage) - c.received > ahead(c.envelope, &receive);
  });
}

std::size_t Inbox::most_units(const Pattern& pattern) const {
  std::size_t most = 0;
  for (const auto& list : expected_) {
    for (const Message& message : list) {
      if (pattern.accepts(message.source, message.tag)) most = std::max(most, message.units);
    }
  }
  return most;
}

Receive& Inbox::post(const Pattern& pattern, const char* way) {
  return receives_.emplace_back(Receive{.pattern = pattern, .way = way});
}

std::string Inbox::note(Receive& receive, const Envelope& got) {
  const std::string what = text("receive ", describe(receive.pattern), " by ", receive.way);
  if (!receive.pattern.accepts(got.source, got.tag))
    return text(what, " told of source ", got.source, " and tag ", got.tag, ", which it does not accept");
  const auto known = std::ranges::find_if(
      classes_, [&](const Class& c) { return c.envelope.source == got.source && c.envelope.tag == got.tag; });
  if (known == classes_.end() || known->received == known->sent)
    return text(what, " told of source ", got.source, " and tag ", got.tag, ", from where ",
                known == classes_.end() ? 0 : known->sent, " messages were sent, all received before");
  ++known->received;
  receive.got = got;
  return "";
}

int Inbox::missing() const {
  int missing = 0;
  for (const Class& c : classes_) missing += c.sent - c.received;
  return missing;
}

const std::vector<Message>& Inbox::from(int source) const { return expected_[static_cast<std::size_t>(source)]; }

int Inbox::ahead(const Envelope& envelope, const Receive* before) const {
  int n = 0;
  for (const Receive& receive : receives_) {
    if (&receive == before) break;
    if (!receive.got && receive.pattern.accepts(envelope.source, envelope.tag)) ++n;
  }
  return n;
}

int Inbox::surely_sent(const Envelope& envelope, int stage) const {
  std::map<int, int> seen;  // by tag
  int n = 0;
  for (const Message& message : from(envelope.source)) {
    if (message.stage > stage) break;
    if (message.tag == envelope.tag) ++n;
    // The sender gets no further until this one has been received.
    if (blocks(message.mode) && !message.awaited && seen[message.tag] >= find({message.source, message.tag})->received)
      break;
    ++seen[message.tag];
  }
  return n;
}

int Inbox::open() const {
  return static_cast<int>(std::ranges::count_if(receives_, [](const Receive& receive) { return !receive.got; }));
}

const Inbox::Class* Inbox::find(const Envelope& envelope) const {
  return &*std::ranges::find_if(
      classes_, [&](const Class& c) { return c.envelope.source == envelope.source && c.envelope.tag == envelope.tag; });
}

std::string Inbox::verdict() const {
  Sent sent;
  for (const auto& list : expected_) {
    std::vector<int>& tags = sent.emplace_back();
    for (const Message& message : list) tags.push_back(message.tag);
  }
  std::map<std::pair<int, int>, int> earlier;
  std::vector<Taken> taken;
  for (const Receive& receive : receives_) {
    const Envelope got = *receive.got;
    int number = due(sent, got.source, got.tag, earlier[{got.source, got.tag}]++);
    const std::string wrong = check(receive, number);
    if (!wrong.empty())
      return text("receive ", taken.size(), " ", describe(receive.pattern), " by ", receive.way, " and ",
                  receive.completed, ", message ", number, " of ", got.source, " (tag ", got.tag, "): ", wrong);
    taken.push_back({receive.pattern, got.source, number});
  }
  return judge(sent, taken);
}

/// @param[in,out] number of the message that it must have got; set to that of another whose content is there instead
std::string Inbox::check(const Receive& receive, int& number) const {
  const auto& list = from(receive.got->source);
  const Message& due_now = list[static_cast<std::size_t>(number)];
  const Parcel& parcel = *receive.parcel;
  const auto content = [&](const Message& m) {
    return Content{round_.key_of(m), m.units * unit_bytes(round_.signature)};
  };
  if (receive.truncated) {
    if (due_now.units <= parcel.layout().units())
      return text("MPI_ERR_TRUNCATE, but ", due_now.units, " units fit into ", parcel.layout().units());
    return parcel.untouched_outside()
               ? ""
               : text("a truncated message of ", due_now.units, " units by ", call_of(due_now.mode),
                      " was written beyond room for ", parcel.layout().units());
  }
  if (!parcel.holds(content(due_now))) {
    const auto other = std::ranges::find_if(
        list, [&](const Message& m) { return m.units > 0 && m.tag == receive.got->tag && parcel.holds(content(m)); });
    if (other == list.end()) {
      if (due_now.units > parcel.layout().units())
        return text("no MPI_ERR_TRUNCATE for ", due_now.units, " units by ", call_of(due_now.mode), " into ",
                    parcel.layout().units());
      return text("of ", due_now.units, " units by ", call_of(due_now.mode), ": ", parcel.difference(content(due_now)));
    }
    number = other->number;
  }
  const Message& message = list[static_cast<std::size_t>(number)];
  if (receive.count != parcel.layout().expected_count(message.units) ||
      receive.elements != parcel.layout().expected_elements(message.units))
    return text("MPI_Get_count says ", receive.count, " and MPI_Get_elements ", receive.elements, " where ",
                parcel.layout().expected_count(message.units), " and ",
                parcel.layout().expected_elements(message.units), " came");
  return "";
}

}  // namespace raddle::traffic
