// SPDX-License-Identifier: BSD-3-Clause
// What a rank sees of a file (MPI-4.1 section 14.3): the pieces of a tile, again and again from a displacement on.
// Knows no MPI.
//
// A position counts the bytes that are seen, an offset all bytes of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "endpoints/windows/pieces.hpp"

namespace raddle::endpoints {

class FileView {
 public:
  /// All bytes.
  FileView() = default;
  /// @param extent  of a tile, in bytes
  FileView(std::int64_t displacement, const Pieces& tile, std::int64_t extent);

  /// Whether it has no gaps.
  [[nodiscard]] bool whole() const { return pieces_.empty() && seen_ > 0; }
  /// Whether it has no bytes at all.
  [[nodiscard]] bool empty() const { return seen_ == 0; }
  /// Whether each position lies behind all earlier ones.
  [[nodiscard]] bool ascends() const { return ascends_; }
  /// Whether a tile has bytes twice.
  [[nodiscard]] bool overlaps() const { return overlaps_; }
  /// Whether the pieces of a tile are in the order of the file, none before the tile begins (section 14.1.1).
  [[nodiscard]] bool tile_is_legal() const { return tile_is_legal_; }
  /// How many bytes a piece has in the middle; 0: any number, since there are no gaps.
  [[nodiscard]] std::int64_t bytes_a_piece() const {
    return pieces_.empty() ? 0 : seen_ / static_cast<std::int64_t>(pieces_.size());
  }
  [[nodiscard]] std::int64_t displacement() const { return displacement_; }

  /// Where the byte at a position lies. @pre !empty()
  [[nodiscard]] std::int64_t offset(std::int64_t position) const;
  /// How many of the bytes that are seen lie before an offset; of a view that does not ascend, up to the last one that
  /// does. @pre tile_is_legal()
  [[nodiscard]] std::int64_t position(std::int64_t offset) const;

  /// Bytes of the file that follow one another.
  struct Run {
    std::int64_t offset;
    std::int64_t bytes;
  };

  /// Goes over the runs of some positions.
  class Cursor {
   public:
    /// @pre !view.empty(), or no bytes
    Cursor(const FileView& view, std::int64_t position, std::int64_t bytes);
    [[nodiscard]] bool done() const { return left_ == 0; }
    /// The run that it is at. @pre !done()
    [[nodiscard]] const Run& run() const { return run_; }
    /// So many bytes further, which may not be more than run() has.
    void advance(std::int64_t bytes);

   private:
    void settle();

    const FileView* view_;
    std::int64_t left_;
    std::int64_t tile_ = 0;
    std::size_t piece_ = 0;
    std::int64_t within_ = 0;  ///< of the piece; of a view without gaps, the position
    Run run_{0, 0};
  };

 private:
  [[nodiscard]] std::int64_t tile_at(std::int64_t number) const { return displacement_ + number * extent_; }
  /// The piece of a tile that has its byte `within`.
  [[nodiscard]] std::size_t piece_of(std::int64_t within) const;

  std::int64_t displacement_ = 0;
  std::int64_t extent_ = 1;
  std::int64_t seen_ = 1;             ///< bytes of a tile
  std::vector<Piece> pieces_;         ///< of a tile; none where there are no gaps
  std::vector<std::int64_t> before_;  ///< bytes of the tile before each piece
  bool ascends_ = true;
  bool overlaps_ = false;
  bool tile_is_legal_ = true;
};

}  // namespace raddle::endpoints
