// SPDX-License-Identifier: BSD-3-Clause
// Opening and closing, and what is done with a file as a whole.
#include "endpoints/files/file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/files/null_file.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/rank.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

std::recursive_mutex& handles_of_files() {
  static auto& guard = *new std::recursive_mutex;  // destructors of the program may close files
  return guard;
}

namespace {

int check_mode(int mode) {
  const int ways = mode & (MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR);
  if (!std::has_single_bit(static_cast<unsigned>(ways))) return MPI_ERR_AMODE;
  if (ways == MPI_MODE_RDONLY && (mode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0) return MPI_ERR_AMODE;
  if (ways == MPI_MODE_RDWR && (mode & MPI_MODE_SEQUENTIAL) != 0) return MPI_ERR_AMODE;
  return MPI_SUCCESS;
}

/// What a rank's handle is opened with; the rest is about all ranks.
constexpr int own_modes = MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR;

Disk::Access access_of(int mode) {
  if ((mode & MPI_MODE_RDWR) != 0) return Disk::Access::both;
  return (mode & MPI_MODE_WRONLY) != 0 ? Disk::Access::writes : Disk::Access::reads;
}

/// MPIs take names that begin with the kind of a file system.
int open_disk(Disk& disk, const std::string& name, Disk::Access access) {
  const int error = disk.open(name, access);
  if (error != ENOENT) return error;
  for (const std::string_view kind : {"ufs:", "nfs:", "xfs:", "gpfs:", "lustre:", "panfs:"}) {
    if (name.starts_with(kind)) return disk.open(name.substr(kind.size()), access);
  }
  return error;
}

}  // namespace

int file_error(int error) {
  const auto with = [&](int error_class) {
    return error_with(error_class, "Raddle: a file: " + std::generic_category().message(error));
  };
  switch (error) {
    case 0:
      return MPI_SUCCESS;
    case ENOENT:
      return with(MPI_ERR_NO_SUCH_FILE);
    case EEXIST:
      return with(MPI_ERR_FILE_EXISTS);
    case EACCES:
    case EPERM:
      return with(MPI_ERR_ACCESS);
    case EROFS:
      return with(MPI_ERR_READ_ONLY);
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return with(MPI_ERR_BAD_FILE);
    case ENOSPC:
      return with(MPI_ERR_NO_SPACE);
    case EDQUOT:
      return with(MPI_ERR_QUOTA);
    case ENOMEM:
      return with(MPI_ERR_NO_MEM);
    default:
      return with(MPI_ERR_IO);
  }
}

MPI_Comm File::comm() const { return window_.endpoint().comm; }
int File::rank() const { return window_.endpoint().rank(); }

int File::raise(int code) const { return code == MPI_SUCCESS ? code : raise_on_file(handle_, code); }

int File::agree(int code, std::int64_t value) {
  std::array<std::int64_t, 3> all{platform::class_of(code), value, -value};
  check(PMPI_Allreduce(MPI_IN_PLACE, all.data(), 3, MPI_INT64_T, MPI_MAX, comm()));
  if (code != MPI_SUCCESS) return code;
  if (all[0] != MPI_SUCCESS)
    return error_with(static_cast<int>(all[0]), "Raddle: another rank of the file has this error");
  if (all[1] != -all[2]) return error_with(MPI_ERR_NOT_SAME, "Raddle: ranks of a file give different arguments");
  return MPI_SUCCESS;
}

template <typename Act>
int File::by_one(Act&& act) {
  int error = rank() == 0 ? act() : 0;
  check(PMPI_Bcast(&error, 1, MPI_INT, 0, comm()));
  return file_error(error);
}

// Opening.

File& File::open(Endpoint& parent, const std::string& name, int mode, MPI_Info info) {
  const MPI_Aint shared = parent.rank() == 0 ? sizeof(std::int64_t) : 0;
  Window& window =
      Window::make(parent, "MPI_File_open", {MPI_WIN_FLAVOR_ALLOCATE, nullptr, shared, 1, MPI_INFO_NULL, true});
  return platform::relied_on("MPI_File_open", [&]() -> File& {
    try {
      auto* const file = new File(window, name, mode, info);  // ends with close()
      insert<Kind::file>(file->handle_, *file);
      return *file;
    } catch (const Failure&) {
      MPI_Win none = MPI_WIN_NULL;
      platform::regardless(window.free(none));
      throw;
    }
  });
}

File::File(Window& window, const std::string& name, int mode, MPI_Info info)
    : window_(window), name_(name), mode_(mode) {
  share(mode);
  // One rank creates the file, so that all others find it. Where it cannot, the MPI says the same to them.
  int code = rank() == 0 ? open_here(info, true) : MPI_SUCCESS;
  // The MPI has raised it on the process's MPI_FILE_NULL, of which a rank has its own.
  const auto was_raised = [&](int own) { return own != MPI_SUCCESS && handle_ == MPI_FILE_NULL && adopted == nullptr; };
  bool raised = was_raised(code);
  const auto fail = [&] {
    const std::lock_guard lock(handles_of_files());
    if (handle_ != MPI_FILE_NULL) platform::regardless(PMPI_File_close(&handle_));
    throw Failure(code, raised);
  };
  if (code = agree(code); code != MPI_SUCCESS) {
    if (rank() != 0) {
      const int own = open_here(info, true);
      raised = was_raised(own);
      if (own != MPI_SUCCESS) code = own;
    }
    fail();
  }
  if (rank() != 0) {
    code = open_here(info, false);
    raised = was_raised(code);
  }
  if (code == MPI_SUCCESS && (mode & MPI_MODE_APPEND) != 0) {
    std::int64_t end = 0;
    code = file_error(disk_.size(end));
    pointer_ = end;
  }
  if (rank() == 0) *static_cast<std::int64_t*>(window_.base()) = pointer_;
  if (code = agree(code); code != MPI_SUCCESS) fail();
  check(window_.lock_all(MPI_MODE_NOCHECK));
}

/// What the ranks tell each other: the mode has to be the same, and those of one process have something in common.
struct File::Opening {
  std::int64_t mode;
  std::shared_ptr<Merging>* merging;
};

void File::share(int mode) {
  const Communicator& all = endpoint().communicator();
  member_.index = endpoint().index();
  const int first = all.own_ranks().front();
  if (rank() == first) merging_ = std::make_shared<Merging>(static_cast<int>(all.own_ranks().size()));
  const Opening mine{mode, &merging_};
  std::vector<Opening> theirs(static_cast<std::size_t>(all.size()));
  constexpr int bytes = sizeof(Opening);
  check(PMPI_Allgather(&mine, bytes, MPI_BYTE, theirs.data(), bytes, MPI_BYTE, comm()));
  if (rank() != first) merging_ = *theirs[static_cast<std::size_t>(first)].merging;
  // Nobody's is gone before all others of the process have got it.
  check(PMPI_Barrier(comm()));
  if (!std::ranges::all_of(theirs, [&](const Opening& one) { return one.mode == theirs.front().mode; }))
    throw Failure(error_with(MPI_ERR_NOT_SAME, "Raddle: MPI_File_open with different modes"));
  if (const int code = check_mode(mode); code != MPI_SUCCESS) throw Failure(code);
}

namespace {

/// Of the header of the MPI-5 ABI this function is no part.
template <typename Handle>
void ask_for_integer(Handle file) {
  if constexpr (requires { PMPI_File_c2f(file); }) static_cast<void>(PMPI_File_c2f(file));
}

}  // namespace

/// The MPI has raised the error where there is no handle afterwards.
int File::open_here(MPI_Info info, bool creates) {
  {
    const int mode = mode_ & (own_modes | (creates ? MPI_MODE_CREATE | MPI_MODE_EXCL : 0));
    const std::lock_guard lock(handles_of_files());
    const AsProcess process;
    if (const int code = PMPI_File_open(MPI_COMM_SELF, name_.c_str(), mode, info, &handle_); code != MPI_SUCCESS) {
      handle_ = MPI_FILE_NULL;
      return code;
    }
    // MPICH gives a file its integer when it is first asked for, and two threads the same one
    // (docs/evidence/mpi-notes.md).
    if (handle_ != MPI_FILE_NULL) ask_for_integer(handle_);
  }
  if (handle_ != MPI_FILE_NULL && adopted != nullptr) null_file::inherit(*adopted, handle_);
  const int error = open_disk(disk_, name_, access_of(mode_));
  // MPICH returns MPI_SUCCESS where a function of the program has heard the error.
  return handle_ == MPI_FILE_NULL && error == 0 ? MPI_ERR_FILE : file_error(error);
}

int File::close(MPI_File& handle) {
  check(window_.unlock_all());
  disk_.close();
  erase<Kind::file>(handle_);
  int code = MPI_SUCCESS;
  {
    const std::lock_guard lock(handles_of_files());
    code = PMPI_File_close(&handle_);
  }
  for (MPI_Datatype* const type : {&etype_, &filetype_}) forget_type(*type);
  MPI_Win window = MPI_WIN_NULL;
  const bool deletes = rank() == 0 && (mode_ & MPI_MODE_DELETE_ON_CLOSE) != 0;
  check(PMPI_Barrier(comm()));
  if (deletes) {
    const AsProcess process;  // MPICH calls collectives on MPI_COMM_SELF, which a rank need not have
    code = PMPI_File_delete(name_.c_str(), MPI_INFO_NULL);
  }
  check(window_.free(window));
  delete this;
  handle = MPI_FILE_NULL;
  return code;
}

// The file as a whole.

int File::size(MPI_Offset& bytes) const {
  std::int64_t found = 0;
  const int error = disk_.size(found);
  bytes = static_cast<MPI_Offset>(found);
  return file_error(error);
}

int File::check_change(MPI_Offset bytes) const {
  if (bytes < 0) return MPI_ERR_ARG;
  if (sequential()) return MPI_ERR_UNSUPPORTED_OPERATION;
  return (mode_ & MPI_MODE_RDONLY) != 0 ? MPI_ERR_READ_ONLY : MPI_SUCCESS;
}

int File::resize(MPI_Offset bytes) {
  if (const int code = agree(check_change(bytes), bytes); code != MPI_SUCCESS) return code;
  return by_one([&] { return disk_.resize(bytes); });
}

int File::allocate(MPI_Offset bytes) {
  if (const int code = agree(check_change(bytes), bytes); code != MPI_SUCCESS) return code;
  return by_one([&] { return disk_.allocate(bytes); });
}

int File::sync() { return agree(file_error(disk_.sync())); }

int File::set_atomicity(bool atomic) {
  const int code = agree(MPI_SUCCESS, atomic ? 1 : 0);
  if (code == MPI_SUCCESS) atomic_ = atomic;
  return code;
}

}  // namespace raddle::endpoints
