// SPDX-License-Identifier: BSD-3-Clause
#include "suites/partitioned/partitioned_ways.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <ranges>
#include <stdexcept>
#include <string_view>

#include "core/buffer.hpp"
#include "core/whereabouts.hpp"
#include "mpi/check.hpp"
#include "suites/partitioned/partitioned_calls.hpp"

namespace raddle::bench {
namespace {

constexpr std::string_view of_raddle = "raddle-";
constexpr const char* fixed_group = "262144";  ///< bytes of a group of raddle-fixed

int count(std::size_t bytes) { return static_cast<int>(bytes); }

/// What most mechanisms have on either end: a buffer, and requests on it.
template <typename End>
class WithRequests : public End {
 public:
  WithRequests(const PartitionedWork& work, std::size_t requests)
      : work_(work), memory_(static_cast<std::int64_t>(work.bytes()), 1), requests_(requests, MPI_REQUEST_NULL) {}
  ~WithRequests() override {
    for (MPI_Request& request : requests_) {
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
  }
  WithRequests(const WithRequests&) = delete;
  WithRequests& operator=(const WithRequests&) = delete;

  std::span<std::byte> buffer() override { return memory_[0]; }
  void wait() override {
    here().enter("MPI_Waitall", work_.peer, work_.tag);
    check(MPI_Waitall(count(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }

 protected:
  [[nodiscard]] std::byte* at(int partition) { return this->partition(partition, work_.partition_bytes).data(); }
  [[nodiscard]] MPI_Request& request(int partition) { return requests_[static_cast<std::size_t>(partition)]; }
  [[nodiscard]] std::span<MPI_Request> requests() { return requests_; }

  const PartitionedWork work_;

 private:
  Slots memory_;
  std::vector<MPI_Request> requests_;
};

/// The receives of one message a partition, posted in the order in which they are sent: the kindest to the MPI's
/// queues.
class EachReceived final : public WithRequests<PartitionedReceiver> {
 public:
  EachReceived(const PartitionedWork& work, bool persistent)
      : WithRequests(work, static_cast<std::size_t>(work.partitions)), persistent_(persistent) {
    for (int i = 0; persistent && i < work.partitions; ++i) {
      const int partition = work.order[static_cast<std::size_t>(i)];
      check(MPI_Recv_init(at(partition), count(work.partition_bytes), MPI_BYTE, work.peer, work.tag + partition,
                          work.comm, &request(i)),
            "MPI_Recv_init");
    }
  }

  void start() override {
    if (persistent_) {
      check(MPI_Startall(work_.partitions, requests().data()), "MPI_Startall");
      return;
    }
    for (int i = 0; i < work_.partitions; ++i) {
      const int partition = work_.order[static_cast<std::size_t>(i)];
      check(MPI_Irecv(at(partition), count(work_.partition_bytes), MPI_BYTE, work_.peer, work_.tag + partition,
                      work_.comm, &request(i)),
            "MPI_Irecv");
    }
  }

  void watch(const Arrived& arrived) override {
    here().enter("MPI_Waitsome", work_.peer, work_.tag);
    std::vector<int> indices(requests().size());
    for (int left = work_.partitions; left > 0;) {
      int some = 0;
      check(MPI_Waitsome(work_.partitions, requests().data(), &some, indices.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitsome");
      for (const int i : std::span(indices).first(static_cast<std::size_t>(some))) {
        arrived(work_.order[static_cast<std::size_t>(i)]);
      }
      left -= some;
    }
  }

 private:
  const bool persistent_;
};

class BlockingSends final : public WithRequests<PartitionedSender> {
 public:
  explicit BlockingSends(const PartitionedWork& work) : WithRequests(work, 0) {}
  void start() override {}
  void ready(int partition) override {
    check(
        MPI_Send(at(partition), count(work_.partition_bytes), MPI_BYTE, work_.peer, work_.tag + partition, work_.comm),
        "MPI_Send");
    // On a busy machine each one may wait for a time slice of the receiver's: thousands of them are no hang.
    Board::instance().moved();
  }
  void wait() override {}
  [[nodiscard]] double messages() const override { return work_.partitions; }
};

class PersistentSends final : public WithRequests<PartitionedSender> {
 public:
  explicit PersistentSends(const PartitionedWork& work)
      : WithRequests(work, static_cast<std::size_t>(work.partitions)) {
    for (int i = 0; i < work.partitions; ++i) {
      check(
          MPI_Send_init(at(i), count(work.partition_bytes), MPI_BYTE, work.peer, work.tag + i, work.comm, &request(i)),
          "MPI_Send_init");
    }
  }
  void start() override {}
  void ready(int partition) override { check(MPI_Start(&request(partition)), "MPI_Start"); }
  [[nodiscard]] double messages() const override { return work_.partitions; }
};

class NonblockingSends final : public WithRequests<PartitionedSender> {
 public:
  explicit NonblockingSends(const PartitionedWork& work)
      : WithRequests(work, static_cast<std::size_t>(work.partitions)) {}
  void start() override {}
  void ready(int partition) override {
    check(MPI_Isend(at(partition), count(work_.partition_bytes), MPI_BYTE, work_.peer, work_.tag + partition,
                    work_.comm, &request(partition)),
          "MPI_Isend");
  }
  [[nodiscard]] double messages() const override { return work_.partitions; }
};

/// All of it at once when the last partition is ready: what nothing that sends late can exceed.
class BulkSend final : public WithRequests<PartitionedSender> {
 public:
  explicit BulkSend(const PartitionedWork& work) : WithRequests(work, 1) {
    check(MPI_Send_init(at(0), count(work.bytes()), MPI_BYTE, work.peer, work.tag, work.comm, &request(0)),
          "MPI_Send_init");
  }
  void start() override { missing_.store(work_.partitions, std::memory_order_relaxed); }
  void ready(int /*partition*/) override {
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) check(MPI_Start(&request(0)), "MPI_Start");
  }
  [[nodiscard]] double messages() const override { return 1; }

 private:
  std::atomic<int> missing_{0};
};

class BulkReceived final : public WithRequests<PartitionedReceiver> {
 public:
  explicit BulkReceived(const PartitionedWork& work) : WithRequests(work, 1) {
    check(MPI_Recv_init(at(0), count(work.bytes()), MPI_BYTE, work.peer, work.tag, work.comm, &request(0)),
          "MPI_Recv_init");
  }
  void start() override { check(MPI_Start(&request(0)), "MPI_Start"); }
  void watch(const Arrived& arrived) override {
    wait();
    for (int i = 0; i < work_.partitions; ++i) arrived(i);
  }
};

/// Memory that the other process writes to, in one epoch for good.
class Window {
 public:
  Window(MPI_Comm comm, std::size_t bytes) : bytes_(bytes) {
    here().enter("MPI_Win_allocate");
    check(MPI_Win_allocate(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, comm, &base_, &window_), "MPI_Win_allocate");
    check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  }
  ~Window() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  [[nodiscard]] MPI_Win handle() const noexcept { return window_; }
  [[nodiscard]] std::span<std::byte> memory() const noexcept { return {static_cast<std::byte*>(base_), bytes_}; }

 private:
  std::size_t bytes_;
  void* base_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

class Puts final : public WithRequests<PartitionedSender> {
 public:
  Puts(const PartitionedWork& work, std::shared_ptr<Window> window)
      : WithRequests(work, 0), window_(std::move(window)) {}
  void start() override {}
  void ready(int partition) override {
    const auto place = static_cast<MPI_Aint>(partition) * static_cast<MPI_Aint>(work_.partition_bytes);
    check(MPI_Put(at(partition), count(work_.partition_bytes), MPI_BYTE, work_.peer, place,
                  count(work_.partition_bytes), MPI_BYTE, window_->handle()),
          "MPI_Put");
  }
  void wait() override {
    here().enter("MPI_Win_flush", work_.peer, work_.tag);
    check(MPI_Win_flush(work_.peer, window_->handle()), "MPI_Win_flush");
    check(MPI_Send(nullptr, 0, MPI_BYTE, work_.peer, work_.tag, work_.comm), "MPI_Send");
  }

 private:
  std::shared_ptr<Window> window_;
};

class PutInto final : public PartitionedReceiver {
 public:
  PutInto(const PartitionedWork& work, std::shared_ptr<Window> window) : work_(work), window_(std::move(window)) {}
  std::span<std::byte> buffer() override { return window_->memory(); }
  void start() override {}
  void wait() override {
    here().enter("MPI_Recv", work_.peer, work_.tag);
    check(MPI_Recv(nullptr, 0, MPI_BYTE, work_.peer, work_.tag, work_.comm, MPI_STATUS_IGNORE), "MPI_Recv");
    check(MPI_Win_sync(window_->handle()), "MPI_Win_sync");
  }
  void watch(const Arrived& arrived) override {
    wait();
    for (int i = 0; i < work_.partitions; ++i) arrived(i);
  }

 private:
  const PartitionedWork work_;
  std::shared_ptr<Window> window_;
};

/// The info of a mechanism's policy; none for the MPI's own.
class Policy {
 public:
  explicit Policy(const std::string& mechanism) {
    if (!mechanism.starts_with(of_raddle)) return;
    const std::string policy = mechanism.substr(of_raddle.size());
    check(MPI_Info_create(&info_), "MPI_Info_create");
    check(MPI_Info_set(info_, "raddle_part_policy", policy.c_str()), "MPI_Info_set");
    if (policy == "fixed") check(MPI_Info_set(info_, "raddle_part_min_bytes", fixed_group), "MPI_Info_set");
  }
  ~Policy() {
    if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
  }
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  [[nodiscard]] MPI_Info info() const noexcept { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

class PartitionedSend final : public WithRequests<PartitionedSender> {
 public:
  PartitionedSend(const PartitionedWork& work, const PartitionedCalls& calls) : WithRequests(work, 1), calls_(calls) {
    const Policy policy(work.mechanism);
    here().enter("MPI_Psend_init", work.peer, work.tag);
    check(calls.send_init(buffer().data(), work.partitions, static_cast<MPI_Count>(work.partition_bytes), MPI_BYTE,
                          work.peer, work.tag, work.comm, policy.info(), &request(0)),
          "MPI_Psend_init");
  }
  void start() override { check(MPI_Start(&request(0)), "MPI_Start"); }
  void ready(int partition) override { check(calls_.ready(partition, request(0)), "MPI_Pready"); }
  void ask() override {
    here().enter("MPI_Request_get_status", work_.peer, work_.tag);
    for (int complete = 0; complete == 0;) {
      check(MPI_Request_get_status(request(0), &complete, MPI_STATUS_IGNORE), "MPI_Request_get_status");
    }
    wait();
  }
  [[nodiscard]] double messages() const override {
    if (calls_.messages == nullptr) return unread;
    int messages = 0;
    check(calls_.messages(const_cast<PartitionedSend*>(this)->request(0), &messages), "Raddle_Partitioned_messages");
    return messages;
  }

 private:
  const PartitionedCalls& calls_;
};

class PartitionedReceive final : public WithRequests<PartitionedReceiver> {
 public:
  PartitionedReceive(const PartitionedWork& work, const PartitionedCalls& calls)
      : WithRequests(work, 1), calls_(calls) {
    const Policy policy(work.mechanism);
    here().enter("MPI_Precv_init", work.peer, work.tag);
    check(calls.recv_init(buffer().data(), work.partitions, static_cast<MPI_Count>(work.partition_bytes), MPI_BYTE,
                          work.peer, work.tag, work.comm, policy.info(), &request(0)),
          "MPI_Precv_init");
    for (int i = 0; i < work.partitions; ++i) all_.push_back(i);
  }
  void start() override { check(MPI_Start(&request(0)), "MPI_Start"); }
  void watch(const Arrived& arrived) override {
    here().enter("MPI_Parrived", work_.peer, work_.tag);
    std::vector<int> missing = all_;
    while (!missing.empty()) {
      std::erase_if(missing, [&](int partition) {
        int flag = 0;
        check(calls_.arrived(request(0), partition, &flag), "MPI_Parrived");
        if (flag != 0) arrived(partition);
        return flag != 0;
      });
    }
    wait();
  }

 private:
  const PartitionedCalls& calls_;
  std::vector<int> all_;
};

const PartitionedCalls& calls_of(const std::string& mechanism) {
  return mechanism == "psend" ? *native_partitioned() : *raddle_partitioned();
}

std::unique_ptr<PartitionedSender> sender_of(const PartitionedWork& work, const std::shared_ptr<Window>& window) {
  if (work.mechanism == "send") return std::make_unique<BlockingSends>(work);
  if (work.mechanism == "send-persistent") return std::make_unique<PersistentSends>(work);
  if (work.mechanism == "isend") return std::make_unique<NonblockingSends>(work);
  if (work.mechanism == "bulk") return std::make_unique<BulkSend>(work);
  if (work.mechanism == "win") return std::make_unique<Puts>(work, window);
  return std::make_unique<PartitionedSend>(work, calls_of(work.mechanism));
}

std::unique_ptr<PartitionedReceiver> receiver_of(const PartitionedWork& work, const std::shared_ptr<Window>& window) {
  if (work.mechanism == "send" || work.mechanism == "isend") return std::make_unique<EachReceived>(work, false);
  if (work.mechanism == "send-persistent") return std::make_unique<EachReceived>(work, true);
  if (work.mechanism == "bulk") return std::make_unique<BulkReceived>(work);
  if (work.mechanism == "win") return std::make_unique<PutInto>(work, window);
  return std::make_unique<PartitionedReceive>(work, calls_of(work.mechanism));
}

}  // namespace

void check_partitioned(const std::string& mechanism, bool endpoint) {
  if (mechanism.starts_with(of_raddle) && raddle_partitioned() == nullptr) {
    throw Unavailable("libraddle, which has Raddle_Psend_init, is not preloaded (docs/evidence/partitioned-study.md)");
  }
  if (mechanism == "psend" && endpoint) throw Unavailable("endpoints have no partitioned communication but Raddle's");
  if (mechanism == "psend" && native_partitioned() == nullptr) {
    throw Unavailable("this MPI has no MPI_Psend_init (MPI 4.0 has)");
  }
  if (mechanism == "win" && endpoint) throw Unavailable("the suite rma measures windows of endpoints");
}

PartitionedEnds make_partitioned_ends(const PartitionedWork* sending, const PartitionedWork* receiving) {
  const PartitionedWork& either = sending != nullptr ? *sending : *receiving;
  check_partitioned(either.mechanism, either.endpoint);
  std::shared_ptr<Window> window;
  if (either.mechanism == "win") {
    window = std::make_shared<Window>(either.comm, receiving != nullptr ? receiving->bytes() : 0);
  } else if (either.mechanism.starts_with(of_raddle) && !either.endpoint) {
    here().enter("Raddle_Partitioned_attach", either.peer);
    check(raddle_partitioned()->attach(either.comm), "Raddle_Partitioned_attach");
  }
  PartitionedEnds ends;
  if (sending != nullptr) ends.sender = sender_of(*sending, window);
  if (receiving != nullptr) ends.receiver = receiver_of(*receiving, window);
  return ends;
}

}  // namespace raddle::bench
