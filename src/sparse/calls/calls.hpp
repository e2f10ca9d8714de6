// SPDX-License-Identifier: BSD-3-Clause
// The functions of raddle.h's section on sparse exchange, without error handlers: they throw endpoints::Failure, and
// what the program's functions throw.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "endpoints/communicators/derive.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/requests/ended.hpp"
#include "endpoints/requests/request.hpp"
#include "raddle/raddle.h"
#include "sparse/algorithm.hpp"
#include "sparse/attachment.hpp"
#include "sparse/calls/data.hpp"
#include "sparse/exchange.hpp"

namespace raddle::sparse {

/// Where an exchange is made.
struct ExchangeComm {
  MPI_Comm comm;    ///< as the program has given it
  MPI_Comm raises;  ///< errors of requests are raised there
  bool endpoint;    ///< it is one's
};

void exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info, const ExchangeComm& on,
              Raddle_Sparse_messages& received);
[[nodiscard]] MPI_Request start_exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info,
                                         const ExchangeComm& on, Raddle_Sparse_messages& received);
[[nodiscard]] MPI_Request make_persistent_exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info,
                                                   const ExchangeComm& on, Raddle_Sparse_messages& received);
/// @returns the code of the receiver
int exchange_each(const Given& given, MPI_Datatype recvtype, Raddle_Sparse_receiver* receiver, void* context,
                  MPI_Info info, const ExchangeComm& on);
/// @returns the code of the answerer
int ask(const Given& given, MPI_Datatype answertype, Raddle_Sparse_answerer* answerer, void* context, MPI_Info info,
        const ExchangeComm& on, Raddle_Sparse_messages& answers);
void reply(Raddle_Sparse_answer answer, const void* data, MPI_Count count);

// What every exchange begins with: its arguments, looked at, and what Raddle has beside the communicator.

/// The settings, and what info keys say that stand above them. @throws endpoints::Failure
[[nodiscard]] inline Options options_of(MPI_Info info) {
  if (info == MPI_INFO_NULL) return options_in(platform::settings());
  return options_in(endpoints::settings_with(platform::HintScope::sparse, info));
}

struct Prepared {
  /// Collective over the communicator when it is the first on it. @throws endpoints::Failure: bad arguments
  Prepared(const Given& given, MPI_Info info, const ExchangeComm& on)
      : options(options_of(info)), outgoing(given, size_of(on.comm)) {
    const SparseAlgorithm algorithm = options.algorithm;
    const bool automatic = algorithm == SparseAlgorithm::automatic;
    const SparseNeeds needs = automatic ? SparseNeeds::nothing : listed(algorithm).needs;
    if (needs == SparseNeeds::windows && on.endpoint) refuse("windows of processes, and these ranks are endpoints");
    attachment = Attachment::of(on.comm);
    if (needs == SparseNeeds::shared_memory && !attachment->may_share(algorithm))
      refuse("ranks that are all on one node and can share memory");
  }

  Options options;
  OutgoingMessages outgoing;
  std::shared_ptr<Attachment> attachment;

 private:
  [[noreturn]] void refuse(const char* needed) const {
    throw endpoints::Failure(endpoints::error_with(
        MPI_ERR_UNSUPPORTED_OPERATION, std::string("Raddle: the algorithm ") + listed(options.algorithm).name +
                                           " of sparse exchanges needs " + needed +
                                           ": choose another one by raddle_sparse_algorithm"));
  }
  static int size_of(MPI_Comm comm) {
    int size = 0;
    if (const int code = MPI_Comm_size(comm, &size); code != MPI_SUCCESS) throw endpoints::Failure(code);
    return size;
  }
};

// What the requests of nonblocking and of persistent exchanges have in common.

class ExchangeRequest : public endpoints::Request, public Task {
 public:
  ~ExchangeRequest() override = default;

  [[nodiscard]] endpoints::Result result() const final { return {.error = error_}; }
  void cancel() final {}  // not allowed (MPI-4.1 section 6.12)
  void retire() final;
  void abandon() final;
  bool advance() final;

 protected:
  /// @param raises  its errors are raised there
  ExchangeRequest(std::shared_ptr<Attachment> attachment, MPI_Comm raises, bool persistent);

  [[nodiscard]] Attachment& attachment() const { return *attachment_; }
  /// It is advanced from now on.
  void go();
  /// A step. @returns whether it was the last @throws endpoints::Failure
  virtual bool step() = 0;
  /// How it ends, if not well.
  void fail(int error) { error_ = error; }

 private:
  class Courier final : public endpoints::Mover {
   public:
    Courier(Attachment& attachment, MPI_Comm raises) : Mover(raises), attachment_(attachment) {}
    [[nodiscard]] bool crowded() const override { return attachment_.crowded(); }
    void meanwhile() override;
    void blocked(const char* call) override;

   private:
    void progress_messages() override { attachment_.progress(); }
    Attachment& attachment_;
  };

  /// Who comes last, the program that gives it up or the exchange that ends, deletes it.
  enum Fate : std::uint8_t { under_way, ended, given_up };

  void go_on_in_background();

  std::shared_ptr<Attachment> attachment_;
  Courier courier_;
  int error_ = MPI_SUCCESS;
  std::atomic<Fate> fate_{ended};
  endpoints::End end_{endpoints::Ended::no};
};

}  // namespace raddle::sparse
