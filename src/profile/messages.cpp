// SPDX-License-Identifier: BSD-3-Clause
// Messages: how many with whom, and when their calls began and ended, for the sides to be matched later. Messages of
// one sender, communicator and tag are received in the order in which they were sent, so it is enough to number both.
#include <iterator>

#include "profile/call.hpp"
#include "profile/memory.hpp"
#include "profile/next.hpp"

namespace raddle::profile {
namespace {

constexpr std::uint64_t no_number = ~0ULL;
/// For messages of which only the number counts: those with tags for which there is no more room.
constexpr std::int32_t some_tag = -0x7fffffff;

Note& note_of(Local& local, std::uint64_t request) { return local.notes[spread(request) >> 56U]; }

}  // namespace

Stream* Call::stream(std::uint32_t communicator, bool receives, int peer, int tag) {
  ThreadArea& area = *local_->area;
  auto& streams = area.streams;
  if (local_->messages != Local::Room::there) [[unlikely]] {
    if (local_->messages == Local::Room::unknown) {
      const bool room =
          there(&streams, sizeof streams) && there(&area.passed, sizeof area.passed - sizeof area.passed.entry);
      local_->messages = room ? Local::Room::there : Local::Room::none;
    }
    if (local_->messages == Local::Room::none) {
      ++area.lost_messages;
      return nullptr;
    }
  }
  // Ranks and tags have all of 32 bits; the table compares what it keeps.
  const auto key_of = [&](int with) {
    const std::uint64_t both =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(peer)) << 32U | static_cast<std::uint32_t>(with);
    return spread(both ^ (static_cast<std::uint64_t>(communicator) << 49U)) * 2 + (receives ? 1 : 0) + 2;
  };
  const auto is = [&](Stream* one, int with) {
    if (one->messages == 0 && one->communicator == 0 && one->peer == 0 && one->tag == 0) {
      one->peer = peer;
      one->tag = with;
      one->communicator = static_cast<std::uint16_t>(communicator);
      one->receives = receives ? 1 : 0;
    }
    return one->peer == peer && one->tag == with && one->communicator == communicator;
  };
  const bool room = streams.used < decltype(local_->area->streams)::most / 2;
  Stream* found = nullptr;
  if (room) {
    found = streams.find(key_of(tag));
    if (found != nullptr && is(found, tag)) [[likely]]
      return found;
  } else {
    found = streams.find(key_of(tag), [](const void*) { return false; });
    if (found != nullptr && is(found, tag)) return found;
  }
  found = streams.find(key_of(some_tag));
  if (found != nullptr && is(found, some_tag)) {
    found->unsure = 1;
    return found;
  }
  ++area.lost_messages;
  return nullptr;
}

void Call::log(Stream& of, std::uint64_t number, std::uint64_t posted, bool waited, std::uint64_t bytes,
               std::uint8_t synchronous) {
  auto& passed = local_->area->passed;
  if (!passed.takes(number)) return;
  constexpr std::uint32_t at_once = 64;
  if (passed.used % at_once == 0 && passed.used < std::size(passed.entry) &&
      !there(&passed.entry[passed.used], at_once * sizeof(Passed))) {
    passed.closed = 1;
    return;
  }
  passed.add({number, posted, waited ? began_ : 0, waited ? ended_ : 0,
              static_cast<std::uint32_t>(&of - local_->area->streams.entry), static_cast<std::uint16_t>(function_),
              static_cast<std::uint8_t>(size_class(bytes)), synchronous});
}

void Call::sent(int peer, int tag, std::uint64_t bytes) {
  peer_ = peer;
  if (peer < 0 || place_ == 0) return;  // MPI_PROC_NULL
  Stream* const of = stream(place_ - 1, false, peer, tag);
  if (of == nullptr) return;
  const std::uint64_t number = of->messages++;
  of->bytes += bytes;
  log(*of, number, began_, true, bytes);
}

std::uint64_t Call::bytes_of(const MPI_Status* status, std::uint64_t capacity) const {
  int bytes = 0;
  const bool told = mpi.get_count(status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes != MPI_UNDEFINED;
  return told ? static_cast<std::uint64_t>(bytes) : capacity;
}

void Call::received(int peer, int tag, std::uint64_t capacity, const MPI_Status* status, bool waited) {
  const bool anybody = peer == MPI_ANY_SOURCE;
  if (anybody || tag == MPI_ANY_TAG) {
    peer = status->MPI_SOURCE;
    tag = status->MPI_TAG;
  }
  peer_ = peer;
  if (peer < 0 || place_ == 0) return;
  const std::uint64_t bytes = bytes_of(status, capacity);
  Stream* const of = stream(place_ - 1, true, peer, tag);
  if (of == nullptr) return;
  const std::uint64_t number = of->messages++;
  of->bytes += bytes;
  log(*of, number, began_, waited, bytes);
}

void Call::probed(const MPI_Status* status) {
  peer_ = status->MPI_SOURCE;
  if (peer_ < 0 || place_ == 0) return;
  Stream* const of = stream(place_ - 1, true, status->MPI_SOURCE, status->MPI_TAG);
  if (of != nullptr) log(*of, of->messages, began_, true, 0);
}

void Call::starts(MPI_Request request, bool receives, bool persistent, int peer, int tag, std::uint64_t bytes,
                  bool synchronous) {
  peer_ = peer;
  if (place_ == 0 || (peer < 0 && peer != MPI_ANY_SOURCE)) return;
  const std::uint32_t communicator = place_ - 1;
  const bool anybody = receives && (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG);
  Stream* const of = anybody ? nullptr : stream(communicator, receives, peer, tag);
  if (!anybody && of == nullptr) return;
  Note made{bits(request),
            no_number,
            began_,
            bytes,
            of,
            static_cast<std::uint16_t>(communicator),
            static_cast<std::uint8_t>(persistent),
            static_cast<std::uint8_t>(receives),
            static_cast<std::uint8_t>(synchronous)};
  if (of != nullptr && !persistent) {
    made.number = of->messages++;
    of->bytes += bytes;
    // A send that has nothing to wait for yet is half of a match all the same; its wait has the other one.
    if (!receives) log(*of, made.number, began_, false, bytes, made.synchronous);
  }
  note_of(*local_, made.request) = made;
}

void Call::started(std::uint64_t request) {
  Note& note = note_of(*local_, request);
  if (note.request != request || note.persistent == 0) return;
  note.posted = began_;
  if (note.stream == nullptr) return;
  note.number = note.stream->messages++;
  note.stream->bytes += note.bytes;
  if (note.receives == 0) log(*note.stream, note.number, began_, false, note.bytes, note.synchronous);
}

Call::Pending Call::pending(int count, const MPI_Request* requests) {
  Pending made;
  made.count = 0;
  made.anybody = false;
  if (local_ == nullptr || requests == nullptr) return made;
  made.count = count < most_pending ? count : most_pending;
  for (int i = 0; i < made.count; ++i) {
    const std::uint64_t request = bits(requests[i]);
    Note& note = note_of(*local_, request);
    made.note[i] = note.request == request && request != bits(MPI_REQUEST_NULL) ? &note : nullptr;
    made.anybody = made.anybody || (made.note[i] != nullptr && note.stream == nullptr);
  }
  return made;
}

void Call::completed(Pending& of, int which, const MPI_Status* status, bool waited) {
  if (which < 0 || which >= of.count || of.note[which] == nullptr) return;
  Note& note = *of.note[which];
  if (note.stream != nullptr) {
    // Of a send everything was said when it began, but how long it was waited for.
    if (note.number != no_number && (waited || note.receives != 0))
      log(*note.stream, note.number, note.posted, waited, note.bytes, note.synchronous);
  } else if (status != nullptr && status->MPI_SOURCE >= 0) {
    Stream* const from = stream(note.communicator, true, status->MPI_SOURCE, status->MPI_TAG);
    if (from != nullptr) {
      // Receives complete in another order than they match.
      from->unsure = 1;
      ++from->messages;
      int bytes = 0;
      if (mpi.get_count(status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes != MPI_UNDEFINED) {
        from->bytes += static_cast<std::uint64_t>(bytes);
      }
    }
  }
  note.number = no_number;
  if (note.persistent == 0) note.request = 0;
}

void Call::dropped(Pending& of) {
  for (int i = 0; i < of.count; ++i) {
    if (of.note[i] != nullptr) *of.note[i] = {};
  }
}

}  // namespace raddle::profile
