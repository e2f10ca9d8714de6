// SPDX-License-Identifier: BSD-3-Clause
#include "call.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "mpi/hints.hpp"

namespace raddle::sparse_random {

using bench::text;

Call::Call(const Round& round, MPI_Comm comm, bool sorted)
    : round_(round),
      comm_(comm),
      rank_(testing::rank_in(comm)),
      sorted_(sorted),
      out_shape_(round.out.make_shape()),
      in_shape_(round.in.make_shape()) {
  for (const Message& message : round.from[static_cast<std::size_t>(rank_)]) {
    dests_.push_back(message.dest);
    offsets_.push_back(offsets_.back() + message.words / round.out.words_each);
  }
  out_ = std::make_unique<testing::Field>(out_shape_, static_cast<std::size_t>(offsets_.back()));
  fill(0);
}

Call::~Call() {
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  Raddle_Sparse_free(&in_);
}

void Call::fill(int start) {
  std::size_t place = 0;
  for (const Message& message : round_.from[static_cast<std::size_t>(rank_)]) {
    for (const int word : message.content(start)) (*out_)[place++] = word;
  }
}

int Call::begin() {
  testing::Hints hints({});
  if (round_.algorithm != nullptr) MPI_Info_set(hints, "raddle_sparse_algorithm", round_.algorithm);
  if (round_.radix != nullptr) MPI_Info_set(hints, "raddle_sparse_radix", round_.radix);
  if (sorted_) MPI_Info_set(hints, "raddle_sparse_sorted", "true");
  const int count = static_cast<int>(dests_.size());
  const void* const data = out_->data();
  switch (round_.form) {
    case Form::blocking:
      return Raddle_Sparse_exchange(data, count, dests_.data(), offsets_.data(), out_shape_.type(), in_shape_.type(),
                                    hints, comm_, &in_);
    case Form::nonblocking:
      return Raddle_Sparse_iexchange(data, count, dests_.data(), offsets_.data(), out_shape_.type(), in_shape_.type(),
                                     hints, comm_, &in_, &request);
    case Form::persistent:
      return Raddle_Sparse_exchange_init(data, count, dests_.data(), offsets_.data(), out_shape_.type(),
                                         in_shape_.type(), hints, comm_, &in_, &request);
    case Form::each:
      return Raddle_Sparse_exchange_each(data, count, dests_.data(), offsets_.data(), out_shape_.type(),
                                         in_shape_.type(), take, this, hints, comm_);
    case Form::ask:
      break;
  }
  return Raddle_Sparse_ask(data, count, dests_.data(), offsets_.data(), out_shape_.type(), in_shape_.type(), answer,
                           this, hints, comm_, &in_);
}

int Call::start() {
  fill(++starts_);
  return MPI_Start(&request);
}

Words Call::words_of(const testing::Shape& shape, const void* data, MPI_Count first, MPI_Count end) const {
  Words words;
  const int* const all = static_cast<const int*>(data);
  for (std::size_t i = static_cast<std::size_t>(first) * shape.words();
       i < static_cast<std::size_t>(end) * shape.words(); ++i)
    words.push_back(all[shape.place(i)]);
  return words;
}

int Call::take(void* context, int source, const void* data, MPI_Count count) {
  Call& call = *static_cast<Call*>(context);
  call.taken_.push_back({source, call.words_of(call.in_shape_, data, 0, count)});
  return MPI_SUCCESS;
}

int Call::answer(void* context, int source, const void* data, MPI_Count count, Raddle_Sparse_answer handle) {
  Call& call = *static_cast<Call*>(context);
  call.taken_.push_back({source, call.words_of(call.out_shape_, data, 0, count)});
  const Words words = call.round_.answer(call.rank_, call.taken_.back().words);
  if (words.empty()) return MPI_SUCCESS;
  const std::size_t elements = words.size() / call.in_shape_.words();
  testing::Field field(call.in_shape_, elements);
  for (std::size_t i = 0; i < words.size(); ++i) field[i] = words[i];
  return Raddle_Sparse_reply(handle, field.data(), static_cast<MPI_Count>(elements));
}

std::vector<Arrival> Call::brought() const {
  std::vector<Arrival> all;
  for (int i = 0; i < in_.count; ++i)
    all.push_back({in_.ranks[i], words_of(in_shape_, in_.data, in_.offsets[i], in_.offsets[i + 1])});
  return all;
}

std::string Call::compare(std::vector<Arrival> got, const std::vector<Arrival>& expected) const {
  const auto by_source = [](const Arrival& a, const Arrival& b) { return a.source < b.source; };
  const bool promised = round_.form == Form::persistent || (sorted_ && round_.form != Form::each);
  if (promised && round_.form != Form::ask && !std::is_sorted(got.begin(), got.end(), by_source))
    return "messages are not sorted by source";
  std::stable_sort(got.begin(), got.end(), by_source);
  for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i) {
    const Arrival& have = got[i];
    const Arrival& want = expected[i];
    if (have.source != want.source) return text("message ", i, " is from ", have.source, ", not from ", want.source);
    if (have.words.size() != want.words.size())
      return text("message ", i, ", from ", want.source, ", has ", have.words.size(), " words, not ",
                  want.words.size());
    const auto place = std::mismatch(have.words.begin(), have.words.end(), want.words.begin()).first;
    if (place != have.words.end())
      return text("message ", i, ", from ", want.source, ": word ", place - have.words.begin(), " of ",
                  want.words.size(), " is wrong");
  }
  if (got.size() != expected.size()) return text("there are ", got.size(), " messages, not ", expected.size());
  return {};
}

std::string Call::judge_answers() const {
  const std::vector<Message>& questions = round_.from[static_cast<std::size_t>(rank_)];
  if (in_.count != static_cast<int>(questions.size()))
    return text("there are ", in_.count, " answers, not ", questions.size());
  const std::vector<Arrival> answers = brought();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const int asked = questions[i].dest;
    if (answers[i].source != asked) return text("answer ", i, " is from ", answers[i].source, ", not from ", asked);
    const Words expected = asked == MPI_PROC_NULL ? Words{} : round_.answer(asked, questions[i].content());
    if (answers[i].words != expected)
      return text("answer ", i, ", from ", asked, ", is wrong: ", answers[i].words.size(), " words of ",
                  expected.size());
  }
  return {};
}

std::string Call::judge() {
  const std::vector<Arrival> expected = round_.arriving(rank_, starts_);
  const bool to_function = round_.form == Form::each || round_.form == Form::ask;
  std::string wrong = compare(to_function ? taken_ : brought(), expected);
  if (wrong.empty() && round_.form == Form::ask) wrong = judge_answers();
  // What is sent stays as it was.
  testing::Field before = *out_;
  fill(starts_);
  if (wrong.empty() && before.all() != out_->all()) wrong = "what was to be sent has changed";
  return wrong;
}

std::string Call::description() const {
  constexpr const char* forms[] = {"blocking", "nonblocking", "each", "ask", "persistent"};
  return text(forms[static_cast<std::size_t>(round_.form)], ", algorithm ",
              round_.algorithm == nullptr ? "as set" : round_.algorithm, ", ", dests_.size(), " messages out",
              sorted_ ? ", sorted" : "", round_.on_second ? ", on the second communicator" : "", ", start ", starts_);
}

}  // namespace raddle::sparse_random
