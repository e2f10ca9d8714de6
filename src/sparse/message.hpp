// SPDX-License-Identifier: BSD-3-Clause
// What is exchanged, in bytes, and where it goes: what it means is the caller's. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace raddle::sparse {

/// To a rank, or from one.
struct Message {
  int rank;
  std::span<const std::byte> bytes;
};

/// Where the messages of an exchange go. One thread at a time.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// So many messages with so many bytes in all will be asked for next: their rooms are to lie in one piece of memory.
  virtual void expect(std::size_t messages, std::size_t bytes) = 0;
  /// Room for a message. Messages of one source ask in the order in which it gave them.
  virtual std::byte* room(int source, std::size_t bytes) = 0;
  /// It is there; its room is the sink's again. In the order of room() for each source.
  virtual void arrived(int source, std::span<const std::byte> bytes) = 0;

 protected:
  ~Sink() = default;
};

/// Copies a message that lies elsewhere.
inline void hand_over(Sink& sink, int source, std::span<const std::byte> bytes) {
  std::byte* const room = sink.room(source, bytes.size());
  if (!bytes.empty()) std::memcpy(room, bytes.data(), bytes.size());
  sink.arrived(source, {room, bytes.size()});
}

// Several messages in one, for algorithms in which others pass them on. Knows no MPI.

/// A message on its way.
struct Item {
  int source;
  int destination;
  std::span<const std::byte> bytes;
};

class Bundle {
 public:
  void add(const Item& item) {
    const Head head{item.source, item.destination, item.bytes.size()};
    const std::size_t place = data_.size();
    data_.resize(place + sizeof head + item.bytes.size());
    std::memcpy(data_.data() + place, &head, sizeof head);
    if (!item.bytes.empty()) std::memcpy(data_.data() + place + sizeof head, item.bytes.data(), item.bytes.size());
  }

  [[nodiscard]] std::span<const std::byte> bytes() const { return data_; }

  /// Calls with each item, in the order in which they were added.
  template <typename Take>
  static void each(std::span<const std::byte> bundle, Take&& take) {
    while (!bundle.empty()) {
      Head head{};
      std::memcpy(&head, bundle.data(), sizeof head);
      take(Item{head.source, head.destination, bundle.subspan(sizeof head, head.bytes)});
      bundle = bundle.subspan(sizeof head + head.bytes);
    }
  }

 private:
  struct Head {
    std::int32_t source;
    std::int32_t destination;
    std::uint64_t bytes;
  };

  std::vector<std::byte> data_;
};

/// Takes bundles into memory of their own, which stays until it ends.
class BundleSink : public Sink {
 public:
  virtual ~BundleSink() = default;
  void expect(std::size_t, std::size_t) override {}
  std::byte* room(int, std::size_t bytes) override { return rooms_.emplace_back(bytes).data(); }
  void arrived(int, std::span<const std::byte>) override {}

  [[nodiscard]] const std::vector<std::vector<std::byte>>& all() const { return rooms_; }

 private:
  std::vector<std::vector<std::byte>> rooms_;
};

/// Hands on what is in bundles, all of it for this rank.
class Unpacker final : public BundleSink {
 public:
  explicit Unpacker(Sink& sink) : sink_(sink) {}
  void arrived(int, std::span<const std::byte> bundle) override {
    Bundle::each(bundle, [this](const Item& item) { hand_over(sink_, item.source, item.bytes); });
  }

 private:
  Sink& sink_;
};

}  // namespace raddle::sparse
