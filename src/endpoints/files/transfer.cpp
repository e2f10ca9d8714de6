// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/files/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace raddle::endpoints {
namespace {

std::size_t size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

/// Part of a file that has been read in one piece.
class Block {
 public:
  explicit Block(const Disk& disk) : disk_(disk), bytes_(size(block_bytes)) {}

  /// What there is of a run, read with what follows it. @returns an errno
  int look(const FileView::Run& run, std::span<const std::byte>& found) {
    if (run.offset < begin_ || run.offset + run.bytes > begin_ + static_cast<std::int64_t>(bytes_.size())) {
      begin_ = run.offset;
      if (const int error = disk_.read(begin_, bytes_, have_); error != 0) return error;
    }
    const std::size_t at = std::min(size(run.offset - begin_), have_);
    found = std::span<const std::byte>(bytes_).subspan(at, std::min(size(run.bytes), have_ - at));
    return 0;
  }

 private:
  const Disk& disk_;
  std::vector<std::byte> bytes_;
  std::size_t have_ = 0;
  std::int64_t begin_ = -block_bytes;
};

/// Whether bytes between the pieces are read as well, and dropped.
bool reads_between(const FileView& view, std::int64_t position, std::int64_t bytes) {
  if (view.whole() || !view.ascends() || view.bytes_a_piece() >= short_piece || bytes <= view.bytes_a_piece())
    return false;
  return view.offset(position + bytes - 1) - view.offset(position) < 8 * bytes;
}

}  // namespace

int read_seen(const Disk& disk, const FileView& view, std::int64_t position, std::span<std::byte> room,
              std::size_t& done) {
  done = 0;
  const auto bytes = static_cast<std::int64_t>(room.size());
  if (bytes == 0) return 0;
  const bool between = reads_between(view, position, bytes);
  std::vector<Block> blocks;
  if (between) blocks.emplace_back(disk);
  for (FileView::Cursor cursor(view, position, bytes); !cursor.done(); cursor.advance(cursor.run().bytes)) {
    const std::span<std::byte> here = room.subspan(done, size(cursor.run().bytes));
    std::size_t there = 0;
    if (between) {
      std::span<const std::byte> found;
      if (const int error = blocks.front().look(cursor.run(), found); error != 0) return error;
      std::ranges::copy(found, here.begin());
      there = found.size();
    } else if (const int error = disk.read(cursor.run().offset, here, there); error != 0) {
      return error;
    }
    done += there;
    if (there < here.size()) return 0;
  }
  return 0;
}

int write_seen(const Disk& disk, const FileView& view, std::int64_t position, std::span<const std::byte> bytes) {
  for (FileView::Cursor cursor(view, position, static_cast<std::int64_t>(bytes.size())); !cursor.done();
       cursor.advance(cursor.run().bytes)) {
    const std::size_t run = size(cursor.run().bytes);
    if (const int error = disk.write(cursor.run().offset, bytes.first(run)); error != 0) return error;
    bytes = bytes.subspan(run);
  }
  return 0;
}

}  // namespace raddle::endpoints
