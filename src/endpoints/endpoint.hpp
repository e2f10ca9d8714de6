// SPDX-License-Identifier: BSD-3-Clause
// A rank that a thread owns: what MPI functions ask of it. An engine is a class derived from this one; ranks, tags and
// datatypes have been checked when it is called, and MPI_PROC_NULL never comes.
//
// Sources and tags are MPI's, wildcards included. Functions that return a code return an MPI error code and do not
// raise it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "endpoints/collectives/sequence.hpp"
#include "endpoints/communicators/communicator.hpp"
#include "endpoints/datatypes/body.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "endpoints/requests/request.hpp"

namespace raddle::endpoints {

class Layout;
class Topology;
namespace collectives {
class Maker;
}

/// Tags from here down are Raddle's own, of messages between endpoints that the program does not see: no wildcard finds
/// them. Below the values that MPIs give to constants.
constexpr int greatest_own_tag = -(1 << 20);

/// How a send ends (MPI-4.1 section 3.4). Engines get `buffered` with persistent requests only.
enum class Mode : std::uint8_t { standard, synchronous, ready, buffered };

/// A message that was probed and belongs to the prober (MPI-4.1 section 3.8.2).
class Probed {
 public:
  Probed(const Probed&) = delete;
  Probed& operator=(const Probed&) = delete;
  virtual ~Probed();

  [[nodiscard]] MPI_Message handle() const { return handle_; }
  /// Stays while this does, its handle freed or not.
  [[nodiscard]] Endpoint& endpoint() const { return *endpoint_; }

 protected:
  explicit Probed(Endpoint& endpoint);

 private:
  Endpoint* endpoint_;
  MPI_Message handle_;
};

/// What moves operations of an endpoint that are neither messages nor collectives, from the first of them on.
class Extension {
 public:
  Extension() = default;
  Extension(const Extension&) = delete;
  Extension& operator=(const Extension&) = delete;
  virtual ~Extension() = default;
  virtual void progress() = 0;
  /// Its endpoint, or MPI, ends: it receives nothing more.
  virtual void close() {}
};

class Endpoint : public Mover {
 public:
  /// In its communicator, both groups of an intercommunicator together.
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  /// The ranks that it sends to and receives from, which it numbers from 0: all, or of an intercommunicator those of
  /// the remote group.
  [[nodiscard]] const RankSpan& peers() const { return peers_; }
  /// Those of its own group.
  [[nodiscard]] RankSpan group() const { return communicator_.group_of(rank_); }
  /// What the program calls its rank.
  [[nodiscard]] int rank_in_group() const { return rank_ - group().first; }
  [[nodiscard]] bool has_two_groups() const { return size_ != peers_.size; }
  /// How many of its peers, from 0 on, it exchanges messages with in the short way, which is part of the functions of
  /// MPI (interpose/on_endpoint/short_way.hpp); 0: its engine has none.
  [[nodiscard]] int short_way_to() const { return short_way_to_; }
  /// The value of MPI_TAG_UB (MPI-4.1 section 9.1.2).
  [[nodiscard]] int greatest_tag() const { return greatest_tag_; }
  /// The same object for all endpoints of this process in it.
  [[nodiscard]] Communicator& communicator() const { return communicator_; }
  /// Among the endpoints of this process in its communicator.
  [[nodiscard]] int index() const { return index_; }
  /// Of its communicator; nullptr: it has none.
  [[nodiscard]] const std::shared_ptr<const Topology>& topology() const { return topology_; }
  /// Before the program has its handle.
  void set_topology(std::shared_ptr<const Topology> topology) { topology_ = std::move(topology); }

  /// Collective over the processes of `communicator`, by one thread of each: endpoints of the same engine.
  /// @param handles  of those of this process, by index; the caller's again if this throws
  /// @throws Failure, on all processes or none
  virtual void make_endpoints(std::unique_ptr<Communicator> communicator, const std::vector<MPI_Comm>& handles) = 0;
  /// Counts those of its own group of an intercommunicator.
  [[nodiscard]] std::uint64_t& calls_of_side() { return calls_of_side_; }
  /// How many calls of all ranks of its communicator it has made before.
  [[nodiscard]] int next_call() { return calls_++; }

  // Blocking (MPI-4.1 sections 3.2 and 3.4).
  virtual int send(const Layout& message, int to, int tag, Mode mode) = 0;
  virtual Result receive(const Layout& room, int source, int tag) = 0;

  // Nonblocking (section 3.7). What lies in one piece, as most messages do, needs no layout, and a send that is
  // complete at once no request of its own.
  virtual bool send_now(std::span<const std::byte> message, int to, int tag) = 0;
  virtual Request& start_send(Layout&& message, int to, int tag, Mode mode) = 0;
  virtual Request& start_receive(std::span<std::byte> room, int source, int tag) = 0;
  virtual Request& start_receive(Layout&& room, int source, int tag) = 0;
  /// Sends a copy that was made for it; nobody waits for it.
  virtual void send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag) = 0;

  /// What describes a persistent request (section 3.9).
  struct Persistent {
    int peer;  ///< may be MPI_PROC_NULL
    int tag;
    bool sends;
    Mode mode;
  };
  virtual Request& make_persistent(Layout&& message, const Persistent& description) = 0;

  /// The buffer of MPI_Bsend that the program has attached to it, if it has.
  [[nodiscard]] buffered::Account& own_buffer() { return *own_buffer_; }
  /// That, or else the session's, or else the one of all endpoints of the rank or process (MPI-4.1 section 3.6).
  [[nodiscard]] buffered::Account& buffer() {
    if (own_buffer_->attached()) return *own_buffer_;
    return session_buffer_ && session_buffer_->attached() ? *session_buffer_ : buffered::account();
  }
  /// That of the session that its communicator descends from, attached or not; nullptr: it descends from none.
  [[nodiscard]] const std::shared_ptr<buffered::Account>& session_buffer() const { return session_buffer_; }
  /// Before the program has its handle.
  void use_session_buffer(std::shared_ptr<buffered::Account> buffer) { session_buffer_ = std::move(buffer); }

  // Probes (section 3.8): one look, after progress. A probed message is received once.
  virtual bool probe(int source, int tag, Result& found) = 0;
  virtual Probed* take(int source, int tag, Result& found) = 0;  ///< nullptr: none
  virtual Result receive(const Layout& room, Probed& message) = 0;
  virtual Request& start_receive(Layout&& room, Probed& message) = 0;

  /// Its collectives that are under way (MPI-4.1 chapter 6).
  [[nodiscard]] collectives::Sequence& collectives() { return collectives_; }

  /// Its extension, which `make` makes if there is none. Any threads.
  template <typename Make>
  [[nodiscard]] Extension& extension(Make&& make) {
    std::call_once(extended_, [&] {
      extension_ = make();
      extended_by_.store(extension_.get(), std::memory_order_release);
    });
    return *extension_;
  }

  void close_extension() {
    if (Extension* const extension = extended_by_.load(std::memory_order_acquire)) extension->close();
  }

  /// Whether its messages have tags of Raddle's own beyond those of the MPI, down from greatest_own_tag. Without them
  /// Raddle's own messages share those that the MPI has.
  [[nodiscard]] virtual bool has_own_tags() const { return true; }

  /// Who makes them in place of these; nullptr: nobody.
  [[nodiscard]] virtual collectives::Maker* maker() { return nullptr; }

  /// Where errors are raised: on its handle, or once that has been freed on what has taken its place.
  [[nodiscard]] MPI_Comm raises() const {
    const MPI_Comm heir = heir_.load(std::memory_order_relaxed);
    return heir == MPI_COMM_NULL ? comm : heir;
  }
  /// Before the handle is freed while operations are under way, whose errors have to be raised somewhere.
  /// @param heir  with the same error handler; ends with the endpoint
  void leave_to(MPI_Comm heir) { heir_.store(heir, std::memory_order_relaxed); }
  /// The handle has been freed; operations that are under way end as if it had not (section 7.4.3).
  virtual void freed() = 0;
  /// Whether all that others, or messages that nobody waits for, need of this endpoint has been done.
  [[nodiscard]] virtual bool owes_nothing() = 0;
  /// Whether besides the program has no request of it left.
  [[nodiscard]] virtual bool unused() = 0;
  /// Another number than before if its thread, or who does its work, has moved anything meanwhile. Engines whose
  /// endpoints move without their threads have none.
  [[nodiscard]] virtual std::uint64_t moved() { return 0; }

 protected:
  void progress_others() final {
    collectives_.progress();
    if (Extension* const extension = extended_by_.load(std::memory_order_acquire)) extension->progress();
  }

  int short_way_to_ = 0;

  /// @param handle the endpoint's
  Endpoint(MPI_Comm handle, int rank, Communicator& communicator);
  ~Endpoint();

 private:
  Communicator& communicator_;
  int rank_;
  int size_;
  RankSpan peers_;
  int index_;
  int greatest_tag_;
  std::shared_ptr<const Topology> topology_;
  collectives::Sequence collectives_{others_};
  std::once_flag extended_;
  std::unique_ptr<Extension> extension_;
  std::atomic<Extension*> extended_by_{nullptr};
  int calls_ = 0;
  std::uint64_t calls_of_side_ = 0;
  std::shared_ptr<buffered::Account> own_buffer_ = std::make_shared<buffered::Account>();
  std::shared_ptr<buffered::Account> session_buffer_;
  std::atomic<MPI_Comm> heir_{MPI_COMM_NULL};
};

inline void Request::belong_to(Endpoint& endpoint) {
  endpoint_ = &endpoint;
  mover_ = &endpoint;
}

inline MPI_Comm Request::comm() const { return endpoint_ == nullptr ? raises_ : endpoint_->raises(); }

}  // namespace raddle::endpoints
