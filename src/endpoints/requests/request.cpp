// SPDX-License-Identifier: BSD-3-Clause

#include "endpoints/requests/request.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

#include "endpoints/handles/handles.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

namespace {

class NoPool final : public Pool {
 public:
  void give_back(Request&, Request&) override {}
};

}  // namespace

Pool& Pool::none() {
  static constinit NoPool none;
  return none;
}

constinit const End Request::asks{Ended::ask};

Request::Request(const End* end, Pool* pool)
    : end_(end == nullptr ? &asks : end), handle_(make_request_handle()), pool_(pool) {
  insert<Kind::request>(handle_, *this);
}

Request::~Request() {
  erase<Kind::request>(handle_);
  free_request_handle(handle_);
}

namespace {

constexpr std::size_t nowhere = sizeof(MPI_Status);
constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();

// The call for large counts under its newer name, where there is one. A template only to be asked for it.
template <typename Type>
void set_bytes(MPI_Status& status, Type byte, std::size_t bytes) {
  const auto count = static_cast<MPI_Count>(bytes);
  if constexpr (requires { PMPI_Status_set_elements_c(&status, byte, count); }) {
    platform::must("MPI_Status_set_elements_c", PMPI_Status_set_elements_c(&status, byte, count));
  } else {
    platform::must("MPI_Status_set_elements_x", PMPI_Status_set_elements_x(&status, byte, count));
  }
}

/// How this MPI writes a count of up to 31 bits: learnt by trying, since its own call takes up to 30 ns.
class Form {
 public:
  Form() {
    platform::must("MPI_Status_set_cancelled", PMPI_Status_set_cancelled(&empty_, 0));
    set_bytes(empty_, MPI_BYTE, 0);
    place_ = found();
  }

  /// All of the status but MPI_SOURCE, MPI_TAG and MPI_ERROR; not cancelled.
  void write(MPI_Status& status, std::size_t bytes) const {
    const int error = status.MPI_ERROR;
    status = empty_;
    status.MPI_ERROR = error;
    if (bytes > most || place_ == nowhere) return set_bytes(status, MPI_BYTE, bytes);
    put(status, place_, bytes);
  }

 private:
  static void put(MPI_Status& status, std::size_t place, std::size_t bytes) {
    const auto word = static_cast<std::uint32_t>(bytes);
    std::memcpy(reinterpret_cast<std::byte*>(&status) + place, &word, sizeof word);
  }

  [[nodiscard]] bool writes_as_the_mpi(std::size_t place, std::size_t bytes) const {
    MPI_Status theirs = empty_;
    MPI_Status ours = empty_;
    set_bytes(theirs, MPI_BYTE, bytes);
    put(ours, place, bytes);
    return std::memcmp(&theirs, &ours, sizeof ours) == 0;
  }

  /// Where a word is all that a count changes, for every one of its bits and for all of them.
  [[nodiscard]] std::size_t found() const {
    for (std::size_t place = 0; place + sizeof(std::uint32_t) <= sizeof empty_; place += sizeof(std::uint32_t)) {
      bool right = writes_as_the_mpi(place, most);
      for (std::size_t bytes = 1; right && bytes < most; bytes *= 2) right = writes_as_the_mpi(place, bytes);
      if (right) return place;
    }
    return nowhere;
  }

  MPI_Status empty_{};
  std::size_t place_ = nowhere;
};

}  // namespace

void write_status(MPI_Status* status, int source, int tag, std::size_t bytes, bool cancelled) {
  if (status == MPI_STATUS_IGNORE) return;
  static const Form form;
  form.write(*status, bytes);
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
  if (cancelled) platform::must("MPI_Status_set_cancelled", PMPI_Status_set_cancelled(status, 1));
}

void write_empty_status(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  write_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
  status->MPI_ERROR = MPI_SUCCESS;
}

}  // namespace raddle::endpoints
