// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/files/merging.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

#include "endpoints/files/transfer.hpp"
#include "endpoints/mover.hpp"

namespace raddle::endpoints {
namespace {

using Part = Merging::Part;
using Run = FileView::Run;

std::int64_t bytes_of(const Part& part) { return static_cast<std::int64_t>(part.data.size()); }

/// Where all of them lie.
Run range_of(std::span<const Part> parts) {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = 0;
  for (const Part& part : parts) {
    if (part.data.empty()) continue;
    begin = std::min(begin, part.view->offset(part.position));
    end = std::max(end, part.view->offset(part.position + bytes_of(part) - 1) + 1);
  }
  return {begin, end - begin};
}

/// Whether they are short pieces that lie near to one another.
bool worth_it(std::span<const Part> parts) {
  std::int64_t bytes = 0;
  std::int64_t pieces = 0;
  for (const Part& part : parts) {
    if (part.writes != parts.front().writes) return false;
    if (part.data.empty()) continue;
    if (!part.view->ascends()) return false;
    bytes += bytes_of(part);
    pieces += part.view->whole() ? 1 : 1 + bytes_of(part) / std::max<std::int64_t>(part.view->bytes_a_piece(), 1);
  }
  return bytes > 0 && bytes / pieces < short_piece && range_of(parts).bytes <= 4 * bytes;
}

/// The bytes of a part that lie in a block of the file.
class Share {
 public:
  Share(const Part& part, std::int64_t begin, std::int64_t end) : Share(part, between(part, begin, end)) {}

  [[nodiscard]] bool done() const { return cursor_.done(); }
  [[nodiscard]] const Run& run() const { return cursor_.run(); }
  [[nodiscard]] std::byte* data() const { return data_; }
  void next() {
    const std::int64_t bytes = run().bytes;
    data_ += bytes;
    cursor_.advance(bytes);
  }

 private:
  struct Positions {
    std::int64_t first;
    std::int64_t count;
  };
  static Positions between(const Part& part, std::int64_t begin, std::int64_t end) {
    if (part.data.empty()) return {part.position, 0};
    const std::int64_t last = part.position + bytes_of(part);
    const std::int64_t from = std::clamp(part.view->position(begin), part.position, last);
    return {from, std::clamp(part.view->position(end), from, last) - from};
  }
  Share(const Part& part, const Positions& positions)
      : cursor_(*part.view, positions.first, positions.count),
        data_(part.data.data() + (positions.first - part.position)) {}

  FileView::Cursor cursor_;
  std::byte* data_;
};

std::vector<Share> shares_of(std::span<const Part> parts, std::int64_t begin, std::int64_t end) {
  std::vector<Share> shares;
  for (const Part& part : parts) {
    Share share(part, begin, end);
    if (!share.done()) shares.push_back(share);
  }
  return shares;
}

/// Writes the bytes of all in one block of the file, in the order of the file.
int write_block(const Disk& disk, std::span<const Part> parts, std::int64_t begin, std::span<std::byte> room) {
  std::vector<Share> shares = shares_of(parts, begin, begin + block_bytes);
  Run gathered{begin, 0};
  const auto flush = [&] {
    return disk.write(gathered.offset, room.subspan(static_cast<std::size_t>(gathered.offset - begin),
                                                    static_cast<std::size_t>(gathered.bytes)));
  };
  while (!shares.empty()) {
    const auto first = std::ranges::min_element(shares, {}, [](const Share& share) { return share.run().offset; });
    const Run run = first->run();
    if (run.offset > gathered.offset + gathered.bytes) {
      if (const int error = flush(); error != 0) return error;
      gathered = {run.offset, 0};
    }
    std::memcpy(room.data() + (run.offset - begin), first->data(), static_cast<std::size_t>(run.bytes));
    gathered.bytes = std::max(gathered.bytes, run.offset + run.bytes - gathered.offset);
    first->next();
    if (first->done()) shares.erase(first);
  }
  return flush();
}

int read_block(const Disk& disk, std::span<const Part> parts, std::int64_t begin, std::int64_t end,
               std::span<std::byte> room) {
  std::vector<Share> shares = shares_of(parts, begin, std::min(begin + block_bytes, end));
  if (shares.empty()) return 0;
  std::size_t done = 0;
  if (const int error =
          disk.read(begin, room.first(static_cast<std::size_t>(std::min(block_bytes, end - begin))), done);
      error != 0)
    return error;
  for (Share& share : shares) {
    for (; !share.done(); share.next())
      std::memcpy(share.data(), room.data() + (share.run().offset - begin),
                  static_cast<std::size_t>(share.run().bytes));
  }
  return 0;
}

/// Every `members`-th block of the file, from one on. @returns an errno
int do_blocks(const Disk& disk, std::span<const Part> parts, int index) {
  std::vector<std::byte> room(static_cast<std::size_t>(block_bytes));
  const Part& first = parts.front();
  const Run range = range_of(parts);
  const std::int64_t end = first.writes ? range.offset + range.bytes : std::min(range.offset + range.bytes, first.size);
  const auto members = static_cast<std::int64_t>(parts.size());
  int error = 0;
  for (std::int64_t begin = range.offset + index * block_bytes; begin < end && error == 0;
       begin += members * block_bytes)
    error = first.writes ? write_block(disk, parts, begin, room) : read_block(disk, parts, begin, end, room);
  return error;
}

int move_alone(const Disk& disk, const Part& part, std::size_t& done) {
  if (!part.writes) return read_seen(disk, *part.view, part.position, part.data, done);
  done = part.data.size();
  return write_seen(disk, *part.view, part.position, part.data);
}

}  // namespace

Merging::Merging(int members) : members_(members) {
  for (Call& call : calls_) call.parts.resize(static_cast<std::size_t>(members));
}

void Merging::meet(Mover& mover, const char* call, Member& member) {
  const std::uint64_t all = ++member.meetings * static_cast<std::uint64_t>(members_);
  came_.fetch_add(1, std::memory_order_acq_rel);
  progress_until(mover, call, [&] { return came_.load(std::memory_order_acquire) >= all; });
}

int Merging::run(Mover& mover, const char* call, Member& member, const Part& part, const Disk& disk,
                 std::size_t& done) {
  if (members_ == 1) return move_alone(disk, part, done);
  Call& mine = calls_[member.calls++ % 2];
  mine.parts[static_cast<std::size_t>(member.index)] = part;
  if (member.index == 0) mine.error = 0;
  meet(mover, call, member);
  const std::span<const Part> parts = mine.parts;
  if (!worth_it(parts)) return move_alone(disk, part, done);
  int error = 0;
  try {
    error = do_blocks(disk, parts, member.index);
  } catch (const std::bad_alloc&) {
    error = ENOMEM;
  }
  if (error != 0) mine.error = error;
  meet(mover, call, member);
  done = part.data.size();
  if (!part.writes && !part.data.empty()) {
    const std::int64_t last = part.position + bytes_of(part);
    const std::int64_t end = std::clamp(part.view->position(parts.front().size), part.position, last);
    done = static_cast<std::size_t>(end - part.position);
  }
  return mine.error;
}

}  // namespace raddle::endpoints
