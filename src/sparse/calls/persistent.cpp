// SPDX-License-Identifier: BSD-3-Clause
// Persistent exchanges: who sends how much to whom is found out once; from then on persistent messages go where they
// belong.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "platform/must.hpp"
#include "platform/own_copy.hpp"
#include "sparse/algorithm.hpp"
#include "sparse/calls/calls.hpp"
#include "sparse/calls/data.hpp"

namespace raddle::sparse {
namespace {

/// How much comes from whom, sorted by rank.
struct Pattern {
  std::vector<int> ranks;
  std::vector<std::size_t> bytes;
};

/// Collective.
Pattern find_out(Attachment& attachment, std::span<const Message> messages, Options options) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(messages.size());
  for (const Message& message : messages) sizes.push_back(message.bytes.size());
  std::vector<Message> tell;
  for (std::size_t i = 0; i < messages.size(); ++i)
    tell.push_back({messages[i].rank, std::as_bytes(std::span(&sizes[i], 1))});
  Arrivals arrivals(0);
  run(attachment, tell, arrivals, options);
  Rows rows = std::move(arrivals).rows(true);
  Pattern pattern{std::move(rows.ranks), {}};
  for (std::size_t i = 0; i < pattern.ranks.size(); ++i) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, rows.data.get() + rows.offsets[i], sizeof bytes);
    pattern.bytes.push_back(bytes);
  }
  return pattern;
}

class PersistentExchange final : public ExchangeRequest {
 public:
  PersistentExchange(Prepared prepared, MPI_Datatype recvtype, MPI_Comm raises, const Pattern& pattern,
                     Raddle_Sparse_messages& received)
      : ExchangeRequest(std::move(prepared.attachment), raises, true),
        outgoing_(std::move(prepared.outgoing)),
        element_(recvtype) {
    make_room(pattern, received);
    make_messages(pattern);
  }
  ~PersistentExchange() override {
    for (MPI_Request& request : requests_) {
      if (request != MPI_REQUEST_NULL) platform::regardless(MPI_Request_free(&request));
    }
  }

  int start() override {
    outgoing_.refresh();
    done_ = 0;
    for (MPI_Request& request : requests_) {
      // One by one: several messages to one rank keep their order.
      const int code = MPI_Start(&request);
      if (code != MPI_SUCCESS && &request == &requests_.front()) return code;
      platform::must("MPI_Start", code);  // others have been started
    }
    go();
    return MPI_SUCCESS;
  }

 private:
  void make_room(const Pattern& pattern, Raddle_Sparse_messages& received) {
    auto store = std::make_unique<Store>();
    std::size_t total = 0;
    store->offsets.push_back(0);
    for (const std::size_t bytes : pattern.bytes) {
      const auto count = element_.count(bytes);
      if (!count) throw endpoints::Failure(not_whole());
      total += bytes;
      store->offsets.push_back(store->offsets.back() + *count);
    }
    store->ranks = pattern.ranks;
    store->elements = element_.room(store->offsets.back());
    elements_ = store->elements.data;
    if (!element_.plain()) travelled_ = std::make_unique<std::byte[]>(total);
    bytes_ = total;
    fill_in(std::move(store), received);
  }

  void make_messages(const Pattern& pattern) {
    const MPI_Comm lane = attachment().comm();
    const int tag = attachment().take_persistent_tag();
    auto* place = element_.plain() ? static_cast<std::byte*>(elements_) : travelled_.get();
    // Receives first: what comes finds its room.
    for (std::size_t i = 0; i < pattern.ranks.size(); ++i) {
      const auto& type = types_.emplace_back(std::make_unique<platform::BytesType>(pattern.bytes[i]));
      check(MPI_Recv_init(place, type->count(), type->type(), pattern.ranks[i], tag, lane,
                          &requests_.emplace_back(MPI_REQUEST_NULL)));
      place += pattern.bytes[i];
    }
    for (const Message& message : outgoing_.messages()) {
      const auto& type = types_.emplace_back(std::make_unique<platform::BytesType>(message.bytes.size()));
      check(MPI_Send_init(message.bytes.data(), type->count(), type->type(), message.rank, tag, lane,
                          &requests_.emplace_back(MPI_REQUEST_NULL)));
    }
  }

  bool step() override {
    for (; done_ < requests_.size(); ++done_) {
      if (!completed(requests_[done_])) return false;
    }
    if (!element_.plain()) element_.unpack({travelled_.get(), bytes_}, elements_);
    return true;
  }

  OutgoingMessages outgoing_;
  Element element_;
  void* elements_ = nullptr;                ///< the program's, of `received`
  std::unique_ptr<std::byte[]> travelled_;  ///< as it comes, where that is not as the program reads it
  std::size_t bytes_ = 0;
  std::vector<std::unique_ptr<platform::BytesType>> types_;
  std::vector<MPI_Request> requests_;
  std::size_t done_ = 0;
};

}  // namespace

MPI_Request make_persistent_exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info, const ExchangeComm& on,
                                     Raddle_Sparse_messages& received) {
  received = nothing;
  static_cast<void>(Element(recvtype));  // raises what is wrong
  Prepared prepared(given, info, on);
  return platform::relied_on("Raddle_Sparse_exchange_init", [&] {
    const Pattern pattern = find_out(*prepared.attachment, prepared.outgoing.messages(), prepared.options);
    return std::make_unique<PersistentExchange>(std::move(prepared), recvtype, on.raises, pattern, received)
        .release()
        ->handle();
  });
}

}  // namespace raddle::sparse
