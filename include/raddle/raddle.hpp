// SPDX-License-Identifier: BSD-3-Clause
// Sparse exchanges in C++20: raddle.h with spans, ranges and owners. Header only; docs/use/sparse.md shows its use.
//
// A message is a contiguous range of elements, and messages are a range of pairs (rank, contiguous range), such as
// std::map<int, std::vector<double>>. Elements are numbers or other trivially copyable types; both sides use the same
// one. Functions throw Error where raddle.h returns a code, which it does where the communicator's error handler
// returns.
#pragma once

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "raddle/raddle.h"

namespace raddle {

/// What MPI or Raddle objects to.
class Error : public std::runtime_error {
 public:
  explicit Error(int code) : std::runtime_error(text(code)), code_(code) {}

  [[nodiscard]] int code() const { return code_; }
  [[nodiscard]] int error_class() const {
    int found = MPI_ERR_OTHER;
    MPI_Error_class(code_, &found);
    return found;
  }

 private:
  static std::string text(int code) {
    std::string words(MPI_MAX_ERROR_STRING, '\0');
    int length = 0;
    MPI_Error_string(code, words.data(), &length);
    words.resize(static_cast<std::size_t>(length));
    return words;
  }

  int code_;
};

template <typename T>
concept Element =
    std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_const_v<T> && !std::is_pointer_v<T>;

/// A contiguous range of elements.
template <typename R>
concept Elements =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && Element<std::ranges::range_value_t<R>>;

/// A range of pairs: a rank, and what is for it.
template <typename R>
concept Parcels = std::ranges::forward_range<R> && requires(std::ranges::range_reference_t<R> parcel) {
  { std::get<0>(parcel) } -> std::convertible_to<int>;
  requires Elements<std::remove_cvref_t<decltype(std::get<1>(parcel))>>;
};

namespace detail {

template <typename R>
using ElementOf =
    std::ranges::range_value_t<std::remove_cvref_t<decltype(std::get<1>(*std::ranges::begin(std::declval<R&>())))>>;

inline void check(int code) {
  if (code != MPI_SUCCESS) throw Error(code);
}

/// MPI's name of a number, or none.
template <typename T>
MPI_Datatype name_of() {
  if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
  if constexpr (std::is_same_v<T, long double>) return MPI_LONG_DOUBLE;
  if constexpr (std::is_same_v<T, char>) return MPI_CHAR;
  if constexpr (std::is_same_v<T, std::byte>) return MPI_BYTE;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>) {
    if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? MPI_INT8_T : MPI_UINT8_T;
    if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? MPI_INT16_T : MPI_UINT16_T;
    if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? MPI_INT32_T : MPI_UINT32_T;
    if constexpr (sizeof(T) == 8) return std::is_signed_v<T> ? MPI_INT64_T : MPI_UINT64_T;
  }
  return MPI_DATATYPE_NULL;
}

/// The datatype of an element: MPI's own, or its bytes, which have to be given back.
class Type {
 public:
  template <typename T>
  static Type of() {
    Type type;
    type.type_ = name_of<T>();
    if (type.type_ != MPI_DATATYPE_NULL) return type;
    check(MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &type.type_));
    type.made_ = true;
    check(MPI_Type_commit(&type.type_));
    return type;
  }
  Type(Type&& other) noexcept
      : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)), made_(std::exchange(other.made_, false)) {}
  Type& operator=(Type&& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(made_, other.made_);
    return *this;
  }
  ~Type() {
    if (made_) MPI_Type_free(&type_);
  }

  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  Type() = default;

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  bool made_ = false;
};

/// Parcels, one behind the other.
template <Element T>
struct Packed {
  std::vector<int> ranks;
  std::vector<MPI_Count> offsets{0};
  std::vector<T> values;

  template <Parcels R>
  explicit Packed(R&& parcels) {
    for (auto&& parcel : parcels) {
      const auto& range = std::get<1>(parcel);
      ranks.push_back(static_cast<int>(std::get<0>(parcel)));
      values.insert(values.end(), std::ranges::begin(range), std::ranges::end(range));
      offsets.push_back(static_cast<MPI_Count>(values.size()));
    }
  }
};

/// @throws std::invalid_argument
template <typename T>
int count_of(std::span<const int> dests, std::span<const MPI_Count> offsets, std::span<const T> values) {
  if (dests.empty()) return 0;
  if (offsets.size() != dests.size() + 1) throw std::invalid_argument("raddle: one offset more than destinations");
  if (offsets.back() > static_cast<MPI_Count>(values.size()))
    throw std::invalid_argument("raddle: offset past the end");
  return static_cast<int>(dests.size());
}

template <typename T>
std::span<const T> elements(const void* data, MPI_Count count) {
  return {static_cast<const T*>(data), static_cast<std::size_t>(count)};
}

}  // namespace detail

/// A message that has arrived; valid as long as the messages that it is one of.
template <Element T>
struct Message {
  int source;
  std::span<const T> values;
};

/// Messages that have arrived: a random access range of Message, and the owner of what is in them.
template <Element T>
class Messages {
 public:
  class Iterator {
   public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = Message<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Message<T>;

    Iterator() = default;
    Iterator(const Raddle_Sparse_messages* all, difference_type at) : all_(all), at_(at) {}

    reference operator*() const { return (*this)[0]; }
    reference operator[](difference_type n) const {
      const MPI_Count begin = all_->offsets[at_ + n];
      const auto* const data = static_cast<const T*>(all_->data);
      return {all_->ranks[at_ + n], {data + begin, static_cast<std::size_t>(all_->offsets[at_ + n + 1] - begin)}};
    }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) { return std::exchange(*this, *this + 1); }
    Iterator operator--(int) { return std::exchange(*this, *this - 1); }
    Iterator& operator+=(difference_type n) {
      at_ += n;
      return *this;
    }
    Iterator& operator-=(difference_type n) { return *this += -n; }
    friend Iterator operator+(Iterator a, difference_type n) { return a += n; }
    friend Iterator operator+(difference_type n, Iterator a) { return a += n; }
    friend Iterator operator-(Iterator a, difference_type n) { return a -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.at_ - b.at_; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ <=> b.at_; }

   private:
    const Raddle_Sparse_messages* all_ = nullptr;
    difference_type at_ = 0;
  };

  Messages() : all_(new Raddle_Sparse_messages{}) {}

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(all_->count); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] Iterator begin() const { return {all_.get(), 0}; }
  [[nodiscard]] Iterator end() const { return {all_.get(), all_->count}; }
  [[nodiscard]] Message<T> operator[](std::size_t at) const { return begin()[static_cast<std::ptrdiff_t>(at)]; }
  /// The elements of all messages, one behind the other.
  [[nodiscard]] std::span<const T> values() const {
    return detail::elements<T>(all_->data, empty() ? 0 : all_->offsets[all_->count]);
  }
  /// For the functions of raddle.h. Its place stays the same when the owner moves.
  [[nodiscard]] Raddle_Sparse_messages* get() { return all_.get(); }

 private:
  struct Free {
    void operator()(Raddle_Sparse_messages* all) const {
      Raddle_Sparse_free(all);
      delete all;
    }
  };
  std::unique_ptr<Raddle_Sparse_messages, Free> all_;
};

/// Sends values[offsets[i]] to values[offsets[i + 1]] to dests[i], and gives what others send here. Collective.
template <Element T>
Messages<T> sparse_exchange(MPI_Comm comm, std::span<const int> dests, std::span<const MPI_Count> offsets,
                            std::span<const T> values, MPI_Info info = MPI_INFO_NULL) {
  const auto type = detail::Type::of<T>();
  Messages<T> received;
  detail::check(Raddle_Sparse_exchange(values.data(), detail::count_of(dests, offsets, values), dests.data(),
                                       offsets.data(), type.get(), type.get(), info, comm, received.get()));
  return received;
}

/// The same from parcels, which are copied.
template <Parcels R>
auto sparse_exchange(MPI_Comm comm, R&& parcels, MPI_Info info = MPI_INFO_NULL) {
  using T = detail::ElementOf<R>;
  const detail::Packed<T> packed(parcels);
  return sparse_exchange<T>(comm, packed.ranks, packed.offsets, packed.values, info);
}

/// Calls take(source, std::span<const T>) for each message as it arrives. If it throws, it is not called any more, the
/// exchange goes to its end for the sake of the others, and then the exception passes on.
template <Parcels R, typename Take>
  requires std::invocable<Take&, int, std::span<const detail::ElementOf<R>>>
void sparse_exchange_each(MPI_Comm comm, R&& parcels, Take&& take, MPI_Info info = MPI_INFO_NULL) {
  using T = detail::ElementOf<R>;
  using Taker = std::remove_reference_t<Take>;
  const detail::Packed<T> packed(parcels);
  const auto type = detail::Type::of<T>();
  Raddle_Sparse_receiver* const receiver = [](void* context, int source, const void* data, MPI_Count count) -> int {
    (**static_cast<Taker**>(context))(source, detail::elements<T>(data, count));
    return MPI_SUCCESS;
  };
  Taker* taker = std::addressof(take);
  detail::check(Raddle_Sparse_exchange_each(packed.values.data(), static_cast<int>(packed.ranks.size()),
                                            packed.ranks.data(), packed.offsets.data(), type.get(), type.get(),
                                            receiver, &taker, info, comm));
}

/// Asks other ranks: answer(source, std::span<const T>) returns a contiguous range, and answer i is that to parcel i.
/// Exceptions as in sparse_exchange_each; who asked then gets an answer without elements.
template <Parcels R, typename Answer>
  requires std::invocable<Answer&, int, std::span<const detail::ElementOf<R>>>
auto sparse_ask(MPI_Comm comm, R&& parcels, Answer&& answer, MPI_Info info = MPI_INFO_NULL) {
  using T = detail::ElementOf<R>;
  using Given = std::invoke_result_t<Answer&, int, std::span<const T>>;
  static_assert(Elements<std::remove_cvref_t<Given>>, "an answer is a contiguous range of elements");
  using U = std::ranges::range_value_t<std::remove_cvref_t<Given>>;
  using Answerer = std::remove_reference_t<Answer>;
  const detail::Packed<T> packed(parcels);
  const auto asked = detail::Type::of<T>();
  const auto answered = detail::Type::of<U>();
  Raddle_Sparse_answerer* const answerer = [](void* context, int source, const void* data, MPI_Count count,
                                              Raddle_Sparse_answer place) {
    auto&& given = (**static_cast<Answerer**>(context))(source, detail::elements<T>(data, count));
    return Raddle_Sparse_reply(place, std::ranges::data(given), static_cast<MPI_Count>(std::ranges::size(given)));
  };
  Answerer* one = std::addressof(answer);
  Messages<U> answers;
  detail::check(Raddle_Sparse_ask(packed.values.data(), static_cast<int>(packed.ranks.size()), packed.ranks.data(),
                                  packed.offsets.data(), asked.get(), answered.get(), answerer, &one, info, comm,
                                  answers.get()));
  return answers;
}

/// An exchange that is under way, with the parcels that it sends. Waits for its end when it is destroyed.
template <Element T>
class SparseExchange {
 public:
  template <Parcels R>
  SparseExchange(MPI_Comm comm, R&& parcels, MPI_Info info = MPI_INFO_NULL)
      : type_(detail::Type::of<T>()), packed_(parcels) {
    detail::check(Raddle_Sparse_iexchange(packed_.values.data(), static_cast<int>(packed_.ranks.size()),
                                          packed_.ranks.data(), packed_.offsets.data(), type_.get(), type_.get(), info,
                                          comm, received_.get(), &request_));
  }
  SparseExchange(SparseExchange&& other) noexcept
      : type_(std::move(other.type_)),
        packed_(std::move(other.packed_)),
        received_(std::move(other.received_)),
        request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}
  SparseExchange& operator=(SparseExchange&&) = delete;
  ~SparseExchange() {
    if (request_ != MPI_REQUEST_NULL) MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

  /// Whether all is there.
  bool test() {
    int flag = 0;
    detail::check(MPI_Test(&request_, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }
  /// What has arrived, once.
  Messages<T> wait() {
    detail::check(MPI_Wait(&request_, MPI_STATUS_IGNORE));
    return std::exchange(received_, Messages<T>());
  }
  /// To complete it with others; it is null when all is there.
  [[nodiscard]] MPI_Request& request() { return request_; }

 private:
  detail::Type type_;
  detail::Packed<T> packed_;
  Messages<T> received_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

template <Parcels R>
SparseExchange(MPI_Comm, R&&) -> SparseExchange<detail::ElementOf<R>>;
template <Parcels R>
SparseExchange(MPI_Comm, R&&, MPI_Info) -> SparseExchange<detail::ElementOf<R>>;

/// A pattern that repeats. Each round sends what then is in `values`, which the program keeps. Making one is
/// collective.
template <Element T>
class SparsePlan {
 public:
  SparsePlan(MPI_Comm comm, std::span<const int> dests, std::span<const MPI_Count> offsets, std::span<const T> values,
             MPI_Info info = MPI_INFO_NULL)
      : type_(detail::Type::of<T>()) {
    detail::check(Raddle_Sparse_exchange_init(values.data(), detail::count_of(dests, offsets, values), dests.data(),
                                              offsets.data(), type_.get(), type_.get(), info, comm, received_.get(),
                                              &request_));
  }
  SparsePlan(SparsePlan&& other) noexcept
      : type_(std::move(other.type_)),
        received_(std::move(other.received_)),
        request_(std::exchange(other.request_, MPI_REQUEST_NULL)),
        started_(std::exchange(other.started_, false)) {}
  SparsePlan& operator=(SparsePlan&&) = delete;
  ~SparsePlan() {
    if (started_) MPI_Wait(&request_, MPI_STATUS_IGNORE);
    if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
  }

  void start() {
    detail::check(MPI_Start(&request_));
    started_ = true;
  }
  /// What has arrived in this round; valid until the next start. Sorted by source, and in the same place each time.
  const Messages<T>& wait() {
    detail::check(MPI_Wait(&request_, MPI_STATUS_IGNORE));
    started_ = false;
    return received_;
  }
  [[nodiscard]] MPI_Request& request() { return request_; }

 private:
  detail::Type type_;
  Messages<T> received_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool started_ = false;
};

}  // namespace raddle
