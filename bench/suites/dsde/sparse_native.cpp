// SPDX-License-Identifier: BSD-3-Clause
// Dynamic sparse exchange with the MPI's own calls, as the article has it that compares the two
// (docs/evidence/sparse-study.md).
#include "suites/dsde/sparse_native.hpp"

#include <algorithm>

#include "core/whereabouts.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {
namespace {

/// A place for a message of each rank.
class Places {
 public:
  Places(MPI_Comm comm, std::size_t bytes) : bytes_(bytes) {
    MPI_Comm_size(comm, &ranks_);
    store_.assign(static_cast<std::size_t>(ranks_) * bytes, std::byte{0x5a});
  }
  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  [[nodiscard]] int bytes() const noexcept { return static_cast<int>(bytes_); }
  [[nodiscard]] std::byte* all() noexcept { return store_.data(); }
  [[nodiscard]] std::byte* of(int rank) noexcept { return store_.data() + static_cast<std::size_t>(rank) * bytes_; }
  [[nodiscard]] SparseWay::Message message(int rank) const {
    return {rank, {store_.data() + static_cast<std::size_t>(rank) * bytes_, bytes_}};
  }

 private:
  std::size_t bytes_;
  int ranks_ = 0;
  std::vector<std::byte> store_;
};

/// Who sends how much to whom, and then what.
class NativeAlltoallv final : public SparseWay {
 public:
  NativeAlltoallv(MPI_Comm comm, std::size_t bytes) : comm_(comm), places_(comm, bytes) {
    const auto ranks = static_cast<std::size_t>(places_.ranks());
    for (auto* const each : {&out_counts_, &out_places_, &in_counts_, &in_places_}) each->resize(ranks);
    for (int rank = 0; rank < places_.ranks(); ++rank)
      in_places_[static_cast<std::size_t>(rank)] = rank * places_.bytes();
  }

  void exchange(const std::byte* out, std::span<const int> dests) override {
    std::ranges::fill(out_counts_, 0);
    int at = 0;
    for (const int dest : dests) {
      out_counts_[static_cast<std::size_t>(dest)] = places_.bytes();
      out_places_[static_cast<std::size_t>(dest)] = at;
      at += places_.bytes();
    }
    where_.enter("MPI_Alltoall");
    check(MPI_Alltoall(out_counts_.data(), 1, MPI_INT, in_counts_.data(), 1, MPI_INT, comm_), "MPI_Alltoall");
    where_.enter("MPI_Alltoallv");
    check(MPI_Alltoallv(out, out_counts_.data(), out_places_.data(), MPI_BYTE, places_.all(), in_counts_.data(),
                        in_places_.data(), MPI_BYTE, comm_),
          "MPI_Alltoallv");
  }

  [[nodiscard]] std::vector<Message> arrived() const override {
    std::vector<Message> found;
    for (int rank = 0; rank < places_.ranks(); ++rank) {
      if (in_counts_[static_cast<std::size_t>(rank)] != 0) found.push_back(places_.message(rank));
    }
    return found;
  }

 private:
  MPI_Comm comm_;
  Places places_;
  std::vector<int> out_counts_, out_places_, in_counts_, in_places_;
  Whereabouts& where_ = here();
};

/// The nonblocking census as it is written everywhere: it never gives its CPU to anybody. With one tag a rank that is
/// an exchange ahead is taken for one that is not; two tags in turn are enough, since nobody can be further ahead.
class NativeNbx final : public SparseWay {
 public:
  NativeNbx(MPI_Comm comm, std::size_t bytes) : comm_(comm), places_(comm, bytes) {}

  void exchange(const std::byte* out, std::span<const int> dests) override {
    tag_ = 1 - tag_;
    sources_.clear();
    sends_.resize(dests.size());
    where_.enter("the nonblocking census", Whereabouts::nobody, tag_);
    for (std::size_t i = 0; i < dests.size(); ++i) {
      check(MPI_Issend(out + i * static_cast<std::size_t>(places_.bytes()), places_.bytes(), MPI_BYTE, dests[i], tag_,
                       comm_, &sends_[i]),
            "MPI_Issend");
    }
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (int over = 0; over == 0;) {
      receive();
      if (barrier != MPI_REQUEST_NULL) {
        check(MPI_Test(&barrier, &over, MPI_STATUS_IGNORE), "MPI_Test");
        continue;
      }
      int sent = 0;
      check(MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &sent, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (sent != 0) check(MPI_Ibarrier(comm_, &barrier), "MPI_Ibarrier");
    }
  }

  [[nodiscard]] std::vector<Message> arrived() const override {
    std::vector<Message> found;
    for (const int source : sources_) found.push_back(places_.message(source));
    return found;
  }

 private:
  /// A message that is there, if there is one.
  void receive() {
    int there = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_, &there, &status), "MPI_Iprobe");
    if (there == 0) return;
    const int source = status.MPI_SOURCE;
    check(MPI_Recv(places_.of(source), places_.bytes(), MPI_BYTE, source, tag_, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    sources_.push_back(source);
  }

  MPI_Comm comm_;
  Places places_;
  int tag_ = 0;
  std::vector<int> sources_;
  std::vector<MPI_Request> sends_;
  Whereabouts& where_ = here();
};

}  // namespace

std::unique_ptr<SparseWay> make_native_sparse_way(const std::string& algorithm, MPI_Comm comm, std::size_t bytes) {
  if (algorithm == "native-alltoallv") return std::make_unique<NativeAlltoallv>(comm, bytes);
  return std::make_unique<NativeNbx>(comm, bytes);
}

}  // namespace raddle::bench
