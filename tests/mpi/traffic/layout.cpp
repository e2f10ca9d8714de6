// SPDX-License-Identifier: BSD-3-Clause
#include "layout.hpp"

#include <algorithm>
#include <array>

namespace raddle::traffic {
namespace {

/// Beyond this a map of single units is slow to make and to compare.
constexpr std::size_t most_fine = std::size_t{1} << 15U;

/// The largest divisor of n that is at most `limit`.
std::size_t divisor(std::size_t n, std::size_t limit) {
  std::size_t d = std::min(n, limit);
  while (n % d != 0) --d;
  return d;
}

}  // namespace

std::size_t unit_bytes(Signature signature) noexcept {
  switch (signature) {
    case Signature::bytes:
      return 1;
    case Signature::ints:
      return sizeof(int);
    default:
      return sizeof(char) + sizeof(int) + sizeof(double);
  }
}

Layout::Layout(Signature signature, std::size_t units, Random& random)
    : signature_(signature), units_(units), extent_(unit_bytes(signature)), inside_{{0, extent_}} {
  if (signature == Signature::ints) unit_ = MPI_INT;
  if (signature == Signature::mixed) {
    // Two ways to lay out a char, an int and a double.
    const bool wide = random.chance(50);
    inside_ = wide ? std::vector<Piece>{{17, 1}, {4, 4}, {8, 8}} : std::vector<Piece>{{0, 1}, {4, 4}, {8, 8}};
    extent_ = wide ? 24 : 16;
    const std::array<int, 3> counts{1, 1, 1};
    const std::array<MPI_Aint, 3> offsets{wide ? 17 : 0, 4, 8};
    const std::array<MPI_Datatype, 3> types{MPI_CHAR, MPI_INT, MPI_DOUBLE};
    MPI_Datatype packed = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(3, counts.data(), offsets.data(), types.data(), &packed);
    MPI_Type_create_resized(packed, 0, static_cast<MPI_Aint>(extent_), &unit_);
    made_ = {packed, unit_};
    MPI_Type_commit(&unit_);
  }
  type_ = unit_;
  const std::size_t kind = units < 2 ? 0 : random.below(4);
  if (kind == 1 && units <= most_fine) {
    vector(units, random);
  } else if (kind == 2) {
    two_parts(units, random);
  } else if (kind != 3 || units > most_fine || !contiguous_of_vectors(units, random)) {
    count_ = static_cast<int>(units);
    place({{0, units}});
  }
}

Layout::Layout(Layout&& other) noexcept
    : signature_(other.signature_),
      units_(other.units_),
      units_per_item_(other.units_per_item_),
      extent_(other.extent_),
      inside_(std::move(other.inside_)),
      unit_(other.unit_),
      type_(other.type_),
      count_(other.count_),
      span_(other.span_),
      pieces_(std::move(other.pieces_)),
      made_(std::exchange(other.made_, {})) {}

Layout::Layout(const Layout& other)
    : signature_(other.signature_),
      units_(other.units_),
      units_per_item_(other.units_per_item_),
      extent_(other.extent_),
      inside_(other.inside_),
      span_(other.span_),
      pieces_(other.pieces_) {}

void Layout::forget() {
  for (MPI_Datatype& type : made_) MPI_Type_free(&type);
  made_.clear();
}

int Layout::expected_count(std::size_t units) const noexcept {
  return units % units_per_item_ == 0 ? static_cast<int>(units / units_per_item_) : MPI_UNDEFINED;
}

int Layout::expected_elements(std::size_t units) const noexcept {
  return static_cast<int>(signature_ == Signature::mixed ? 3 * units : units);
}

void Layout::vector(std::size_t units, Random& random) {
  const std::size_t block = divisor(units, 1 + random.below(8));
  const std::size_t stride = block + 1 + random.below(3);
  MPI_Type_vector(static_cast<int>(units / block), static_cast<int>(block), static_cast<int>(stride), unit_, &type_);
  commit();
  std::vector<Part> parts;
  for (std::size_t i = 0; i < units / block; ++i) parts.push_back({i * stride * extent_, block});
  place(parts);
}

void Layout::two_parts(std::size_t units, Random& random) {
  const std::size_t first = 1 + random.below(units - 1);
  const std::size_t behind = (units - first + random.below(3)) * extent_;
  const std::array<int, 2> counts{static_cast<int>(first), static_cast<int>(units - first)};
  const std::array<MPI_Aint, 2> offsets{static_cast<MPI_Aint>(behind), 0};
  const std::array<MPI_Datatype, 2> types{unit_, unit_};
  MPI_Type_create_struct(2, counts.data(), offsets.data(), types.data(), &type_);
  commit();
  place({{behind, first}, {0, units - first}});
}

bool Layout::contiguous_of_vectors(std::size_t units, Random& random) {
  const std::size_t blocks = 2 + random.below(3);  // of one unit each, in a vector; two vectors an item
  const std::size_t item = 2 * blocks;
  if (units % item != 0) return false;
  const std::size_t vector_extent = (2 * blocks - 1) * extent_;
  MPI_Datatype one = MPI_DATATYPE_NULL;
  MPI_Type_vector(static_cast<int>(blocks), 1, 2, unit_, &one);
  made_.push_back(one);
  MPI_Type_contiguous(2, one, &type_);
  commit();
  units_per_item_ = item;
  count_ = static_cast<int>(units / item);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < units; ++i)
    parts.push_back({(i / blocks) * vector_extent + 2 * (i % blocks) * extent_, 1});
  place(parts);
  return true;
}

void Layout::commit() {
  made_.push_back(type_);
  MPI_Type_commit(&type_);
  count_ = 1;
  units_per_item_ = units_;
}

void Layout::place(const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    for (std::size_t unit = 0; unit < part.units; ++unit) {
      for (const Piece& piece : inside_) {
        const std::size_t offset = part.offset + unit * extent_ + piece.offset;
        span_ = std::max(span_, offset + piece.bytes);
        if (!pieces_.empty() && pieces_.back().offset + pieces_.back().bytes == offset) {
          pieces_.back().bytes += piece.bytes;
        } else {
          pieces_.push_back({offset, piece.bytes});
        }
      }
    }
  }
}

}  // namespace raddle::traffic
