// SPDX-License-Identifier: BSD-3-Clause
// A file of endpoints as one of them has it (MPI-4.1 chapter 14). Its handle is a real file of the MPI's, opened by
// this endpoint alone: with it the MPI keeps hints and error handler, and says which errors there are when it is
// opened.
//
// Data are moved without the MPI. What its locks keep apart are processes and not threads, and its collective calls
// know one rank of each process.
//
// Each file has a window of its own, on a communicator of its own of the same ranks: the shared file pointer is in it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "endpoints/errors.hpp"
#include "endpoints/files/disk.hpp"
#include "endpoints/files/merging.hpp"
#include "endpoints/files/view.hpp"
#include "endpoints/windows/window.hpp"

namespace raddle::endpoints {

class Endpoint;

/// Who opens or closes a handle holds it: all are on the same communicator.
std::recursive_mutex& handles_of_files();

class File {
 public:
  /// MPI_File_open: collective over the ranks of the parent's communicator.
  /// @returns the file, with its handle known @throws Failure, on all ranks
  static File& open(Endpoint& parent, const std::string& name, int mode, MPI_Info info);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() = default;

  /// MPI_File_close: collective. The file is gone when it returns, and `handle` is null.
  int close(MPI_File& handle);

  [[nodiscard]] MPI_File handle() const { return handle_; }
  /// Of the file's own communicator.
  [[nodiscard]] Endpoint& endpoint() const { return window_.endpoint(); }
  /// As it was given to MPI_File_open.
  [[nodiscard]] int mode() const { return mode_; }

  // All functions return an MPI error code that is not raised.

  // The file as a whole (section 14.2, 14.6.1). In bytes.
  int size(MPI_Offset& bytes) const;
  int resize(MPI_Offset bytes);    ///< collective
  int allocate(MPI_Offset bytes);  ///< collective
  int sync();                      ///< collective
  int set_atomicity(bool atomic);  ///< collective
  [[nodiscard]] bool atomic() const { return atomic_; }

  // Views (section 14.3).
  int set_view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const std::string& representation,
               MPI_Info info);  ///< collective
  int get_view(MPI_Offset& displacement, MPI_Datatype& etype, MPI_Datatype& filetype,
               std::string& representation) const;
  /// MPI_File_get_type_extent. In bytes.
  int type_extent(MPI_Datatype type, MPI_Count& extent) const;

  // Pointers (section 14.4). In etypes.
  int seek(MPI_Offset offset, int whence);
  int position(MPI_Offset& offset) const;
  int seek_shared(MPI_Offset offset, int whence);  ///< collective
  int shared_position(MPI_Offset& offset);
  int byte_offset(MPI_Offset offset, MPI_Offset& bytes) const;

  // Data access (section 14.4).

  enum class Where : std::uint8_t {
    given,       ///< an explicit offset
    individual,  ///< the individual file pointer
    shared,      ///< the shared one
    ordered      ///< the shared one, in the order of ranks: collective
  };
  struct Transfer {
    const char* call;
    bool writes;
    Where where;
    bool together = false;  ///< all ranks do it
    bool at_once = false;   ///< it waits for nobody
  };
  struct Buffer {
    void* address;  ///< only read where it is written to the file
    MPI_Count count;
    MPI_Datatype type;
  };
  /// @param offset  for Where::given, in etypes
  /// @param bytes   gets how many have been moved
  int move(const Transfer& transfer, MPI_Offset offset, const Buffer& buffer, std::size_t& bytes);
  /// A split collective (section 14.4.5): moves, and keeps what has been moved until its end.
  int begin(const Transfer& transfer, MPI_Offset offset, const Buffer& buffer);
  int end(bool writes, Where where, std::size_t& bytes);

  /// An error, by the file's error handler. @returns the code
  [[nodiscard]] int raise(int code) const;

 private:
  File(Window& window, const std::string& name, int mode, MPI_Info info);
  struct Opening;
  void share(int mode);
  int open_here(MPI_Info info, bool creates);
  [[nodiscard]] MPI_Comm comm() const;
  [[nodiscard]] int rank() const;

  /// All ranks have the worst of their codes, and the same value. @returns an MPI error code
  int agree(int code, std::int64_t value = 0);
  /// What rank 0 does for all. @returns an MPI error code
  template <typename Act>
  int by_one(Act&& act);
  /// What a collective call may be that changes the file.
  [[nodiscard]] int check_change(MPI_Offset bytes) const;

  /// Whether the file's representation is another than that of memory.
  [[nodiscard]] bool converts() const { return representation_ == "external32"; }
  [[nodiscard]] bool sequential() const { return (mode_ & MPI_MODE_SEQUENTIAL) != 0; }
  [[nodiscard]] int allowed(const Transfer& transfer) const;
  /// To where a pointer goes. @returns an MPI error code
  int target(MPI_Offset offset, int whence, MPI_Offset current, MPI_Offset& found) const;

  // The shared file pointer, in etypes.
  int read_shared(MPI_Offset& etypes);
  int add_to_shared(std::int64_t etypes, std::int64_t& before);
  int set_shared(std::int64_t etypes);  ///< collective, by rank 0

  /// Where a transfer of so many etypes begins, and moves the pointer.
  int place(const Transfer& transfer, MPI_Offset offset, std::int64_t etypes, std::int64_t& found);
  int transfer_at(const Transfer& transfer, std::int64_t position, std::span<std::byte> data, std::size_t& done);

  /// Of those that are kept with the view.
  static void forget_type(MPI_Datatype& type);

  struct Split {
    bool writes;
    Where where;
    std::size_t bytes;
  };

  Window& window_;
  MPI_File handle_ = MPI_FILE_NULL;
  std::string name_;
  int mode_;
  Disk disk_;
  std::shared_ptr<Merging> merging_;
  Merging::Member member_;

  FileView view_;
  MPI_Datatype etype_ = MPI_BYTE;
  MPI_Datatype filetype_ = MPI_BYTE;
  std::int64_t etype_bytes_ = 1;
  std::string representation_ = "native";
  std::atomic<std::int64_t> pointer_{0};  ///< in etypes
  std::mutex shared_;                     ///< who uses the window
  std::atomic<bool> atomic_{false};
  std::optional<Split> split_;
};

/// The class of an errno, with its text.
int file_error(int error);

}  // namespace raddle::endpoints
