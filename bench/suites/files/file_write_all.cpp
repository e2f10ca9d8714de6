// SPDX-License-Identifier: BSD-3-Clause
// A collective write to one file in the directory for temporary files: blocks of all ranks, one behind the other. What
// is timed is into the system's cache, the same bytes again and again; what reaches a disk, and when, is not.
#include "declared/file_write_all.hpp"

#include <mpi.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): POSIX mkstemp
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/buffer.hpp"
#include "core/loops.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {
namespace {

/// Of all ranks; it is deleted when they close it.
class SharedFile {
 public:
  explicit SharedFile(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::array<char, 4096> name{};
    if (rank == 0) {
      std::string made = (std::filesystem::temp_directory_path() / "raddle-bench-XXXXXX").string();
      if (const int file = mkstemp(made.data()); file >= 0) ::close(file);
      made.copy(name.data(), name.size() - 1);
    }
    check(MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, comm), "MPI_Bcast");
    constexpr int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    check(MPI_File_open(comm, name.data(), mode, MPI_INFO_NULL, &file_), "MPI_File_open");
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile() { MPI_File_close(&file_); }

  [[nodiscard]] MPI_File handle() const { return file_; }

 private:
  MPI_File file_ = MPI_FILE_NULL;
};

class WritesTogether final : public Worker {
 public:
  WritesTogether(MPI_Comm comm, const Seat&, const Work& work) : comm_(comm), file_(comm), block_(work.bytes, 1) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
  }

  Span sample(std::int64_t iterations) override {
    return between_meetings(iterations, [&] { check(MPI_Barrier(comm_), "MPI_Barrier"); }, [&] { write(); });
  }
  /// Each reads what its neighbour has written.
  Validation validate() override {
    Validation result;
    fill(block_[0], rank_, 1);
    write();
    check(MPI_File_sync(file_.handle()), "MPI_File_sync");
    check(MPI_Barrier(comm_), "MPI_Barrier");
    check(MPI_File_sync(file_.handle()), "MPI_File_sync");
    const int neighbour = (rank_ + 1) % size_;
    Slots read(static_cast<std::int64_t>(block_.bytes()), 1);
    check(
        MPI_File_read_at_all(file_.handle(), place_of(neighbour), read[0].data(), count(), MPI_BYTE, MPI_STATUS_IGNORE),
        "MPI_File_read_at_all");
    compare(read[0], neighbour, 1, result);
    check(MPI_Barrier(comm_), "MPI_Barrier");
    return result;
  }

 private:
  void write() {
    check(
        MPI_File_write_at_all(file_.handle(), place_of(rank_), block_[0].data(), count(), MPI_BYTE, MPI_STATUS_IGNORE),
        "MPI_File_write_at_all");
  }
  [[nodiscard]] MPI_Offset place_of(int rank) const {
    return static_cast<MPI_Offset>(rank) * static_cast<MPI_Offset>(block_.bytes());
  }
  [[nodiscard]] int count() const { return static_cast<int>(block_.bytes()); }

  MPI_Comm comm_;
  const SharedFile file_;
  Slots block_;
  int rank_ = 0;
  int size_ = 1;
};

/// Of one rank: the harness adds up what all of them do.
double megabytes(const Work& work) { return static_cast<double>(work.bytes) / 1e6; }

const Register write_all(Benchmark{
    declared::file_write_all(),
    {.kind = Kind::rate, .work_per_operation = megabytes, .arm = group_arm<WritesTogether>}});

}  // namespace
}  // namespace raddle::bench
