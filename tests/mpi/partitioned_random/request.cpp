// SPDX-License-Identifier: BSD-3-Clause
#include "request.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "mpi/hints.hpp"
#include "mpi/partitioned_names.hpp"

namespace raddle::partitioned_random {

using bench::text;

namespace {

testing::Field field_of(const Side& side) { return {side.make_shape(), side.elements()}; }

}  // namespace

Request::Request(const Channel& channel, bool sends, MPI_Comm comm)
    : channel_(channel), sends_(sends), field_(field_of(sends ? channel.out : channel.in)) {
  const testing::Shape shape = side().make_shape();  // freed at once, as a program may
  testing::Hints hints({});
  if (channel.policy != nullptr) MPI_Info_set(hints, "raddle_part_policy", channel.policy);
  if (channel.min_bytes != nullptr) MPI_Info_set(hints, "raddle_part_min_bytes", channel.min_bytes);
  code = sends ? testing::psend_init(field_.data(), side().partitions, side().count, shape.type(), channel.receiver,
                                     channel.tag, comm, hints, &handle)
               : testing::precv_init(field_.data(), side().partitions, side().count, shape.type(),
                                     is_nobodys() ? MPI_PROC_NULL : channel.sender, channel.tag, comm, MPI_INFO_NULL,
                                     &handle);
}

std::size_t Request::words_each() const {
  return static_cast<std::size_t>(side().count) * static_cast<std::size_t>(side().words_each);
}

void Request::compute(int partition, int round) {
  const std::size_t first = static_cast<std::size_t>(partition) * words_each();
  for (std::size_t i = first; i < first + words_each(); ++i) field_[i] = channel_.word(round, i);
}

void Request::forget() { field_.clear(); }

std::string Request::judge(int partition, int round) {
  const std::size_t first = static_cast<std::size_t>(partition) * words_each();
  const std::size_t end = std::min(first + words_each(), channel_.out.words());
  for (std::size_t i = first; i < end; ++i) {
    if (field_[i] != channel_.word(round, i))
      return text("partition ", partition, " has arrived without its word ", i - first);
  }
  return {};
}

std::string Request::judge(int round) {
  testing::Field expected = field_;
  expected.clear();
  const std::size_t come = is_nobodys() ? 0 : std::min(channel_.out.words(), field_.words());
  for (std::size_t i = 0; i < come; ++i) {
    // What a message that is too long leaves behind is not said.
    expected[i] = is_cut_off() ? field_[i] : channel_.word(round, i);
    if (field_[i] != expected[i]) return text("word ", i, " of ", come, " is wrong");
  }
  if (field_.all() != expected.all()) return "memory was written that is not of the message";
  return {};
}

std::string Request::judge(const MPI_Status& status) const {
  if (sends_) return {};
  int words = -1;
  int cancelled = -1;
  MPI_Get_elements(&status, MPI_INT, &words);
  MPI_Test_cancelled(&status, &cancelled);
  const int source = is_nobodys() ? MPI_PROC_NULL : channel_.sender;
  const int tag = is_nobodys() ? MPI_ANY_TAG : channel_.tag;
  const int expected = is_nobodys() ? 0 : static_cast<int>(channel_.out.words());
  if (status.MPI_SOURCE == source && status.MPI_TAG == tag && cancelled == 0 && (is_cut_off() || words == expected))
    return {};
  return text("its status has source ", status.MPI_SOURCE, ", tag ", status.MPI_TAG, ", ", words, " words of ",
              expected, ", cancelled ", cancelled);
}

std::string Request::description() const {
  const auto divided = [](const Side& side) {
    return text(side.partitions, " times ", side.count, " times ", side.words_each, " words");
  };
  return text(sends_ ? "send" : "receive", ", from ", channel_.sender, " as ", divided(channel_.out), " to ",
              channel_.receiver, " as ", divided(channel_.in), ", tag ", channel_.tag);
}

}  // namespace raddle::partitioned_random
