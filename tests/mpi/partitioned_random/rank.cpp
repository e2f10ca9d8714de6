// SPDX-License-Identifier: BSD-3-Clause
#include "rank.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "../traffic/failure.hpp"
#include "core/text.hpp"
#include "core/whereabouts.hpp"
#include "mpi/partitioned_names.hpp"

namespace raddle::partitioned_random {

using bench::here;
using bench::text;
using traffic::mix;
using traffic::Random;

Rank::Rank(const testing::Place& place, int thread, const traffic::Options& options, traffic::Meeting& meeting)
    : EpisodeRank(place, thread, options, meeting, 77) {
  if (testing::attach(place.comm) != MPI_SUCCESS) traffic::abandon("a communicator cannot be attached");
}

void Rank::run() {
  check(MPI_Comm_dup(place_.comm, &beside_), "MPI_Comm_dup");
  do_episodes([&] { episode(make_episode(options_.seed, place_.size, number_)); });
  check(MPI_Comm_free(&beside_), "MPI_Comm_free");
}

void Rank::episode(const Episode& episode) {
  for (round_ = 0; round_ < episode.rounds; ++round_) {
    free_those_that_end();
    make(episode);
    round(episode);
  }
  free_those_that_end();
}

/// Sends in their order and receives in theirs, but how those mix is each rank's own.
void Rank::make(const Episode& episode) {
  std::vector<const Channel*> sends;
  std::vector<const Channel*> receives;
  for (const Channel& channel : episode.channels) {
    if (channel.made != round_ || channel.freed <= round_) continue;
    if (channel.sender == place_.rank) sends.push_back(&channel);
    // Of what comes from nobody there is a receive as well.
    if (channel.receiver == place_.rank || (channel.receiver == MPI_PROC_NULL && channel.sender == place_.rank))
      receives.push_back(&channel);
  }
  for (std::size_t s = 0, r = 0; s + r < sends.size() + receives.size();) {
    const bool send = r == receives.size() || (s < sends.size() && random_.chance(50));
    const Channel& channel = send ? *sends[s++] : *receives[r++];
    here().enter(send ? "Psend_init" : "Precv_init", send ? channel.receiver : channel.sender, channel.tag);
    requests_.push_back(std::make_unique<Request>(channel, send, place_.comm));
    check(requests_.back()->code, "the call that makes it", requests_.back().get());
  }
}

void Rank::free_those_that_end() {
  random_.shuffle(requests_);
  std::erase_if(requests_, [this](const std::unique_ptr<Request>& request) {
    if (request->channel().freed > round_) return false;
    here().enter("MPI_Request_free");
    check(MPI_Request_free(&request->handle), "MPI_Request_free", request.get());
    return true;
  });
}

void Rank::round(const Episode& episode) {
  const auto round = static_cast<std::size_t>(round_);
  std::vector<Request*> active;
  for (const std::unique_ptr<Request>& request : requests_) {
    if (request->channel().active[round]) active.push_back(request.get());
  }
  if (episode.talks[round]) talk();
  start(active);
  make_all_ready(active);
  polls_ = random_.chance(30);
  if (polls_) poll_partitions(active);
  complete(active, episode.talks[round]);
  for (Request* request : active) {
    if (request->sends()) continue;
    const std::string wrong = request->judge(round_);
    if (!wrong.empty()) fail(wrong, request);
  }
}

/// A message to the right, received with wildcards, must not meet what is partitioned.
void Rank::talk() {
  const auto key = [this](int rank) {
    return mix({options_.seed, static_cast<std::uint64_t>(number_), static_cast<std::uint64_t>(round_),
                static_cast<std::uint64_t>(rank)});
  };
  words_ = {key(place_.rank), 0};
  const MPI_Comm comm = round_ % 2 == 0 ? place_.comm : beside_;
  check(MPI_Irecv(&words_[1], 1, MPI_UINT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &ordinary_[1]), "MPI_Irecv");
  check(MPI_Isend(words_.data(), 1, MPI_UINT64_T, (place_.rank + 1) % place_.size, round_ % 3, comm, ordinary_.data()),
        "MPI_Isend");
}

void Rank::start(std::vector<Request*>& active) {
  random_.shuffle(active);
  for (Request* request : active) {
    if (!request->sends()) request->forget();
  }
  if (!active.empty() && random_.chance(40)) {
    std::vector<MPI_Request> handles;
    for (const Request* request : active) handles.push_back(request->handle);
    here().enter("MPI_Startall");
    check(MPI_Startall(static_cast<int>(handles.size()), handles.data()), "MPI_Startall");
    return;
  }
  for (Request* request : active) {
    here().enter("MPI_Start");
    check(MPI_Start(&request->handle), "MPI_Start", request);
  }
}

/// All partitions but one of each request, which is left to the rank itself, in any order.
std::vector<Rank::Task> Rank::tasks(const std::vector<Request*>& active) {
  std::vector<Task> all;
  for (Request* request : active) {
    const int partitions = request->side().partitions;
    request->kept = -1;
    if (!request->sends() || partitions == 0) continue;
    request->kept = static_cast<int>(random_.below(static_cast<std::size_t>(partitions)));
    for (int p = 0; p < partitions;) {
      Task task{request, {}};
      const int most = random_.chance(50) ? 1 : 1 + static_cast<int>(random_.below(12));
      for (; p < partitions && static_cast<int>(task.partitions.size()) < most; ++p) {
        if (p == request->kept) {
          ++p;
          break;
        }
        task.partitions.push_back(p);
      }
      if (!task.partitions.empty()) all.push_back(task);
    }
  }
  random_.shuffle(all);
  return all;
}

void Rank::make_ready(Task& task, Random& random) {
  std::vector<int>& partitions = task.partitions;
  const MPI_Request handle = task.request->handle;
  for (const int partition : partitions) task.request->compute(partition, round_);
  if (partitions.size() > 1 && random.chance(50)) {
    return check(testing::pready_range(partitions.front(), partitions.back(), handle), "Pready_range", task.request);
  }
  random.shuffle(partitions);
  if (partitions.size() > 1) {
    return check(testing::pready_list(static_cast<int>(partitions.size()), partitions.data(), handle), "Pready_list",
                 task.request);
  }
  check(testing::pready(partitions.front(), handle), "Pready", task.request);
}

void Rank::make_all_ready(const std::vector<Request*>& active) {
  std::vector<Task> all = tasks(active);
  {
    const std::size_t threads = random_.chance(50) ? 1 : 2 + random_.below(2);
    std::vector<std::jthread> helpers;
    for (std::size_t t = 1; t < threads; ++t) {
      helpers.emplace_back([this, &all, threads, t, seed = random_.next()] {
        Random random(seed);
        for (std::size_t i = t; i < all.size(); i += threads) make_ready(all[i], random);
      });
    }
    here().enter("Pready");
    for (std::size_t i = 0; i < all.size(); i += threads) {
      make_ready(all[i], random_);
      if (random_.chance(20)) glance(active);
    }
  }
  std::vector<Request*> order = active;
  random_.shuffle(order);
  for (Request* request : order) {
    if (request->kept < 0) continue;
    if (!request->is_nobodys()) expect_open(*request);
    Task last{request, {request->kept}};
    request->kept = -1;
    make_ready(last, random_);
    glance(active);
  }
}

/// Looks at any request: what must not have happened has not, and what has is right.
void Rank::glance(const std::vector<Request*>& active) {
  if (active.empty()) return;
  Request& request = *random_.pick(active);
  if (request.sends()) {
    if (request.kept >= 0 && !request.is_nobodys()) expect_open(request);
    return;
  }
  if (request.side().partitions == 0 || request.is_nobodys() || request.is_cut_off()) return;
  const auto partition = static_cast<int>(random_.below(static_cast<std::size_t>(request.side().partitions)));
  int flag = -1;
  check(testing::parrived(request.handle, partition, &flag), "Parrived", &request);
  if (flag == 0) return;
  const std::string wrong = request.judge(partition, round_);
  if (!wrong.empty()) fail(wrong, &request);
}

void Rank::expect_open(Request& request) {
  int flag = -1;
  MPI_Request handle = request.handle;
  const char* call = "MPI_Test";
  if (random_.chance(50)) {
    check(MPI_Test(&handle, &flag, MPI_STATUS_IGNORE), call, &request);
  } else if (random_.chance(50)) {
    call = "MPI_Request_get_status";
    check(MPI_Request_get_status(handle, &flag, MPI_STATUS_IGNORE), call, &request);
  } else {
    call = "MPI_Testall";
    check(MPI_Testall(1, &handle, &flag, MPI_STATUSES_IGNORE), call, &request);
  }
  if (flag != 0) fail(text(call, " says that it is complete, before its last partition is ready"), &request);
}

/// Waits for what comes partition by partition, whatever the others wait for.
void Rank::poll_partitions(const std::vector<Request*>& active) {
  for (Request* request : active) {
    if (request->sends() || request->is_nobodys() || request->is_cut_off() || random_.chance(50)) continue;
    here().enter("Parrived", request->channel().sender, request->channel().tag);
    for (int partition = request->side().partitions - 1; partition >= 0; --partition) {
      for (int flag = 0; flag == 0;) {
        check(testing::parrived(request->handle, partition, &flag), "Parrived", request);
        if (flag == 0) std::this_thread::yield();
      }
      const std::string wrong = request->judge(partition, round_);
      if (!wrong.empty()) fail(wrong, request);
    }
    bench::Board::instance().moved();
  }
}

void Rank::complete(std::vector<Request*> active, bool talks) {
  std::array<MPI_Status, 2> statuses{};
  if (talks && polls_) {
    here().enter("MPI_Testall for ordinary messages");
    for (int flag = 0; flag == 0;) {
      check(MPI_Testall(2, ordinary_.data(), &flag, statuses.data()), "MPI_Testall");
      if (flag == 0) std::this_thread::yield();
    }
  }
  while (!active.empty()) {
    std::vector<MPI_Request> handles;
    random_.shuffle(active);
    // What is cut off ends with an error, and calls on arrays would tell of nothing else.
    if (active.front()->is_cut_off() || random_.chance(40)) {
      complete_one(*active.front());
      active.erase(active.begin());
      continue;
    }
    while (complete_several(active, handles)) {
    }
  }
  if (!talks) return;
  if (!polls_) {
    here().enter("MPI_Waitall for ordinary messages");
    check(MPI_Waitall(2, ordinary_.data(), statuses.data()), "MPI_Waitall");
  }
  const int left = (place_.rank + place_.size - 1) % place_.size;
  const std::uint64_t expected = mix({options_.seed, static_cast<std::uint64_t>(number_),
                                      static_cast<std::uint64_t>(round_), static_cast<std::uint64_t>(left)});
  if (words_[1] != expected || statuses[1].MPI_SOURCE != left || statuses[1].MPI_TAG != round_ % 3)
    fail(text("an ordinary message from ", statuses[1].MPI_SOURCE, " with tag ", statuses[1].MPI_TAG,
              " came where one from ", left, " with tag ", round_ % 3, " was to come"));
}

void Rank::complete_one(Request& request) {
  MPI_Status status{};
  int code = MPI_SUCCESS;
  const bool waits = !polls_ && random_.chance(50);
  // It is to end with an error, and the default handler would end the job.
  if (request.is_cut_off() && options_.default_handlers) MPI_Comm_set_errhandler(place_.comm, MPI_ERRORS_RETURN);
  here().enter(waits ? "MPI_Wait" : "MPI_Test", request.sends() ? request.channel().receiver : request.channel().sender,
               request.channel().tag);
  if (waits) {
    code = MPI_Wait(&request.handle, &status);
  } else {
    for (int flag = 0; flag == 0;) {
      code = MPI_Test(&request.handle, &flag, &status);
      if (flag == 0) std::this_thread::yield();
    }
  }
  if (request.is_cut_off() && options_.default_handlers) MPI_Comm_set_errhandler(place_.comm, MPI_ERRORS_ARE_FATAL);
  int error_class = -1;
  MPI_Error_class(code, &error_class);
  if (error_class != (request.is_cut_off() ? MPI_ERR_TRUNCATE : MPI_SUCCESS))
    fail(text("it ends with an error of class ", error_class), &request);
  settle(request, status);
}

/// One call on all that are not cut off, and null requests among them. @returns whether it is to be called again
bool Rank::complete_several(std::vector<Request*>& active, std::vector<MPI_Request>& handles) {
  const auto cut_off = [](const Request* request) { return request->is_cut_off(); };
  std::stable_partition(active.begin(), active.end(), [&](const Request* request) { return !cut_off(request); });
  const auto all = static_cast<std::size_t>(std::find_if(active.begin(), active.end(), cut_off) - active.begin());
  handles.assign(all + 1, MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < all; ++i) handles[i + 1] = active[i]->handle;
  const int count = static_cast<int>(handles.size());
  std::vector<MPI_Status> statuses(handles.size());
  std::vector<int> indices(handles.size());
  int number = 0;
  int flag = 1;
  switch (polls_ ? 2 * random_.below(3) + 1 : random_.below(6)) {
    case 0:
      here().enter("MPI_Waitall");
      check(MPI_Waitall(count, handles.data(), statuses.data()), "MPI_Waitall");
      number = count;
      break;
    case 1:
      here().enter("MPI_Testall");
      check(MPI_Testall(count, handles.data(), &flag, statuses.data()), "MPI_Testall");
      number = flag != 0 ? count : 0;
      break;
    case 2:
      here().enter("MPI_Waitany");
      check(MPI_Waitany(count, handles.data(), indices.data(), statuses.data()), "MPI_Waitany");
      number = 1;
      break;
    case 3:
      here().enter("MPI_Testany");
      check(MPI_Testany(count, handles.data(), indices.data(), &flag, statuses.data()), "MPI_Testany");
      number = flag;
      break;
    case 4:
      here().enter("MPI_Waitsome");
      check(MPI_Waitsome(count, handles.data(), &number, indices.data(), statuses.data()), "MPI_Waitsome");
      break;
    default:
      here().enter("MPI_Testsome");
      check(MPI_Testsome(count, handles.data(), &number, indices.data(), statuses.data()), "MPI_Testsome");
  }
  if (number == 0) {
    std::this_thread::yield();
    return true;
  }
  std::vector<Request*> left = active;
  for (int i = 0; i < number; ++i) {
    const auto index =
        number == count ? static_cast<std::size_t>(i) : static_cast<std::size_t>(indices[static_cast<std::size_t>(i)]);
    if (number == count && index == 0) continue;  // the null request
    if (index == 0 || index > all) fail(text("a request that is none has completed: ", index, " of ", all));
    settle(*active[index - 1], statuses[static_cast<std::size_t>(i)]);
    std::erase(left, active[index - 1]);
  }
  active = std::move(left);
  return false;
}

void Rank::settle(Request& request, const MPI_Status& status) {
  bench::Board::instance().moved();
  ++completed_;
  const std::string wrong = request.judge(status);
  if (!wrong.empty()) fail(wrong, &request);
}

void Rank::check(int code, const char* call, const Request* request) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> told{};
  int length = 0;
  MPI_Error_string(code, told.data(), &length);
  fail(text(call, " failed: ", told.data()), request);
}

void Rank::fail(const std::string& what, const Request* request) {
  traffic::abandon(text("seed ", options_.seed, ", episode ", number_, ", round ", round_, ", rank ", place_.rank,
                        " of ", place_.size, ": ", request == nullptr ? "" : request->description() + ": ", what));
}

}  // namespace raddle::partitioned_random
