// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/files/view.hpp"

#include <algorithm>

namespace raddle::endpoints {
namespace {

std::int64_t end_of(const Piece& piece) { return piece.offset + static_cast<std::int64_t>(piece.bytes); }

}  // namespace

FileView::FileView(std::int64_t displacement, const Pieces& tile, std::int64_t extent)
    : displacement_(displacement), extent_(extent), seen_(static_cast<std::int64_t>(tile.bytes())) {
  const auto pieces = tile.all();
  if (pieces.empty()) return;
  if (pieces.size() == 1 && extent == seen_) {
    displacement_ += pieces.front().offset;
    tile_is_legal_ = pieces.front().offset >= 0;
    return;
  }
  std::int64_t end = pieces.front().offset;
  for (std::int64_t sum = 0; const Piece& piece : pieces) {
    tile_is_legal_ = tile_is_legal_ && (pieces_.empty() || piece.offset >= pieces_.back().offset);
    overlaps_ = overlaps_ || piece.offset < end;
    end = std::max(end, end_of(piece));
    pieces_.push_back(piece);
    before_.push_back(sum);
    sum += static_cast<std::int64_t>(piece.bytes);
  }
  tile_is_legal_ = tile_is_legal_ && pieces_.front().offset >= 0;
  ascends_ = tile_is_legal_ && !overlaps_ && end <= pieces_.front().offset + extent_;
}

std::size_t FileView::piece_of(std::int64_t within) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(before_, within) - before_.begin()) - 1;
}

std::int64_t FileView::offset(std::int64_t position) const {
  if (pieces_.empty()) return displacement_ + position;
  const std::int64_t within = position % seen_;
  const std::size_t piece = piece_of(within);
  return tile_at(position / seen_) + pieces_[piece].offset + within - before_[piece];
}

std::int64_t FileView::position(std::int64_t offset) const {
  if (pieces_.empty()) return empty() ? 0 : std::max<std::int64_t>(offset - displacement_, 0);
  const std::int64_t from_first = offset - displacement_ - pieces_.front().offset;
  if (from_first <= 0) return 0;
  const std::int64_t tile = from_first / extent_;
  const std::int64_t within = from_first % extent_ + pieces_.front().offset;
  const auto next = std::ranges::upper_bound(pieces_, within, {}, &Piece::offset);
  const auto piece = static_cast<std::size_t>(next - pieces_.begin()) - 1;
  return tile * seen_ + before_[piece] +
         std::min(within - pieces_[piece].offset, static_cast<std::int64_t>(pieces_[piece].bytes));
}

FileView::Cursor::Cursor(const FileView& view, std::int64_t position, std::int64_t bytes) : view_(&view), left_(bytes) {
  if (left_ == 0) return;
  if (view.pieces_.empty()) {
    within_ = position;
  } else {
    tile_ = position / view.seen_;
    const std::int64_t within = position % view.seen_;
    piece_ = view.piece_of(within);
    within_ = within - view.before_[piece_];
  }
  settle();
}

void FileView::Cursor::advance(std::int64_t bytes) {
  left_ -= bytes;
  within_ += bytes;
  if (!view_->pieces_.empty() && within_ == static_cast<std::int64_t>(view_->pieces_[piece_].bytes)) {
    within_ = 0;
    if (++piece_ == view_->pieces_.size()) {
      piece_ = 0;
      ++tile_;
    }
  }
  settle();
}

void FileView::Cursor::settle() {
  if (view_->pieces_.empty()) {
    run_ = {view_->displacement_ + within_, left_};
  } else {
    const Piece& piece = view_->pieces_[piece_];
    run_ = {view_->tile_at(tile_) + piece.offset + within_,
            std::min(static_cast<std::int64_t>(piece.bytes) - within_, left_)};
  }
}

}  // namespace raddle::endpoints
