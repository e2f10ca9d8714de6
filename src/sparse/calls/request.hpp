// SPDX-License-Identifier: BSD-3-Clause
// What the requests of nonblocking and of persistent exchanges have in common.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "endpoints/mover.hpp"
#include "endpoints/requests/ended.hpp"
#include "endpoints/requests/request.hpp"
#include "sparse/attachment.hpp"

namespace raddle::sparse {

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
