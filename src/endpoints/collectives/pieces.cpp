// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/pieces.hpp"

#include <algorithm>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/handles/handles.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints::collectives {
namespace {

std::byte* writable(const void* buffer) {
  return static_cast<std::byte*>(const_cast<void*>(buffer));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace

std::size_t size_of(MPI_Datatype type) {
  if (const std::size_t size = named_sizes.find(bits(type)); size != 0) return size;
  MPI_Count size = 0;
  platform::must("MPI_Type_size_x", PMPI_Type_size_x(type, &size));
  return static_cast<std::size_t>(size);
}

MPI_Aint extent_of(MPI_Datatype type) {
  if (const std::size_t size = named_sizes.find(bits(type)); size != 0) return static_cast<MPI_Aint>(size);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  platform::must("MPI_Type_get_extent", PMPI_Type_get_extent(type, &lower, &extent));
  return extent;
}

Pieces Pieces::uniform(const void* buffer, MPI_Count count, MPI_Datatype type) {
  Pieces pieces;
  pieces.buffer_ = writable(buffer);
  pieces.counts_ = Numbers::alike(count);
  pieces.type_ = type;
  pieces.extent_ = type == MPI_DATATYPE_NULL ? 0 : extent_of(type);
  return pieces;
}

Pieces Pieces::varying(const void* buffer, Numbers counts, Numbers displacements, MPI_Datatype type) {
  Pieces pieces = uniform(buffer, 0, type);
  pieces.alike_ = false;
  pieces.counts_ = counts;
  pieces.kind_ = Displacements::extents;
  pieces.displacements_ = displacements;
  return pieces;
}

Pieces Pieces::free(const void* buffer, Numbers counts, Numbers displacements, const MPI_Datatype* types) {
  Pieces pieces;
  pieces.buffer_ = writable(buffer);
  pieces.alike_ = false;
  pieces.counts_ = counts;
  pieces.kind_ = Displacements::bytes;
  pieces.displacements_ = displacements;
  pieces.types_ = types;
  return pieces;
}

bool Pieces::complete() const {
  const bool places = kind_ == Displacements::none || displacements_.are_there();
  return counts_.are_there() && places && (kind_ != Displacements::bytes || types_ != nullptr);
}

int Pieces::check(int pieces) const {
  if (pieces > 0 && !complete()) return MPI_ERR_ARG;
  if (alike_ && in_one_piece(buffer_, counts_[0], type_)) return MPI_SUCCESS;
  Layout layout;
  for (int piece = 0; piece < (alike_ ? std::min(pieces, 1) : pieces); ++piece) {
    if (const int code = describe(piece, layout); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

std::size_t Pieces::bytes(int piece) const {
  const MPI_Count elements = count(piece);
  return elements == 0 ? 0 : static_cast<std::size_t>(elements) * size_of(type(piece));
}

const void* Pieces::address(int piece) const {
  switch (kind_) {
    case Displacements::none:
      return buffer_ + piece * counts_[0] * extent_;
    case Displacements::extents:
      return buffer_ + displacements_[piece] * extent_;
    case Displacements::bytes:
      return buffer_ + displacements_[piece];
  }
  return nullptr;
}

int Brought::bring(const Pieces& pieces, int count, bool own) {
  if (count > 0 && !pieces.complete()) return MPI_ERR_ARG;
  count_ = count;
  const auto piece =
      count == 1 && !own ? in_one_piece(pieces.address(0), pieces.count(0), pieces.type(0)) : std::nullopt;
  if (!piece) return bring_many(pieces, own);
  only_ = *piece;
  return MPI_SUCCESS;
}

int Brought::bring_many(const Pieces& pieces, bool own) {
  std::vector<Layout> layouts(static_cast<std::size_t>(count_));
  spans_.clear();
  std::size_t to_pack = 0;
  const auto packs = [own](const Layout& layout) { return own || layout.body().scattered != nullptr; };
  for (int piece = 0; piece < count_; ++piece) {
    Layout& layout = layouts[static_cast<std::size_t>(piece)];
    if (const int code = pieces.describe(piece, layout); code != MPI_SUCCESS) return code;
    if (packs(layout)) to_pack += layout.body().bytes;
  }
  packed_.resize(to_pack);
  std::byte* room = packed_.data();
  for (const Layout& layout : layouts) {
    const Body& body = layout.body();
    if (packs(layout)) {
      copy_out(body, room);
      spans_.emplace_back(room, body.bytes);
      room += body.bytes;
    } else {
      spans_.emplace_back(body.data, body.bytes);
    }
  }
  if (count_ == 1) only_ = spans_.front();
  return MPI_SUCCESS;
}

int put(std::span<const std::byte> bytes, const Pieces& pieces, int piece) {
  const auto room = in_one_piece(pieces.address(piece), pieces.count(piece), pieces.type(piece));
  if (room && room->size() >= bytes.size()) [[likely]] {
    if (!bytes.empty()) std::memcpy(room->data(), bytes.data(), bytes.size());
    return MPI_SUCCESS;
  }
  Layout layout;
  if (const int code = pieces.describe(piece, layout); code != MPI_SUCCESS) return code;
  const Body& body = layout.body();
  const std::span fitting = bytes.first(std::min(bytes.size(), body.bytes));
  if (fitting.empty()) return bytes.empty() ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
  if (body.scattered != nullptr) {
    body.scattered->scatter(fitting);
  } else {
    std::memcpy(body.data, fitting.data(), fitting.size());
  }
  return fitting.size() < bytes.size() ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

}  // namespace raddle::endpoints::collectives
