// SPDX-License-Identifier: BSD-3-Clause
// Questions and answers. The questions are an exchange; whoever asks knows how many answers there will be and from
// whom, so these need none.

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/errors.hpp"
#include "platform/must.hpp"
#include "sparse/calls/calls.hpp"
#include "sparse/calls/data.hpp"
#include "sparse/exchange.hpp"
#include "sparse/point_to_point.hpp"

/// Where an answerer puts what it has to say.
struct Raddle_Sparse_answer_s {
  MPI_Datatype type;
  std::vector<std::byte> bytes;
};

namespace raddle::sparse {
namespace {

/// Has each question answered, and sends what is said.
class Answering final : public EachSink {
 public:
  Answering(const Element& question, MPI_Datatype answertype, Raddle_Sparse_answerer* answerer, void* context,
            const Round& round)
      : EachSink(question),
        answertype_(answertype),
        answerer_(answerer),
        context_(context),
        own_(round.rank),
        sender_(round, Kind::answer) {}

  /// Every question has an answer, if only an empty one: the others wait for it.
  void arrived(int source, std::span<const std::byte> bytes) override {
    answers_.push_back({answertype_, {}});
    Raddle_Sparse_answer_s& answer = answers_.back();
    answer_ = &answer;
    EachSink::arrived(source, bytes);
    if (source == own_) {
      to_self_.push_back(&answer.bytes);
    } else {
      sender_.send({source, answer.bytes});
    }
  }

  [[nodiscard]] bool done() { return sender_.done(); }
  /// In the order of the questions.
  [[nodiscard]] const std::vector<const std::vector<std::byte>*>& to_self() const { return to_self_; }

 private:
  int take(int source, const void* data, MPI_Count count) override {
    return answerer_(context_, source, data, count, answer_);
  }

  MPI_Datatype answertype_;
  Raddle_Sparse_answerer* answerer_;
  void* context_;
  int own_;
  Sender sender_;
  std::deque<Raddle_Sparse_answer_s> answers_;  ///< which stay where they are until they are sent
  Raddle_Sparse_answer_s* answer_ = nullptr;
  std::vector<const std::vector<std::byte>*> to_self_;
};

/// The answers, in the order of the questions.
Rows in_order(const OutgoingMessages& questions, const Answering& answering, Rows&& came, int own) {
  std::map<int, std::deque<std::span<const std::byte>>> from;  // by rank: each answers in the order of its questions
  for (std::size_t i = 0; i < came.ranks.size(); ++i) {
    const std::size_t first = came.offsets[i];
    from[came.ranks[i]].emplace_back(came.data.get() + first, came.offsets[i + 1] - first);
  }
  for (const auto* bytes : answering.to_self()) from[own].emplace_back(*bytes);
  Arrivals answers(came.offsets.back());
  for (const int number : questions.numbers()) {
    if (number < 0) {
      static_cast<void>(answers.room(MPI_PROC_NULL, 0));
      continue;
    }
    const int rank = questions.messages()[static_cast<std::size_t>(number)].rank;
    const std::span<const std::byte> bytes = from[rank].front();
    from[rank].pop_front();
    std::byte* const room = answers.room(rank, bytes.size());
    std::ranges::copy(bytes, room);
  }
  return std::move(answers).rows(false);
}

}  // namespace

int ask(const Given& given, MPI_Datatype answertype, Raddle_Sparse_answerer* answerer, void* context, MPI_Info info,
        const ExchangeComm& on, Raddle_Sparse_messages& answers) {
  answers = nothing;
  const Element question(given.type);
  const Element element(answertype);
  const Prepared prepared(given, info, on);
  Attachment& attachment = *prepared.attachment;
  const std::span<const Message> questions = prepared.outgoing.messages();
  const Round round = attachment.blocking().next_round();
  Answering answering(question, answertype, answerer, context, round);
  Arrivals came(attachment.blocking().guess());
  Rows rows = platform::relied_on("Raddle_Sparse_ask", [&] {
    run(attachment, questions, answering, prepared.options);
    Receiver receiver(round, Kind::answer, came);
    std::size_t left = 0;
    for (const Message& message : questions) left += message.rank != round.rank ? 1 : 0;
    step_to_the_end(attachment, true, [&] {
      const std::size_t found = left > 0 ? receiver.look(left) : 0;
      left -= found;
      const bool moved = receiver.settle() || found > 0;
      return left == 0 && receiver.idle() && answering.done() ? Step::over : moved_if(moved);
    });
    return in_order(prepared.outgoing, answering, std::move(came).rows(false), round.rank);
  });
  // What the answerer has thrown is thrown here: the program's own, which concerns nobody else.
  if (const int code = answering.outcome(); code != MPI_SUCCESS) return code;
  platform::relied_on("Raddle_Sparse_ask", [&] {
    endpoints::check(answering.broken() ? not_whole() : fill_in(std::move(rows), element, answers));
  });
  return MPI_SUCCESS;
}

void reply(Raddle_Sparse_answer answer, const void* data, MPI_Count count) {
  endpoints::Layout layout;
  endpoints::check(layout.describe(data, count, answer->type));
  answer->bytes.resize(layout.body().bytes);
  endpoints::copy_out(layout.body(), answer->bytes.data());
}

}  // namespace raddle::sparse

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

void exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info, const ExchangeComm& on,
              Raddle_Sparse_messages& received) {
  received = nothing;
  const Element element(recvtype);
  const Prepared prepared(given, info, on);
  ExchangeLane& lane = prepared.attachment->blocking();
  Arrivals arrivals(lane.guess());
  platform::relied_on("Raddle_Sparse_exchange", [&] {
    run(*prepared.attachment, prepared.outgoing.messages(), arrivals, prepared.options);
    lane.learn(arrivals.bytes());
    // For the others it is over: it cannot be made again for want of memory.
    endpoints::check(fill_in(std::move(arrivals).rows(prepared.options.sorted), element, received));
  });
}

int exchange_each(const Given& given, MPI_Datatype recvtype, Raddle_Sparse_receiver* receiver, void* context,
                  MPI_Info info, const ExchangeComm& on) {
  const Element element(recvtype);
  const Prepared prepared(given, info, on);
  ReceiverSink sink(element, receiver, context);
  run(*prepared.attachment, prepared.outgoing.messages(), sink, prepared.options);
  const int code = sink.outcome();
  if (code == MPI_SUCCESS && sink.broken()) throw endpoints::Failure(not_whole());
  return code;
}

}  // namespace raddle::sparse
