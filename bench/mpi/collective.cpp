// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collective.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>

#include "core/buffer.hpp"
#include "core/whereabouts.hpp"

namespace raddle::bench {
namespace {

/// What all have: the communicator, the rank in it (a thread communicator's need not be the party's), and a place on
/// the board.
class Base : public Collective {
 public:
  Base(MPI_Comm comm, const Seat& seat) : comm_(comm), flow_(seat.flow), one_clock_(seat.one_clock), where_(here()) {
    check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
  }

 protected:
  const MPI_Comm comm_;
  int rank_ = 0;
  const int flow_;
  int size_ = 0;
  const bool one_clock_;
  Whereabouts& where_;
};

/// The maximum over parties, as published.
class Allreduce : public Base {
 public:
  Allreduce(MPI_Comm comm, const Seat& seat, std::int64_t bytes)
      : Base(comm, seat), in_(static_cast<std::size_t>(std::max<std::int64_t>(bytes / 4, 1)), 1), out_(in_.size(), 1) {}

  void call() override {
    where_.enter("MPI_Allreduce");
    check(MPI_Allreduce(in_.data(), out_.data(), count(), MPI_INT, MPI_MAX, comm_), "MPI_Allreduce");
  }

  Validation validate() override {
    for (std::size_t i = 0; i < in_.size(); ++i) in_[i] = value(rank_, i);
    std::ranges::fill(out_, -1);
    call();
    Validation result{static_cast<std::int64_t>(out_.size() * sizeof(int)), 0};
    for (std::size_t i = 0; i < out_.size(); ++i) {
      int expected = value(0, i);
      for (int party = 1; party < size_; ++party) expected = std::max(expected, value(party, i));
      if (out_[i] != expected) result.wrong += sizeof(int);
    }
    return result;
  }

 protected:
  [[nodiscard]] int count() const noexcept { return static_cast<int>(in_.size()); }
  [[nodiscard]] int value(int party, std::size_t i) const noexcept {
    return static_cast<int>(pattern(flow_, party, i) >> 33U);
  }

  std::vector<int> in_;
  std::vector<int> out_;
};

class Iallreduce final : public Allreduce {
 public:
  using Allreduce::Allreduce;
  void call() override {
    MPI_Request request = MPI_REQUEST_NULL;
    where_.enter("MPI_Iallreduce and MPI_Wait");
    check(MPI_Iallreduce(in_.data(), out_.data(), count(), MPI_INT, MPI_MAX, comm_, &request), "MPI_Iallreduce");
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  }
};

/// The root moves on with every call, so that it cannot run ahead of the others.
class Bcast final : public Base {
 public:
  Bcast(MPI_Comm comm, const Seat& seat, std::int64_t bytes) : Base(comm, seat), buffer_(bytes, 1) {}

  void call() override {
    where_.enter("MPI_Bcast");
    check(MPI_Bcast(buffer_[0].data(), static_cast<int>(buffer_.bytes()), MPI_BYTE, root_, comm_), "MPI_Bcast");
    root_ = (root_ + 1) % size_;
  }

  Validation validate() override {
    Validation result;
    for (int call_number = 0; call_number < size_; ++call_number) {
      const int root = root_;
      if (rank_ == root) {
        fill(buffer_[0], flow_, root);
      } else {
        buffer_.clear();
      }
      call();
      compare(buffer_[0], flow_, root, result);
    }
    return result;
  }

 private:
  Slots buffer_;
  int root_ = 0;
};

class Alltoall final : public Base {
 public:
  Alltoall(MPI_Comm comm, const Seat& seat, std::int64_t bytes)
      : Base(comm, seat),
        bytes_(static_cast<std::size_t>(bytes)),
        in_(bytes_ * static_cast<std::size_t>(size_), std::byte{1}),
        out_(in_.size(), std::byte{1}) {}

  void call() override {
    where_.enter("MPI_Alltoall");
    const int count = static_cast<int>(bytes_);
    check(MPI_Alltoall(in_.data(), count, MPI_BYTE, out_.data(), count, MPI_BYTE, comm_), "MPI_Alltoall");
  }

  Validation validate() override {
    Validation result;
    for (int party = 0; party < size_; ++party) fill(part(in_, party), rank_, party);
    std::ranges::fill(out_, std::byte{0});
    call();
    for (int party = 0; party < size_; ++party) compare(part(out_, party), party, rank_, result);
    return result;
  }

 private:
  std::span<std::byte> part(std::vector<std::byte>& all, int party) const {
    return std::span(all).subspan(static_cast<std::size_t>(party) * bytes_, bytes_);
  }

  const std::size_t bytes_;
  std::vector<std::byte> in_;
  std::vector<std::byte> out_;
};

class Barrier final : public Base {
 public:
  Barrier(MPI_Comm comm, const Seat& seat, std::int64_t) : Base(comm, seat) {}

  void call() override {
    where_.enter("MPI_Barrier");
    check(MPI_Barrier(comm_), "MPI_Barrier");
  }

  /// Nobody may leave before the last one has come: each in turn is late. Who came last only one clock can tell.
  Validation validate() override {
    Validation result;
    for (int late = 0; late < size_; ++late) {
      if (rank_ == late) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const Nanoseconds own = now();
      call();
      const Nanoseconds left = now();
      Nanoseconds came = own;  // the last one; not by MPI_Bcast, which thread communicators of MPICH 5.0.2 refuse
      check(MPI_Allreduce(&own, &came, 1, MPI_INT64_T, MPI_MAX, comm_), "MPI_Allreduce");
      if (!one_clock_) continue;
      result.bytes += static_cast<std::int64_t>(sizeof came);
      if (left < came) result.wrong += static_cast<std::int64_t>(sizeof came);
    }
    return result;
  }
};

using Factory = std::unique_ptr<Collective> (*)(MPI_Comm, const Seat&, std::int64_t);

template <typename Kind>
std::unique_ptr<Collective> make(MPI_Comm comm, const Seat& seat, std::int64_t bytes) {
  return std::make_unique<Kind>(comm, seat, bytes);
}

constexpr std::array<std::pair<const char*, Factory>, 5> collectives{{{"allreduce", make<Allreduce>},
                                                                      {"barrier", make<Barrier>},
                                                                      {"bcast", make<Bcast>},
                                                                      {"alltoall", make<Alltoall>},
                                                                      {"iallreduce", make<Iallreduce>}}};

}  // namespace

std::unique_ptr<Collective> make_collective(const std::string& name, MPI_Comm comm, const Seat& seat,
                                            std::int64_t bytes) {
  for (const auto& [known, factory] : collectives) {
    if (name == known) return factory(comm, seat, bytes);
  }
  throw PlanError("unknown collective '" + name + "'");
}

}  // namespace raddle::bench
