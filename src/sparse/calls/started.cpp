// SPDX-License-Identifier: BSD-3-Clause
// Exchanges that do not wait.
#include <memory>
#include <utility>

#include "platform/relied_on.hpp"
#include "sparse/calls/calls.hpp"
#include "sparse/calls/data.hpp"
#include "sparse/calls/prepared.hpp"
#include "sparse/calls/request.hpp"

namespace raddle::sparse {
namespace {

class StartedExchange final : public ExchangeRequest {
 public:
  StartedExchange(Prepared prepared, MPI_Datatype recvtype, Lane& lane, SparseAlgorithm algorithm, MPI_Comm raises,
                  Raddle_Sparse_messages& received)
      : ExchangeRequest(std::move(prepared.attachment), raises, false),
        options_(prepared.options),
        outgoing_(std::move(prepared.outgoing)),
        element_(recvtype),
        lane_(lane),
        ticket_(lane.take_ticket()),
        algorithm_(algorithm),
        received_(received),
        arrivals_(lane.guess()) {
    go();
  }

  int start() override { return MPI_ERR_REQUEST; }

 private:
  bool step() override {
    if (!way_) {
      if (!lane_.is_turn_of(ticket_)) return false;
      way_ = lane_.begin(algorithm_, options_.radix, false, outgoing_.messages(), arrivals_);
    }
    if (way_->step() != Step::over) return false;
    lane_.learn(arrivals_.bytes());
    lane_.served();
    if (const int code = fill_in(std::move(arrivals_).rows(options_.sorted), element_, received_); code != MPI_SUCCESS)
      fail(code);
    return true;
  }

  Options options_;
  Outgoing outgoing_;
  Element element_;
  Lane& lane_;
  std::uint64_t ticket_;
  SparseAlgorithm algorithm_;
  Raddle_Sparse_messages& received_;
  Arrivals arrivals_;
  std::unique_ptr<Way> way_;
};

}  // namespace

MPI_Request start_exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info, const Place& place,
                           Raddle_Sparse_messages& received) {
  received = nothing;
  static_cast<void>(Element(recvtype));  // raises what is wrong before anything is under way
  Prepared prepared(given, info, place);
  Attachment& attachment = *prepared.attachment;
  // How long it takes says little while the program does something else: it tries nothing by itself.
  const bool automatic = prepared.options.algorithm == SparseAlgorithm::automatic;
  const SparseAlgorithm algorithm = automatic ? attachment.tuner().settled() : prepared.options.algorithm;
  return platform::relied_on("a nonblocking sparse exchange", [&] {
    attachment.make_lanes();
    Lane& lane = attachment.next();
    attachment.prepare(lane, algorithm);
    attachment.last(algorithm);
    return std::make_unique<StartedExchange>(std::move(prepared), recvtype, lane, algorithm, place.raises, received)
        .release()
        ->handle();
  });
}

}  // namespace raddle::sparse
