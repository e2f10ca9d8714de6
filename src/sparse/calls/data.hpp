// SPDX-License-Identifier: BSD-3-Clause
// From the program's data to bytes, and back: the messages that it gives, and the datatype of what arrives.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "platform/own_copy.hpp"
#include "raddle/raddle.h"
#include "sparse/arrivals.hpp"
#include "sparse/message.hpp"

namespace raddle::sparse {

/// Elements as a program reads them.
struct Elements {
  std::unique_ptr<std::byte[]> memory;
  void* data = nullptr;  ///< as the buffer of MPI_Recv
};

class Element {
 public:
  /// @throws endpoints::Failure: no datatype for messages
  explicit Element(MPI_Datatype type);
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;
  ~Element() = default;

  /// Valid although the program has freed its own.
  [[nodiscard]] MPI_Datatype type() const { return type_; }
  /// Of so many bytes; nothing: they are not of whole elements.
  [[nodiscard]] std::optional<MPI_Count> count(std::size_t bytes) const;
  /// Whether its elements lie as they travel, one behind the other.
  [[nodiscard]] bool plain() const { return plain_; }
  /// Memory for so many, gaps and all.
  [[nodiscard]] Elements room(MPI_Count count) const;
  /// Puts what has travelled where it belongs.
  void unpack(std::span<const std::byte> bytes, void* to) const;

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  std::size_t size_ = 0;
  MPI_Aint extent_ = 0;
  bool plain_ = true;
  platform::OwnType own_;
};

/// The code of a message that is not of whole elements.
int not_whole();

/// Fills in what has arrived. @returns MPI_SUCCESS or not_whole(), not raised; then `received` is empty
int fill_in(Rows&& rows, const Element& element, Raddle_Sparse_messages& received);

/// The same from arrays that are the program's afterwards.
struct Store {
  std::vector<int> ranks;
  std::vector<MPI_Count> offsets;
  Elements elements;
};
void fill_in(std::unique_ptr<Store> store, Raddle_Sparse_messages& received);

constexpr Raddle_Sparse_messages nothing{0, nullptr, nullptr, nullptr, nullptr};

/// The arguments of all exchanges, as raddle.h has them.
struct Given {
  const void* data;
  int count;
  const int* dests;
  const MPI_Count* offsets;
  MPI_Datatype type;
};

class OutgoingMessages {
 public:
  /// @param size  of the communicator @throws endpoints::Failure: bad arguments
  OutgoingMessages(const Given& given, int size);

  /// Without those for MPI_PROC_NULL. Their bytes are the program's where its datatype allows that, and a copy of when
  /// this was made, or refresh() was called, otherwise.
  [[nodiscard]] std::span<const Message> messages() const { return messages_; }
  /// By message of the program's: its number among messages(), or -1.
  [[nodiscard]] const std::vector<int>& numbers() const { return numbers_; }

  /// Takes what is in the program's memory now.
  void refresh();

 private:
  struct Copied {
    Copied(const std::byte* place, MPI_Count number, std::unique_ptr<std::byte[]> room)
        : from(place), elements(number), bytes(std::move(room)) {}
    const std::byte* from;
    MPI_Count elements;
    std::unique_ptr<std::byte[]> bytes;
  };

  void add(int rank, const std::byte* from, MPI_Count elements);

  MPI_Datatype type_;              ///< the program's, who may free it
  std::unique_ptr<Element> kept_;  ///< the same, where it is needed again
  std::vector<Message> messages_;
  std::vector<int> numbers_;
  std::vector<Copied> copied_;
};

// Exchanges whose messages are handed to a function of the program's.

/// A function of the program's that may fail: then it is not called any more, and what it has said or thrown comes out
/// at the end.
class Callee {
 public:
  [[nodiscard]] bool fit() const { return code_ == MPI_SUCCESS && thrown_ == nullptr; }

  template <typename Call>
  void call(Call&& it) {
    if (!fit()) return;
    try {
      code_ = it();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }

  /// @returns its code; throws what it has thrown
  [[nodiscard]] int outcome() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    return code_;
  }

 private:
  int code_ = MPI_SUCCESS;
  std::exception_ptr thrown_;
};

/// Hands over each message when it is all there.
class EachSink : public Sink {
 public:
  explicit EachSink(const Element& element) : element_(element), arena_(0) {}

  void expect(std::size_t messages, std::size_t bytes) final { arena_.expect(bytes + messages * aligned); }
  std::byte* room(int, std::size_t bytes) final {
    if (open_++ == 0) arena_.forget();
    return arena_.room((bytes + aligned - 1) / aligned * aligned);
  }
  void arrived(int source, std::span<const std::byte> bytes) override {
    --open_;
    const auto count = element_.count(bytes.size());
    if (!count) broken_ = true;
    if (broken_) return;
    callee_.call([&] {
      if (element_.plain()) return take(source, bytes.data(), *count);
      const Elements elements = element_.room(*count);
      element_.unpack(bytes, elements.data);
      return take(source, elements.data, *count);
    });
  }

  [[nodiscard]] int outcome() const { return callee_.outcome(); }
  /// Whether messages were none of its datatype.
  [[nodiscard]] bool broken() const { return broken_; }

 protected:
  ~EachSink() = default;

  /// @returns an MPI error code
  virtual int take(int source, const void* data, MPI_Count count) = 0;

 private:
  /// Elements of any type may begin there.
  static constexpr std::size_t aligned = alignof(std::max_align_t);

  const Element& element_;
  Arena arena_;
  std::size_t open_ = 0;  ///< rooms in use
  Callee callee_;
  bool broken_ = false;
};

}  // namespace raddle::sparse
