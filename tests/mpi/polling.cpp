// SPDX-License-Identifier: BSD-3-Clause
// Random messages over several communicators, whose ranks all wait by polling, each for one thing at a time: what a
// rank asks about is seldom what its partners wait for, and calls that only look have to move that too (MPI-4.1
// sections 2.9, 3.7.4 and 3.8.1). Error handlers are the default ones.
//
// polling <threads> <seed> <seconds> [native|attached|only CALL]...
//   native    also messages on the MPI's own communicators
//   attached  also partitioned messages, on endpoints and on an attached communicator of the MPI's
//   only      one way to wait
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "mpi/polling_ways.hpp"
#include "mpi/traffic/random.hpp"
#include "raddle/raddle.h"

namespace raddle::testing {
namespace {

using polling::is_probe;
using polling::names;
using polling::Way;
using traffic::mix;
using traffic::Random;
using Clock = std::chrono::steady_clock;

struct Options {
  int threads = 2;
  std::uint64_t seed = 1;
  double seconds = 1;
  bool native = false;
  bool attached = false;
  int only = -1;
};

struct Comm {
  MPI_Comm handle;
  bool endpoints;
  bool partitioned;
};

/// All ranks draw the same ones.
struct Message {
  int from;
  int to;
  std::size_t comm;
  int count;
  bool gaps;
  bool synchronous;
  int partitions;  ///< 0: it is an ordinary one
  Way way;
};

class Rank {
 public:
  Rank(const Options& options, MPI_Comm first) : options_(options) {
    MPI_Comm_rank(first, &rank_);
    MPI_Comm_size(first, &size_);
    for (int i = 0; i < 3; ++i) {
      MPI_Comm made = MPI_COMM_NULL;
      MPI_Comm_dup(first, &made);
      comms_.push_back({made, true, options.attached});
    }
    MPI_Datatype spread = MPI_DATATYPE_NULL;
    MPI_Type_vector(1, 1, 2, MPI_INT, &spread);
    MPI_Type_create_resized(spread, 0, 2 * sizeof(int), &gaps_);
    MPI_Type_commit(&gaps_);
    MPI_Type_free(&spread);
  }
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;
  ~Rank() {
    for (Comm& comm : comms_) {
      if (comm.endpoints) MPI_Comm_free(&comm.handle);
    }
    MPI_Type_free(&gaps_);
  }

  void add(const std::vector<Comm>& others) { comms_.insert(comms_.end(), others.begin(), others.end()); }

  void run() {
    const auto end = Clock::now() + std::chrono::duration<double>(options_.seconds);
    for (std::uint64_t round = 0;; ++round) {
      // Rank 0 says whether there is another one, and how: by a call that blocks, or one that is polled for.
      int more = rank_ == 0 && Clock::now() < end ? 1 : 0;
      MPI_Request request = MPI_REQUEST_NULL;
      const MPI_Comm comm = comms_[round % 3].handle;
      if (mix({options_.seed, round}) % 2 == 0) {
        MPI_Bcast(&more, 1, MPI_INT, 0, comm);
      } else {
        MPI_Ibcast(&more, 1, MPI_INT, 0, comm, &request);
        poll("MPI_Test of a collective", [&] { return test(request); });
      }
      if (more == 0) {
        if (rank_ == 0)
          std::printf("polling: all well: seed %llu, %llu rounds\n", static_cast<unsigned long long>(options_.seed),
                      static_cast<unsigned long long>(round));
        return;
      }
      round_ = round;
      if (round % 32 == 0) MPI_Barrier(comm);
      one_round();
    }
  }

 private:
  static constexpr std::uint64_t rounds_apart = 64;
  static constexpr std::uint64_t tags_each = 64;

  struct Part {
    const Message* message;
    int tag;
    std::vector<int> data;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void one_round() {
    Random common(mix({options_.seed, round_, 7}));
    Random own(mix({options_.seed, round_, 8, static_cast<std::uint64_t>(rank_)}));
    std::vector<Message> messages;
    for (std::size_t count = 1 + common.below(4 * static_cast<std::size_t>(size_)); count > 0; --count)
      messages.push_back(draw(common));
    std::vector<std::unique_ptr<Part>> sends;
    std::vector<std::unique_ptr<Part>> receives;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      // On the MPI's own communicators threads of one process are one rank: none may meet a tag of another round.
      const int tag = static_cast<int>(round_ % rounds_apart * tags_each + i);
      if (messages[i].to == rank_) begin(*receives.emplace_back(new Part{&messages[i], tag, {}}));
      if (messages[i].from == rank_) begin_send(*sends.emplace_back(new Part{&messages[i], tag, {}}));
    }
    own.shuffle(receives);
    own.shuffle(sends);
    for (const auto& receive : receives) finish(*receive);
    for (const auto& send : sends) {
      current_ = send.get();
      poll("MPI_Test of a send", [&] { return test(send->request); });
      if (send->message->partitions > 0) MPI_Request_free(&send->request);
    }
  }

  Message draw(Random& common) {
    constexpr std::array<int, 4> counts{1, 1000, 20000, 200000};
    const auto ranks = static_cast<std::size_t>(size_);
    Message message{};
    message.from = static_cast<int>(common.below(ranks));
    message.to = static_cast<int>(common.below(ranks));
    message.comm = common.below(comms_.size());
    message.count = 4 * counts[common.below(counts.size())];
    message.gaps = common.chance(50);
    message.synchronous = common.chance(30);
    const bool partitioned = comms_[message.comm].partitioned && common.chance(40);
    message.partitions = partitioned ? 1 << common.below(3) : 0;
    message.way = options_.only >= 0 ? static_cast<Way>(options_.only) : static_cast<Way>(common.below(names.size()));
    // A blocked call of the MPI's own does not come back before it has what it wants.
    if (!comms_[message.comm].endpoints && message.partitions == 0 && message.way >= Way::wait) message.way = Way::test;
    if (partitioned && is_probe(message.way)) message.way = Way::test;
    return message;
  }

  [[nodiscard]] MPI_Datatype type(const Message& message) const { return message.gaps ? gaps_ : MPI_INT; }
  [[nodiscard]] static std::size_t step(const Message& message) { return message.gaps ? 2 : 1; }
  [[nodiscard]] int word(const Part& part, int at) const {
    return static_cast<int>(mix({round_, static_cast<std::uint64_t>(part.tag)})) + at;
  }
  /// Processes have as many ranks each.
  [[nodiscard]] int peer(const Message& message, int rank) const {
    return comms_[message.comm].endpoints ? rank : rank / options_.threads;
  }

  void begin_send(Part& part) {
    const Message& message = *part.message;
    part.data.resize(step(message) * static_cast<std::size_t>(message.count));
    for (int i = 0; i < message.count; ++i) part.data[step(message) * static_cast<std::size_t>(i)] = word(part, i);
    const MPI_Comm comm = comms_[message.comm].handle;
    const int to = peer(message, message.to);
    if (message.partitions > 0) {
      Raddle_Psend_init(part.data.data(), message.partitions, message.count / message.partitions, type(message), to,
                        part.tag, comm, MPI_INFO_NULL, &part.request);
      MPI_Start(&part.request);
      for (int i = 0; i < message.partitions; ++i) Raddle_Pready(i, part.request);
    } else if (message.synchronous) {
      MPI_Issend(part.data.data(), message.count, type(message), to, part.tag, comm, &part.request);
    } else {
      MPI_Isend(part.data.data(), message.count, type(message), to, part.tag, comm, &part.request);
    }
  }

  void begin(Part& part) {
    const Message& message = *part.message;
    part.data.assign(step(message) * static_cast<std::size_t>(message.count), -1);
    if (is_probe(message.way)) return;
    const MPI_Comm comm = comms_[message.comm].handle;
    const int from = peer(message, message.from);
    if (message.partitions > 0) {
      Raddle_Precv_init(part.data.data(), message.partitions, message.count / message.partitions, type(message), from,
                        part.tag, comm, MPI_INFO_NULL, &part.request);
      MPI_Start(&part.request);
    } else {
      MPI_Irecv(part.data.data(), message.count, type(message), from, part.tag, comm, &part.request);
    }
  }

  void finish(Part& part) {
    const Message& message = *part.message;
    current_ = &part;
    if (message.partitions > 0 && message.count % 3 == 0) {
      for (int i = message.partitions - 1; i >= 0; --i)
        poll("MPI_Parrived", [&] {
          int flag = 0;
          Raddle_Parrived(part.request, i, &flag);
          return flag != 0;
        });
    }
    poll(names[static_cast<std::size_t>(message.way)], [&] { return look(part); });
    if (message.partitions > 0) MPI_Request_free(&part.request);
    for (int i = 0; i < message.count; ++i) {
      if (part.data[step(message) * static_cast<std::size_t>(i)] != word(part, i)) fail("other data have come");
    }
  }

  bool look(Part& part) {
    const Message& message = *part.message;
    const MPI_Comm comm = comms_[message.comm].handle;
    const int from = peer(message, message.from);
    std::array<MPI_Request, 2> some{MPI_REQUEST_NULL, part.request};
    std::array<int, 2> indices{};
    MPI_Message probed = MPI_MESSAGE_NULL;
    int flag = 0;
    int index = 0;
    switch (message.way) {
      case Way::test:
        return test(part.request);
      case Way::testany:
        MPI_Testany(2, some.data(), &index, &flag, MPI_STATUS_IGNORE);
        break;
      case Way::testsome:
        MPI_Testsome(2, some.data(), &flag, indices.data(), MPI_STATUSES_IGNORE);
        break;
      case Way::testall:
        MPI_Testall(2, some.data(), &flag, MPI_STATUSES_IGNORE);
        break;
      case Way::get_status:
        MPI_Request_get_status(part.request, &flag, MPI_STATUS_IGNORE);
        if (flag != 0) MPI_Wait(&part.request, MPI_STATUS_IGNORE);
        return flag != 0;
      case Way::wait:
        MPI_Wait(&part.request, MPI_STATUS_IGNORE);
        return true;
      case Way::waitany:
        MPI_Waitany(2, some.data(), &index, MPI_STATUS_IGNORE);
        flag = 1;
        break;
      case Way::waitsome:
        MPI_Waitsome(2, some.data(), &flag, indices.data(), MPI_STATUSES_IGNORE);
        break;
      case Way::waitall:
        MPI_Waitall(2, some.data(), MPI_STATUSES_IGNORE);
        flag = 1;
        break;
      case Way::iprobe:
        MPI_Iprobe(from, part.tag, comm, &flag, MPI_STATUS_IGNORE);
        if (flag != 0) receive(part);
        return flag != 0;
      case Way::probe:
        MPI_Probe(from, part.tag, comm, MPI_STATUS_IGNORE);
        receive(part);
        return true;
      case Way::improbe:
        MPI_Improbe(from, part.tag, comm, &flag, &probed, MPI_STATUS_IGNORE);
        if (flag != 0) receive(part, probed);
        return flag != 0;
      case Way::mprobe:
        MPI_Mprobe(from, part.tag, comm, &probed, MPI_STATUS_IGNORE);
        receive(part, probed);
        return true;
    }
    part.request = some[1];
    return flag != 0;
  }

  void receive(Part& part) {
    const Message& message = *part.message;
    MPI_Irecv(part.data.data(), message.count, type(message), peer(message, message.from), part.tag,
              comms_[message.comm].handle, &part.request);
    poll("MPI_Test after a probe", [&] { return test(part.request); });
  }

  void receive(Part& part, MPI_Message probed) {
    MPI_Imrecv(part.data.data(), part.message->count, type(*part.message), &probed, &part.request);
    poll("MPI_Test after a matched probe", [&] { return test(part.request); });
  }

  static bool test(MPI_Request& request) {
    int flag = 0;
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    return flag != 0;
  }

  template <typename Look>
  void poll(const char* call, Look&& look) {
    const Clock::time_point began = Clock::now();
    for (unsigned turn = 1; !look(); ++turn) {
      if (turn % 16 == 0) std::this_thread::yield();
      if (turn % 1024 == 0 && Clock::now() - began > std::chrono::seconds(20))
        fail(std::string(call) + " finds nothing");
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    std::string text = "polling: seed " + std::to_string(options_.seed) + ", round " + std::to_string(round_) +
                       ", rank " + std::to_string(rank_) + ": " + what;
    if (current_ != nullptr) {
      const Message& message = *current_->message;
      text += " (from " + std::to_string(message.from) + " to " + std::to_string(message.to) + " on communicator " +
              std::to_string(message.comm) + ", " + std::to_string(message.count) + " ints" +
              (message.gaps ? ", with gaps" : "") + (message.synchronous ? ", synchronous" : "") + ", " +
              std::to_string(message.partitions) + " partitions)";
    }
    std::fprintf(stderr, "%s\n", text.c_str());
    MPI_Abort(MPI_COMM_WORLD, 3);
    std::abort();
  }

  const Options& options_;
  int rank_ = 0;
  int size_ = 0;
  std::vector<Comm> comms_;
  MPI_Datatype gaps_ = MPI_DATATYPE_NULL;
  std::uint64_t round_ = 0;
  const Part* current_ = nullptr;
};

Options parse(int argc, char** argv) {
  Options options;
  if (argc > 1) options.threads = std::atoi(argv[1]);
  if (argc > 2) options.seed = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) options.seconds = std::atof(argv[3]);
  for (int i = 4; i < argc; ++i) {
    const std::string word = argv[i];
    const auto found = std::ranges::find(names, word);
    options.native = options.native || word == "native";
    options.attached = options.attached || word == "attached";
    if (found != names.end()) options.only = static_cast<int>(found - names.begin());
  }
  return options;
}

void run(const Options& options) {
  std::vector<Comm> natives;
  for (int i = 0; i < 2 && (options.native || options.attached); ++i) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    const bool attaches = options.attached && i == 0;
    if (attaches) Raddle_Partitioned_attach(made);
    natives.push_back({made, false, attaches});
  }
  std::vector<MPI_Comm> endpoints(static_cast<std::size_t>(options.threads));
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, options.threads, MPI_INFO_NULL, endpoints.data());
  std::vector<std::thread> threads;
  for (MPI_Comm& endpoint : endpoints) {
    threads.emplace_back([&] {
      Rank rank(options, endpoint);
      rank.add(natives);
      rank.run();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& endpoint : endpoints) MPI_Comm_free(&endpoint);
  for (Comm& native : natives) MPI_Comm_free(&native.handle);
}

}  // namespace
}  // namespace raddle::testing

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  raddle::testing::run(raddle::testing::parse(argc, argv));
  MPI_Finalize();
  return 0;
}
