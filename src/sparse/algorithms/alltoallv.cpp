// SPDX-License-Identifier: BSD-3-Clause
// An all-to-all of sizes, then one MPI_Alltoallv, which is what programs do that know nothing better. Where it may wait
// it uses the calls that do, which some MPIs make far better.
#include <cstring>

#include "sparse/algorithms/announced.hpp"

namespace raddle::sparse::algorithms {
namespace {

class Alltoallv final : public Announced {
 public:
  // All that come together have places that an int holds; what is larger travels by itself.
  explicit Alltoallv(const Exchange& exchange) : Announced(exchange, INT_MAX / exchange.round.size) {}

 private:
  struct Ints {
    std::vector<int> counts;
    std::vector<int> places;
  };

  void start_together() override;
  [[nodiscard]] bool together_is_over() override;

  Ints sent_;
  Ints received_;
  std::vector<std::byte> packed_;
  std::vector<Message> rooms_;
  MPI_Request exchanging_ = MPI_REQUEST_NULL;
};

void Alltoallv::start_together() {
  const auto size = static_cast<std::size_t>(round_.size);
  for (Ints* ints : {&sent_, &received_}) {
    ints->counts.assign(size, 0);
    ints->places.assign(size, 0);
  }
  const auto travels = [this](const Message& message) { return together(to_[static_cast<std::size_t>(message.rank)]); };
  std::erase_if(messages_, [&](const Message& message) { return !travels(message); });

  // They lie in one buffer of the program's mostly, so that the MPI takes them from there.
  const std::byte* first = nullptr;
  const std::byte* last = nullptr;
  std::size_t total = 0;
  for (const Message& message : messages_) {
    if (message.bytes.empty()) continue;
    if (first == nullptr || message.bytes.data() < first) first = message.bytes.data();
    last = std::max(last, message.bytes.data() + message.bytes.size());
    total += message.bytes.size();
  }
  const bool pack = last - first > INT_MAX;
  if (pack) packed_.resize(total);
  std::size_t place = 0;
  for (const Message& message : messages_) {
    const auto to = static_cast<std::size_t>(message.rank);
    sent_.counts[to] = static_cast<int>(message.bytes.size());
    if (message.bytes.empty()) continue;
    if (pack) std::memcpy(packed_.data() + place, message.bytes.data(), message.bytes.size());
    sent_.places[to] = static_cast<int>(pack ? static_cast<std::ptrdiff_t>(place) : message.bytes.data() - first);
    place += message.bytes.size();
  }

  std::byte* base = nullptr;
  for (int source = 0; source < round_.size; ++source) {
    const Code code = from_[static_cast<std::size_t>(source)];
    if (!together(code)) continue;
    std::byte* const room = sink_.room(source, bytes_of(code));
    if (base == nullptr) base = room;
    received_.counts[static_cast<std::size_t>(source)] = static_cast<int>(bytes_of(code));
    received_.places[static_cast<std::size_t>(source)] = static_cast<int>(room - base);
    rooms_.push_back({source, {room, bytes_of(code)}});
  }
  const std::byte* const from = pack ? packed_.data() : first;
  if (blocks_) {
    check(MPI_Alltoallv(from, sent_.counts.data(), sent_.places.data(), MPI_BYTE, base, received_.counts.data(),
                        received_.places.data(), MPI_BYTE, round_.comm));
  } else {
    check(MPI_Ialltoallv(from, sent_.counts.data(), sent_.places.data(), MPI_BYTE, base, received_.counts.data(),
                         received_.places.data(), MPI_BYTE, round_.comm, &exchanging_));
  }
}

bool Alltoallv::together_is_over() {
  if (!completed(exchanging_)) return false;
  for (const Message& message : rooms_) sink_.arrived(message.rank, message.bytes);
  return true;
}

}  // namespace

const Algorithm& alltoallv() {
  static constexpr Algorithm algorithm{
      .begin = [](const Exchange& exchange, Resources*) -> std::unique_ptr<Way> {
        return std::make_unique<Alltoallv>(exchange);
      },
      .turn = [](ExchangeLane& lane) { return turn_in_proportion(lane, 2); },
  };
  return algorithm;
}

}  // namespace raddle::sparse::algorithms
