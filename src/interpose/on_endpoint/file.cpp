// SPDX-License-Identifier: BSD-3-Clause
// Files of endpoints: chapter 14 of MPI-4.1.
#include "endpoints/files/file.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "endpoints/errors.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "interpose/on_endpoint/raised.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Failure;
using Buffer = File::Buffer;
using Transfer = File::Transfer;
using Where = File::Where;

constexpr MPI_Offset nowhere = 0;  ///< where a file pointer says where

/// What is written is only read.
Buffer from(const void* buffer, MPI_Count count, MPI_Datatype type) {
  return {const_cast<void*>(buffer), count, type};  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

void tell(MPI_Status* status, std::size_t bytes) {
  endpoints::write_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, bytes, false);
}

int move(File& file, const Transfer& transfer, MPI_Offset offset, const Buffer& buffer, MPI_Status* status) {
  return raised(file, [&] {
    std::size_t bytes = 0;
    const int code = file.move(transfer, offset, buffer, bytes);
    if (code == MPI_SUCCESS) tell(status, bytes);
    return code;
  });
}

int start(File& file, const Transfer& transfer, MPI_Offset offset, const Buffer& buffer, MPI_Request* request) {
  return raised(file, [&] {
    *request = MPI_REQUEST_NULL;
    std::size_t bytes = 0;
    const int code = file.move(transfer, offset, buffer, bytes);
    if (code == MPI_SUCCESS) *request = (new endpoints::DoneRequest({.bytes = bytes}))->handle();  // ends itself
    return code;
  });
}

int begin(File& file, const Transfer& transfer, MPI_Offset offset, const Buffer& buffer) {
  return raised(file, [&] { return file.begin(transfer, offset, buffer); });
}

int end(File& file, bool writes, Where where, MPI_Status* status) {
  return raised(file, [&] {
    std::size_t bytes = 0;
    const int code = file.end(writes, where, bytes);
    if (code == MPI_SUCCESS) tell(status, bytes);
    return code;
  });
}

}  // namespace

int File_open(Endpoint& endpoint, const char* name, int mode, MPI_Info info, MPI_File* file) {
  *file = MPI_FILE_NULL;
  try {
    *file = File::open(endpoint, name, mode, info).handle();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return failure.raised ? failure.code : endpoints::raise_on_file(MPI_FILE_NULL, failure.code);
  }
}

int File_close(File& found, MPI_File* file) {
  try {
    return found.close(*file);
  } catch (const Failure& failure) {
    return endpoints::raise_on_file(MPI_FILE_NULL, failure.code);
  }
}

int File_get_group(File& file, MPI_Group* group) {
  return raised(file, [&] {
    *group = group_of(file.endpoint(), Side::own);
    return MPI_SUCCESS;
  });
}

int File_get_amode(File& file, int* mode) {
  *mode = file.mode();
  return MPI_SUCCESS;
}

int File_get_size(File& file, MPI_Offset* bytes) {
  return raised(file, [&] { return file.size(*bytes); });
}

int File_set_size(File& file, MPI_Offset bytes) {
  return raised(file, [&] { return file.resize(bytes); });
}

int File_preallocate(File& file, MPI_Offset bytes) {
  return raised(file, [&] { return file.allocate(bytes); });
}

int File_sync(File& file) {
  return raised(file, [&] { return file.sync(); });
}

int File_set_atomicity(File& file, int flag) {
  return raised(file, [&] { return file.set_atomicity(flag != 0); });
}

int File_get_atomicity(File& file, int* flag) {
  *flag = file.atomic() ? 1 : 0;
  return MPI_SUCCESS;
}

int File_set_view(File& file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                  const char* representation, MPI_Info info) {
  return raised(file, [&] { return file.set_view(displacement, etype, filetype, representation, info); });
}

int File_get_view(File& file, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
                  char* representation) {
  return raised(file, [&] {
    std::string name;
    const int code = file.get_view(*displacement, *etype, *filetype, name);
    std::ranges::copy(name, representation);
    representation[name.size()] = '\0';
    return code;
  });
}

int type_extent(File& file, MPI_Datatype type, MPI_Count& extent) {
  return raised(file, [&] { return file.type_extent(type, extent); });
}

int File_seek(File& file, MPI_Offset offset, int whence) {
  return raised(file, [&] { return file.seek(offset, whence); });
}

int File_get_position(File& file, MPI_Offset* offset) {
  return raised(file, [&] { return file.position(*offset); });
}

int File_get_byte_offset(File& file, MPI_Offset offset, MPI_Offset* bytes) {
  return raised(file, [&] { return file.byte_offset(offset, *bytes); });
}

int File_seek_shared(File& file, MPI_Offset offset, int whence) {
  return raised(file, [&] { return file.seek_shared(offset, whence); });
}

int File_get_position_shared(File& file, MPI_Offset* offset) {
  return raised(file, [&] { return file.shared_position(*offset); });
}

int File_read_at(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
  return move(file, {"MPI_File_read_at", false, Where::given}, offset, {buffer, count, type}, status);
}

int File_write_at(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type,
                  MPI_Status* status) {
  return move(file, {"MPI_File_write_at", true, Where::given}, offset, from(buffer, count, type), status);
}

int File_read_at_all(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type,
                     MPI_Status* status) {
  return move(file, {"MPI_File_read_at_all", false, Where::given, true}, offset, {buffer, count, type}, status);
}

int File_write_at_all(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Status* status) {
  return move(file, {"MPI_File_write_at_all", true, Where::given, true}, offset, from(buffer, count, type), status);
}

int File_iread_at(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type,
                  MPI_Request* request) {
  return start(file, {"MPI_File_iread_at", false, Where::given}, offset, {buffer, count, type}, request);
}

int File_iwrite_at(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type,
                   MPI_Request* request) {
  return start(file, {"MPI_File_iwrite_at", true, Where::given}, offset, from(buffer, count, type), request);
}

int File_iread_at_all(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Request* request) {
  return start(file, {"MPI_File_iread_at_all", false, Where::given, true, true}, offset, {buffer, count, type},
               request);
}

int File_iwrite_at_all(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type,
                       MPI_Request* request) {
  return start(file, {"MPI_File_iwrite_at_all", true, Where::given, true, true}, offset, from(buffer, count, type),
               request);
}

int File_read(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
  return move(file, {"MPI_File_read", false, Where::individual}, nowhere, {buffer, count, type}, status);
}

int File_write(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
  return move(file, {"MPI_File_write", true, Where::individual}, nowhere, from(buffer, count, type), status);
}

int File_read_all(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
  return move(file, {"MPI_File_read_all", false, Where::individual, true}, nowhere, {buffer, count, type}, status);
}

int File_write_all(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
  return move(file, {"MPI_File_write_all", true, Where::individual, true}, nowhere, from(buffer, count, type), status);
}

int File_iread(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request) {
  return start(file, {"MPI_File_iread", false, Where::individual}, nowhere, {buffer, count, type}, request);
}

int File_iwrite(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request) {
  return start(file, {"MPI_File_iwrite", true, Where::individual}, nowhere, from(buffer, count, type), request);
}

int File_iread_all(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request) {
  return start(file, {"MPI_File_iread_all", false, Where::individual, true, true}, nowhere, {buffer, count, type},
               request);
}

int File_iwrite_all(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request) {
  return start(file, {"MPI_File_iwrite_all", true, Where::individual, true, true}, nowhere, from(buffer, count, type),
               request);
}

int File_read_shared(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
  return move(file, {"MPI_File_read_shared", false, Where::shared}, nowhere, {buffer, count, type}, status);
}

int File_write_shared(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
  return move(file, {"MPI_File_write_shared", true, Where::shared}, nowhere, from(buffer, count, type), status);
}

int File_iread_shared(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request) {
  return start(file, {"MPI_File_iread_shared", false, Where::shared}, nowhere, {buffer, count, type}, request);
}

int File_iwrite_shared(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request) {
  return start(file, {"MPI_File_iwrite_shared", true, Where::shared}, nowhere, from(buffer, count, type), request);
}

int File_read_ordered(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
  return move(file, {"MPI_File_read_ordered", false, Where::ordered, true}, nowhere, {buffer, count, type}, status);
}

int File_write_ordered(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status) {
  return move(file, {"MPI_File_write_ordered", true, Where::ordered, true}, nowhere, from(buffer, count, type), status);
}

int File_read_at_all_begin(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type) {
  return begin(file, {"MPI_File_read_at_all_begin", false, Where::given, true}, offset, {buffer, count, type});
}

int File_read_at_all_end(File& file, void*, MPI_Status* status) { return end(file, false, Where::given, status); }

int File_write_at_all_begin(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type) {
  return begin(file, {"MPI_File_write_at_all_begin", true, Where::given, true}, offset, from(buffer, count, type));
}

int File_write_at_all_end(File& file, const void*, MPI_Status* status) { return end(file, true, Where::given, status); }

int File_read_all_begin(File& file, void* buffer, MPI_Count count, MPI_Datatype type) {
  return begin(file, {"MPI_File_read_all_begin", false, Where::individual, true}, nowhere, {buffer, count, type});
}

int File_read_all_end(File& file, void*, MPI_Status* status) { return end(file, false, Where::individual, status); }

int File_write_all_begin(File& file, const void* buffer, MPI_Count count, MPI_Datatype type) {
  return begin(file, {"MPI_File_write_all_begin", true, Where::individual, true}, nowhere, from(buffer, count, type));
}

int File_write_all_end(File& file, const void*, MPI_Status* status) {
  return end(file, true, Where::individual, status);
}

int File_read_ordered_begin(File& file, void* buffer, MPI_Count count, MPI_Datatype type) {
  return begin(file, {"MPI_File_read_ordered_begin", false, Where::ordered, true}, nowhere, {buffer, count, type});
}

int File_read_ordered_end(File& file, void*, MPI_Status* status) { return end(file, false, Where::ordered, status); }

int File_write_ordered_begin(File& file, const void* buffer, MPI_Count count, MPI_Datatype type) {
  return begin(file, {"MPI_File_write_ordered_begin", true, Where::ordered, true}, nowhere, from(buffer, count, type));
}

int File_write_ordered_end(File& file, const void*, MPI_Status* status) {
  return end(file, true, Where::ordered, status);
}

}  // namespace raddle::interpose::on_endpoint
