// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/exchange.hpp"

#include <utility>

#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"
#include "sparse/algorithm.hpp"

namespace raddle::sparse {
namespace {

/// Adds up over all ranks what the trials took.
void agree(Attachment& attachment) {
  const std::span<double> times = attachment.tuner().times();
  MPI_Request adding = MPI_REQUEST_NULL;
  check(MPI_Iallreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()), MPI_DOUBLE, MPI_SUM,
                       attachment.comm(), &adding));
  step_to_the_end(attachment, true, [&] { return completed(adding) ? Step::over : Step::idle; });
  attachment.tuner().agree();
}

void do_run(Attachment& attachment, std::span<const Message> messages, Sink& sink, const Options& options) {
  const bool automatic = options.algorithm == SparseAlgorithm::automatic;
  Tuner& tuner = attachment.tuner();
  if (automatic && tuner.must_agree()) agree(attachment);
  const SparseAlgorithm algorithm = automatic ? tuner.choose() : options.algorithm;
  ExchangeLane& lane = attachment.blocking();
  attachment.prepare(lane, algorithm);
  attachment.last(algorithm);
  const double began = MPI_Wtime();
  const std::unique_ptr<Way> way = lane.begin(algorithm, options.radix, attachment.may_block(), messages, sink);
  step_to_the_end(attachment, way->asks_mpi(), [&] { return way->step(); });
  if (automatic) tuner.took(MPI_Wtime() - began);
}

}  // namespace

Options options_in(const platform::Settings& settings) {
  return {settings.sparse_algorithm, settings.sparse_radix, settings.sparse_sorted};
}

platform::Patience patience_of(bool crowded, bool asks_mpi) {
  using enum platform::Patience;
  if (!crowded) return much;
  return asks_mpi && platform::quirks().yields ? little : none;
}

void run(Attachment& attachment, std::span<const Message> messages, Sink& sink, const Options& options) {
  platform::relied_on("a sparse exchange", [&] { do_run(attachment, messages, sink, options); });
}

Rows exchange(MPI_Comm comm, std::span<const Message> messages, const Options& options) {
  const std::shared_ptr<Attachment> attachment = Attachment::of(comm);
  ExchangeLane& lane = attachment->blocking();
  Arrivals arrivals(lane.guess());
  run(*attachment, messages, arrivals, options);
  lane.learn(arrivals.bytes());
  return std::move(arrivals).rows(options.sorted);
}

}  // namespace raddle::sparse
