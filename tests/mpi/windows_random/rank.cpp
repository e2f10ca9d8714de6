// SPDX-License-Identifier: BSD-3-Clause
#include "rank.hpp"

#include <algorithm>
#include <utility>

#include "../traffic/failure.hpp"
#include "core/text.hpp"
#include "core/whereabouts.hpp"

namespace raddle::windows_random {

using bench::here;
using bench::text;
using traffic::mix;

namespace {

constexpr int cells_of_each = 4 * block;

}  // namespace

Rank::Rank(const testing::Place& place, int thread, const traffic::Options& options, traffic::Meeting& meeting)
    : EpisodeRank(place, thread, options, meeting, 99) {}

void Rank::run() {
  do_episodes([&] { episode(mix({options_.seed, static_cast<std::uint64_t>(number_)})); });
}

void Rank::episode(std::uint64_t seed) {
  std::vector<Window> windows(1 + seed % 2);
  for (std::size_t i = 0; i < windows.size(); ++i) make(windows[i], mix({seed, i, 1}));
  for (round_ = 0; round_ < 12; ++round_) {
    const std::uint64_t of_round = mix({seed, static_cast<std::uint64_t>(round_), 2});
    round(windows[of_round % windows.size()], of_round);
  }
  for (Window& window : windows) end(window);
}

void Rank::make(Window& window, std::uint64_t seed) {
  traffic::Random random(seed);
  window.element = &random.pick(elements());
  std::vector<int> flavors{MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_DYNAMIC};
  window.flavor = random.pick(flavors);
  const std::size_t size = window.element->size;
  const auto bytes = static_cast<MPI_Aint>(cells_of_each * size);
  const int unit = static_cast<int>(size);
  here().enter("making a window");
  if (window.flavor == MPI_WIN_FLAVOR_ALLOCATE) {
    check(MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, place_.comm, static_cast<void*>(&window.memory), &window.handle),
          "MPI_Win_allocate");
  } else {
    window.own.resize(static_cast<std::size_t>(bytes));
    window.memory = window.own.data();
    if (window.flavor == MPI_WIN_FLAVOR_CREATE)
      check(MPI_Win_create(window.memory, bytes, unit, MPI_INFO_NULL, place_.comm, &window.handle), "MPI_Win_create");
    else
      check(MPI_Win_create_dynamic(MPI_INFO_NULL, place_.comm, &window.handle), "MPI_Win_create_dynamic");
  }
  if (!options_.default_handlers) MPI_Win_set_errhandler(window.handle, MPI_ERRORS_RETURN);
  if (window.flavor == MPI_WIN_FLAVOR_DYNAMIC) {
    check(MPI_Win_attach(window.handle, window.memory, bytes), "MPI_Win_attach");
    MPI_Aint mine = 0;
    MPI_Get_address(window.memory, &mine);
    window.places.resize(static_cast<std::size_t>(place_.size));
    check(MPI_Allgather(&mine, 1, MPI_AINT, window.places.data(), 1, MPI_AINT, place_.comm), "MPI_Allgather");
  }
  check(MPI_Type_vector(block / 2, 1, 2, window.element->type, &window.every_second), "MPI_Type_vector");
  check(MPI_Type_commit(&window.every_second), "MPI_Type_commit");
  for (int rank = 0; rank < place_.size; ++rank) {
    Cells& cells = window.cells.emplace_back();
    for (int i = 0; i < cells_of_each; ++i) cells.push_back(value(*window.element, seed, rank, i));
  }
  for (int i = 0; i < cells_of_each; ++i)
    window.element->store(window.memory + static_cast<std::size_t>(i) * size,
                          window.cells[static_cast<std::size_t>(place_.rank)][static_cast<std::size_t>(i)]);
  check(MPI_Barrier(place_.comm), "MPI_Barrier");
}

void Rank::end(Window& window) {
  here().enter("MPI_Win_free");
  if (window.flavor == MPI_WIN_FLAVOR_DYNAMIC) {
    check(MPI_Barrier(place_.comm), "MPI_Barrier");
    check(MPI_Win_detach(window.handle, window.memory), "MPI_Win_detach");
  }
  check(MPI_Type_free(&window.every_second), "MPI_Type_free");
  check(MPI_Win_free(&window.handle), "MPI_Win_free");
}

void Rank::round(Window& window, std::uint64_t seed) {
  const auto epoch = static_cast<Epoch>(mix({seed, 3}) % 5);
  const std::vector<Task> all = tasks(seed, place_.size, cells_of_each, *window.element);
  in_epoch(window, epoch, all);
  for (const Task& task : all)
    apply(task, *window.element, place_.size, window.cells[static_cast<std::size_t>(task.target)]);
  look_at_results(window);
  here().enter("MPI_Barrier after an epoch");
  check(MPI_Barrier(place_.comm), "MPI_Barrier");
  if (epoch == Epoch::fence || epoch == Epoch::post) {
    look_at_own(window);
  } else {
    check(MPI_Win_lock(MPI_LOCK_SHARED, place_.rank, 0, window.handle), "MPI_Win_lock");
    look_at_own(window);
    check(MPI_Win_unlock(place_.rank, window.handle), "MPI_Win_unlock");
  }
  check(MPI_Barrier(place_.comm), "MPI_Barrier");
}

void Rank::in_epoch(Window& window, Epoch epoch, const std::vector<Task>& tasks) {
  const auto each = [&](auto&& act) {
    std::vector<const Task*> mine;
    for (const Task& task : tasks) mine.push_back(&task);
    random_.shuffle(mine);
    for (const Task* const task : mine) act(*task);
  };
  const MPI_Win handle = window.handle;
  if (epoch == Epoch::fence) {
    here().enter("MPI_Win_fence");
    check(MPI_Win_fence(0, handle), "MPI_Win_fence");
    each([&](const Task& task) { perform(window, task, false); });
    check(MPI_Win_fence(MPI_MODE_NOSUCCEED, handle), "MPI_Win_fence");
  } else if (epoch == Epoch::post) {
    here().enter("MPI_Win_post, _start, _complete and _wait");
    MPI_Group all = MPI_GROUP_NULL;
    check(MPI_Comm_group(place_.comm, &all), "MPI_Comm_group");
    check(MPI_Win_post(all, 0, handle), "MPI_Win_post");
    check(MPI_Win_start(all, 0, handle), "MPI_Win_start");
    each([&](const Task& task) { perform(window, task, false); });
    check(MPI_Win_complete(handle), "MPI_Win_complete");
    check(MPI_Win_wait(handle), "MPI_Win_wait");
    check(MPI_Group_free(&all), "MPI_Group_free");
  } else if (epoch == Epoch::lock_all) {
    here().enter("MPI_Win_lock_all");
    check(MPI_Win_lock_all(0, handle), "MPI_Win_lock_all");
    each([&](const Task& task) {
      perform(window, task, true);
      if (random_.chance(30)) check(MPI_Win_flush(task.target, handle), "MPI_Win_flush");
    });
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    requests_.clear();
    if (random_.chance(50)) check(MPI_Win_flush_all(handle), "MPI_Win_flush_all");
    check(MPI_Win_unlock_all(handle), "MPI_Win_unlock_all");
  } else {
    here().enter("MPI_Win_lock");
    const int type = epoch == Epoch::exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
    each([&](const Task& task) {
      check(MPI_Win_lock(type, task.target, 0, handle), "MPI_Win_lock");
      perform(window, task, false);
      check(MPI_Win_unlock(task.target, handle), "MPI_Win_unlock");
    });
  }
}

std::vector<std::byte>& Rank::buffer(std::size_t bytes) { return buffers_.emplace_back(bytes); }

Rank::Read& Rank::read(const Window& window, const Task& task, const char* call, std::vector<std::int64_t> expected) {
  const std::size_t bytes = expected.size() * window.element->size;
  return reads_.emplace_back(Read{std::vector<std::byte>(bytes), std::move(expected), &task, call});
}

MPI_Aint Rank::at(const Window& window, int target, int cell) const {
  if (window.flavor != MPI_WIN_FLAVOR_DYNAMIC) return cell;
  return MPI_Aint_add(window.places[static_cast<std::size_t>(target)],
                      static_cast<MPI_Aint>(static_cast<std::size_t>(cell) * window.element->size));
}

void Rank::perform(Window& window, const Task& task, bool requests) {
  const bool everybodys = task.duty == Duty::get || task.duty == Duty::sum || task.duty == Duty::greatest;
  if (task.duty == Duty::none || (!everybodys && task.owner != place_.rank)) return;
  ++operations_;
  if (task.duty == Duty::steps) return perform_steps(window, task);
  const Element& element = *window.element;
  const int count = task.strided ? block / 2 : block;
  const MPI_Datatype type = task.strided ? window.every_second : element.type;
  const int count_there = task.strided ? 1 : block;
  const MPI_Aint there = at(window, task.target, task.first);
  std::vector<std::int64_t> now;
  const Cells& cells = window.cells[static_cast<std::size_t>(task.target)];
  for (int i = 0; i < block; i += task.strided ? 2 : 1) {
    now.push_back(task.duty == Duty::get ? cells[static_cast<std::size_t>(task.first + i)]
                                         : value(element, task.seed, place_.rank, i));
  }
  requests = requests && random_.chance(50);
  MPI_Request* const request = requests ? &requests_.emplace_back(MPI_REQUEST_NULL) : nullptr;
  if (task.duty == Duty::get) {
    Read& result = read(window, task, requests ? "MPI_Rget" : "MPI_Get", now);
    check(requests
              ? MPI_Rget(result.bytes.data(), count, element.type, task.target, there, count_there, type, window.handle,
                         request)
              : MPI_Get(result.bytes.data(), count, element.type, task.target, there, count_there, type, window.handle),
          result.call);
    return;
  }
  std::vector<std::byte>& sent = buffer(static_cast<std::size_t>(count) * element.size);
  for (std::size_t i = 0; i < now.size(); ++i) element.store(sent.data() + i * element.size, now[i]);
  if (task.duty == Duty::put) {
    check(requests ? MPI_Rput(sent.data(), count, element.type, task.target, there, count_there, type, window.handle,
                              request)
                   : MPI_Put(sent.data(), count, element.type, task.target, there, count_there, type, window.handle),
          "MPI_Put");
    return;
  }
  const MPI_Op op = task.duty == Duty::sum ? MPI_SUM : MPI_MAX;
  check(requests ? MPI_Raccumulate(sent.data(), count, element.type, task.target, there, count_there, type, op,
                                   window.handle, request)
                 : MPI_Accumulate(sent.data(), count, element.type, task.target, there, count_there, type, op,
                                  window.handle),
        "MPI_Accumulate");
}

void Rank::perform_steps(Window& window, const Task& task) {
  const Element& element = *window.element;
  Cells cells = window.cells[static_cast<std::size_t>(task.target)];
  for (const Step& step : steps(task, element, cells)) {
    std::vector<std::byte>& sent = buffer(static_cast<std::size_t>(step.count) * element.size);
    for (std::size_t i = 0; i < step.operands.size(); ++i)
      element.store(sent.data() + i * element.size, step.operands[i]);
    const MPI_Aint there = at(window, task.target, task.first + step.cell);
    switch (step.call) {
      case Step::Call::accumulate:
        check(MPI_Accumulate(sent.data(), step.count, element.type, task.target, there, step.count, element.type,
                             step.op, window.handle),
              "MPI_Accumulate");
        break;
      case Step::Call::get_accumulate: {
        Read& result = read(window, task, "MPI_Get_accumulate", step.before);
        check(MPI_Get_accumulate(sent.data(), step.count, element.type, result.bytes.data(), step.count, element.type,
                                 task.target, there, step.count, element.type, step.op, window.handle),
              "MPI_Get_accumulate");
        break;
      }
      case Step::Call::fetch_and_op: {
        Read& result = read(window, task, "MPI_Fetch_and_op", step.before);
        check(MPI_Fetch_and_op(sent.data(), result.bytes.data(), element.type, task.target, there, step.op,
                               window.handle),
              "MPI_Fetch_and_op");
        break;
      }
      case Step::Call::compare_and_swap: {
        std::vector<std::byte>& expected = buffer(element.size);
        element.store(expected.data(), step.expected);
        Read& result = read(window, task, "MPI_Compare_and_swap", step.before);
        check(MPI_Compare_and_swap(sent.data(), expected.data(), result.bytes.data(), element.type, task.target, there,
                                   window.handle),
              "MPI_Compare_and_swap");
        break;
      }
    }
  }
}

void Rank::look_at_results(const Window& window) {
  for (const Read& one : reads_) {
    for (std::size_t i = 0; i < one.expected.size(); ++i) {
      const std::int64_t got = window.element->load(one.bytes.data() + i * window.element->size);
      if (got != one.expected[i])
        fail(text(one.call, " of ", window.element->name, " at rank ", one.task->target, ", cell ", one.task->first,
                  " and so on: number ", i, " is ", got, " and has to be ", one.expected[i]));
    }
  }
  reads_.clear();
  buffers_.clear();
}

void Rank::look_at_own(Window& window) {
  const Cells& cells = window.cells[static_cast<std::size_t>(place_.rank)];
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::int64_t found = window.element->load(window.memory + i * window.element->size);
    if (found != cells[i])
      fail(text("its own memory of ", window.element->name, ": cell ", i, " is ", found, " and has to be ", cells[i]));
  }
}

void Rank::check(int code, const char* call) {
  if (code == MPI_SUCCESS) return bench::Board::instance().moved();
  char words[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, words, &length);
  fail(text(call, " returned an error: ", words));
}

void Rank::fail(const std::string& what) {
  traffic::abandon(text("seed ", options_.seed, ", episode ", number_, ", round ", round_, ", rank ", place_.rank,
                        " of ", place_.size, ": ", what));
}

}  // namespace raddle::windows_random
