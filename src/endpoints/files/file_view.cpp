// SPDX-License-Identifier: BSD-3-Clause
// Views and file pointers (MPI-4.1 sections 14.3 and 14.4).
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/datatypes/layout_read.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/files/external32.hpp"
#include "endpoints/files/file.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

/// A datatype with the same bytes that the program does not free; the same if nobody can.
MPI_Datatype kept(MPI_Datatype type) {
  if (Contents(type).predefined()) return type;
  MPI_Datatype made = MPI_DATATYPE_NULL;  // MPI_Type_dup would call the program's functions
  platform::must("MPI_Type_contiguous", PMPI_Type_contiguous(1, type, &made));
  platform::must("MPI_Type_commit", PMPI_Type_commit(&made));
  return made;
}

/// In a process the first two are the same.
constexpr std::array<std::string_view, 3> representations{"native", "internal", "external32"};

int check_external32(MPI_Datatype type) {
  Words words;
  return words_of(type, words);
}

/// A view in the making.
struct Seen {
  FileView view;
  std::int64_t etype_bytes = 1;
  std::int64_t etype_extent = 1;
};

int describe(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, bool writes, Seen& seen) {
  const std::shared_ptr<const Shape>* shape = nullptr;
  if (const int code = shape_of(etype, shape); code != MPI_SUCCESS) return code;
  seen.etype_bytes = static_cast<std::int64_t>((*shape)->element.bytes);
  seen.etype_extent = (*shape)->extent;
  if (const int code = shape_of(filetype, shape); code != MPI_SUCCESS) return code;
  const Pieces tile(**shape, 1);
  if (displacement < 0 || seen.etype_bytes == 0) return MPI_ERR_ARG;
  const auto bytes = static_cast<std::int64_t>(tile.bytes());
  if (bytes % seen.etype_bytes != 0) return error_with(MPI_ERR_ARG, "Raddle: a filetype is not made of whole etypes");
  if (bytes > 0 && (*shape)->extent <= 0)
    return error_with(MPI_ERR_ARG, "Raddle: a filetype whose extent is not positive");
  seen.view = FileView(displacement, tile, (*shape)->extent);
  if (!seen.view.tile_is_legal())
    return error_with(MPI_ERR_IO, "Raddle: a filetype whose displacements are negative or decrease");
  if (writes && seen.view.overlaps())
    return error_with(MPI_ERR_IO, "Raddle: a filetype that overlaps itself, for a file that is written");
  return MPI_SUCCESS;
}

}  // namespace

void File::forget_type(MPI_Datatype& type) {
  if (!Contents(type).predefined()) platform::regardless(PMPI_Type_free(&type));
}

int File::set_view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                   const std::string& representation, MPI_Info info) {
  Seen seen;
  int code = MPI_SUCCESS;
  const auto* const known = std::ranges::find(representations, representation);
  if (known == representations.end())
    code = error_with(MPI_ERR_UNSUPPORTED_DATAREP,
                      "Raddle: MPI_File_set_view on an endpoint: only native, internal and external32 are supported");
  if (displacement == MPI_DISPLACEMENT_CURRENT && sequential()) {
    MPI_Offset current = 0;
    if (code == MPI_SUCCESS) code = read_shared(current);
    displacement = view_.empty() ? view_.displacement() : view_.offset(current * etype_bytes_);
  }
  if (code == MPI_SUCCESS) code = describe(displacement, etype, filetype, (mode_ & MPI_MODE_RDONLY) == 0, seen);
  if (code == MPI_SUCCESS && representation == "external32") code = check_external32(etype);
  // Extent and representation in one number.
  constexpr auto choices = static_cast<std::int64_t>(representations.size());
  const std::int64_t alike = seen.etype_extent * choices + (known - representations.begin());
  if (code = agree(code, alike); code != MPI_SUCCESS) return code;
  if (info != MPI_INFO_NULL) code = PMPI_File_set_info(handle_, info);
  view_ = std::move(seen.view);
  etype_bytes_ = seen.etype_bytes;
  for (const auto& [type, given] : {std::pair{&etype_, etype}, std::pair{&filetype_, filetype}}) {
    MPI_Datatype last = std::exchange(*type, kept(given));
    forget_type(last);
  }
  representation_ = representation;
  pointer_ = 0;
  const int of_pointer = set_shared(0);
  return code == MPI_SUCCESS ? of_pointer : code;
}

int File::type_extent(MPI_Datatype type, MPI_Count& extent) const {
  if (type == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
  if (converts()) {
    if (const int code = check_external32(type); code != MPI_SUCCESS) return code;
  }
  MPI_Count begin = 0;
  return PMPI_Type_get_extent_x(type, &begin, &extent);
}

int File::get_view(MPI_Offset& displacement, MPI_Datatype& etype, MPI_Datatype& filetype,
                   std::string& representation) const {
  displacement = view_.displacement();
  etype = kept(etype_);
  filetype = kept(filetype_);
  representation = representation_;
  return MPI_SUCCESS;
}

// File pointers.

int File::target(MPI_Offset offset, int whence, MPI_Offset current, MPI_Offset& found) const {
  found = offset;
  if (whence == MPI_SEEK_CUR) {
    found += current;
  } else if (whence == MPI_SEEK_END) {
    std::int64_t bytes = 0;
    if (const int error = disk_.size(bytes); error != 0) return file_error(error);
    found += (view_.position(bytes) + etype_bytes_ - 1) / etype_bytes_;
  } else if (whence != MPI_SEEK_SET) {
    return MPI_ERR_ARG;
  }
  return found < 0 ? MPI_ERR_ARG : MPI_SUCCESS;
}

int File::seek(MPI_Offset offset, int whence) {
  if (sequential()) return MPI_ERR_UNSUPPORTED_OPERATION;
  MPI_Offset found = 0;
  const int code = target(offset, whence, pointer_, found);
  if (code == MPI_SUCCESS) pointer_ = found;
  return code;
}

int File::position(MPI_Offset& offset) const {
  offset = pointer_;
  return sequential() ? MPI_ERR_UNSUPPORTED_OPERATION : MPI_SUCCESS;
}

int File::byte_offset(MPI_Offset offset, MPI_Offset& bytes) const {
  if (sequential()) return MPI_ERR_UNSUPPORTED_OPERATION;
  if (offset < 0 || view_.empty()) return MPI_ERR_ARG;
  bytes = view_.offset(offset * etype_bytes_);
  return MPI_SUCCESS;
}

int File::seek_shared(MPI_Offset offset, int whence) {
  int code = sequential() ? MPI_ERR_UNSUPPORTED_OPERATION : agree(MPI_SUCCESS, whence);
  if (code != MPI_SUCCESS) return code;
  MPI_Offset current = 0;
  code = read_shared(current);
  MPI_Offset found = 0;
  if (code == MPI_SUCCESS) code = target(offset, whence, current, found);
  if (code = agree(code, offset); code != MPI_SUCCESS) return code;
  return set_shared(found);
}

int File::shared_position(MPI_Offset& offset) {
  return sequential() ? MPI_ERR_UNSUPPORTED_OPERATION : read_shared(offset);
}

int File::read_shared(MPI_Offset& etypes) {
  std::int64_t before = 0;
  const int code = add_to_shared(0, before);
  etypes = static_cast<MPI_Offset>(before);
  return code;
}

int File::add_to_shared(std::int64_t etypes, std::int64_t& before) {
  const std::lock_guard lock(shared_);
  if (const int code = window_.fetch_and_op(&etypes, &before, MPI_INT64_T, 0, 0, MPI_SUM); code != MPI_SUCCESS)
    return code;
  return window_.flush(0);
}

int File::set_shared(std::int64_t etypes) {
  if (rank() == 0) {
    std::int64_t before = 0;
    check(window_.fetch_and_op(&etypes, &before, MPI_INT64_T, 0, 0, MPI_REPLACE));
    check(window_.flush(0));
  }
  return agree(MPI_SUCCESS);
}

}  // namespace raddle::endpoints
