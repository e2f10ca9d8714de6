// SPDX-License-Identifier: BSD-3-Clause
// Exchanges that wait until they are over.
#include <utility>

#include "endpoints/errors.hpp"
#include "platform/relied_on.hpp"
#include "sparse/calls/calls.hpp"
#include "sparse/calls/data.hpp"
#include "sparse/calls/each.hpp"
#include "sparse/calls/prepared.hpp"
#include "sparse/exchange.hpp"

namespace raddle::sparse {
namespace {

/// Hands messages to a function of the program's.
class ReceiverSink final : public EachSink {
 public:
  ReceiverSink(const Element& element, Raddle_Sparse_receiver* receiver, void* context)
      : EachSink(element), receiver_(receiver), context_(context) {}

 private:
  int take(int source, const void* data, MPI_Count count) override { return receiver_(context_, source, data, count); }

  Raddle_Sparse_receiver* receiver_;
  void* context_;
};

}  // namespace

void exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info, const Place& place,
              Raddle_Sparse_messages& received) {
  received = nothing;
  const Element element(recvtype);
  const Prepared prepared(given, info, place);
  Lane& lane = prepared.attachment->blocking();
  Arrivals arrivals(lane.guess());
  platform::relied_on("Raddle_Sparse_exchange", [&] {
    run(*prepared.attachment, prepared.outgoing.messages(), arrivals, prepared.options);
    lane.learn(arrivals.bytes());
    // For the others it is over: it cannot be made again for want of memory.
    endpoints::check(fill_in(std::move(arrivals).rows(prepared.options.sorted), element, received));
  });
}

int exchange_each(const Given& given, MPI_Datatype recvtype, Raddle_Sparse_receiver* receiver, void* context,
                  MPI_Info info, const Place& place) {
  const Element element(recvtype);
  const Prepared prepared(given, info, place);
  ReceiverSink sink(element, receiver, context);
  run(*prepared.attachment, prepared.outgoing.messages(), sink, prepared.options);
  const int code = sink.outcome();
  if (code == MPI_SUCCESS && sink.broken()) throw endpoints::Failure(not_whole());
  return code;
}

}  // namespace raddle::sparse
