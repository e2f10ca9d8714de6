// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/windows/window.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <type_traits>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/communicators/derive.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/late_numbers.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "endpoints/windows/service.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

/// Who makes or frees a handle holds it: all are made on the same communicator, and MPICH 5.0 crashes where one thread
/// makes a window while another frees one. Recursive: an attribute's delete function may free a window.
std::recursive_mutex& handles_of_windows() {
  static auto& guard = *new std::recursive_mutex;  // destructors of the program may free windows
  return guard;
}

/// MPICH's windows take one of its communicators each, of which it has some 2000 (platform::quirks()). After so many
/// windows of a process others get a handle that is a number, as communicators do (own_handle.hpp), and a window of the
/// MPI's when something is to be kept with it.
constexpr std::size_t most_real = 256;

/// MPICH takes these for no windows: they count from MPI_WIN_NULL. Templates, since handles may be no numbers.
constexpr bool late_possible = std::is_integral_v<MPI_Win>;

template <typename Handle = MPI_Win>
Handle late_handle(unsigned number) {
  if constexpr (std::is_integral_v<Handle>)
    return static_cast<Handle>(static_cast<unsigned>(static_cast<Handle>(MPI_WIN_NULL)) + number);
  else
    return MPI_WIN_NULL;
}

template <typename Handle>
unsigned number_of([[maybe_unused]] Handle late) {
  if constexpr (std::is_integral_v<Handle>)
    return static_cast<unsigned>(late) - static_cast<unsigned>(static_cast<Handle>(MPI_WIN_NULL));
  else
    return 0;
}

/// Of this process; who looks holds handles_of_windows().
struct RealWindows {
  std::size_t all = 0;
  late::Numbers numbers;
};

RealWindows& real_windows() {
  static auto& lasting = *new RealWindows;
  return lasting;
}

/// MPI_WIN_NULL if there is none left.
MPI_Win allocate(MPI_Info info) {
  const AsProcess process;
  void* nothing = nullptr;
  MPI_Win made = MPI_WIN_NULL;
  if (platform::quirks().scarce_communicators) {  // MPICH 5.0 crashes where it has none left for a window
    MPI_Comm one = own_comm();
    if (one == MPI_COMM_NULL) return made;
    platform::regardless(PMPI_Comm_free(&one));
  }
  if (PMPI_Win_allocate(0, 1, info, MPI_COMM_SELF, static_cast<void*>(&nothing), &made) != MPI_SUCCESS)
    return MPI_WIN_NULL;
  ++real_windows().all;
  return made;
}

int check_arguments(const WindowArguments& arguments) {
  if (arguments.size < 0) return MPI_ERR_SIZE;
  if (arguments.unit <= 0) return MPI_ERR_DISP;
  if (arguments.flavor == MPI_WIN_FLAVOR_CREATE && arguments.base == nullptr && arguments.size > 0) return MPI_ERR_BASE;
  return MPI_SUCCESS;
}

}  // namespace

Window& Window::make(Endpoint& parent, const char* call, const WindowArguments& arguments) {
  Newcomer newcomer{.births = of_all};
  newcomer.code = check_arguments(arguments);
  newcomer.handle = own_handle(parent.comm);
  if (newcomer.code == MPI_SUCCESS && newcomer.handle == MPI_COMM_NULL) newcomer.code = no_communicators_left();
  if (newcomer.code != MPI_SUCCESS) newcomer.given.error_class = platform::class_of(newcomer.code);
  derive(parent, call, call_of_all(parent.next_call()), newcomer);
  if (!newcomer.member) {
    if (newcomer.handle != MPI_COMM_NULL) free_own_handle(newcomer.handle);
    throw Failure(newcomer.code, newcomer.raised);
  }
  return platform::relied_on(call, [&]() -> Window& {
    Window* window = nullptr;  // ends with free()
    try {
      window = new Window(*find<Kind::communicator>(newcomer.handle), arguments);
    } catch (const Failure& failure) {
      if (failure.of_all) platform::regardless(PMPI_Comm_free(&newcomer.handle));
      throw;
    }
    if (!arguments.own) insert<Kind::window>(window->handle_, *window);
    check(PMPI_Barrier(window->endpoint_.comm));  // nobody asks one who does not answer yet
    return *window;
  });
}

Window::Window(Endpoint& endpoint, const WindowArguments& arguments)
    : endpoint_(endpoint),
      bytes_(arguments.size),
      unit_(static_cast<int>(arguments.unit)),
      flavor_(arguments.flavor),
      own_control_(nullptr, nullptr),
      own_memory_(nullptr, nullptr),
      targets_(static_cast<std::size_t>(endpoint.size())) {
  expose(arguments);
  service_ = static_cast<Service*>(&endpoint_.extension([&] { return std::make_unique<Service>(*this); }));
  if (!arguments.own) make_handle(arguments.info);
}

Window::~Window() = default;

void Window::make_handle(MPI_Info info) {
  const std::lock_guard lock(handles_of_windows());
  if (late_possible && platform::quirks().scarce_communicators && real_windows().all >= most_real) {
    if (info != MPI_INFO_NULL) platform::must("MPI_Info_dup", PMPI_Info_dup(info, &hints_));
    handle_ = late_handle(real_windows().numbers.take());
    return;
  }
  real_ = handle_ = allocate(info);
  if (handle_ == MPI_WIN_NULL) throw Failure(no_communicators_left());
}

MPI_Win Window::real() {
  // No lock where there is one: whoever frees another window may wait, with the lock, in the program's delete function.
  if (const MPI_Win found = real_.load(std::memory_order_acquire); found != MPI_WIN_NULL) return found;
  const std::lock_guard lock(handles_of_windows());
  MPI_Win made = real_.load(std::memory_order_relaxed);
  if (made == MPI_WIN_NULL) {
    made = allocate(hints_);
    if (made != MPI_WIN_NULL) insert<Kind::window>(made, *this);  // as callbacks of the program know it
    real_.store(made, std::memory_order_release);
  }
  return made;
}

int Window::free_handle() {
  const std::lock_guard lock(handles_of_windows());
  const bool late = handle_ != real_;
  const MPI_Win freed = real_;
  erase<Kind::window>(handle_);  // first, since the MPI may give it out again at once
  if (freed != MPI_WIN_NULL) {
    if (late) erase<Kind::window>(freed);
    MPI_Win gone = freed;
    if (const int code = PMPI_Win_free(&gone); code != MPI_SUCCESS) {
      insert<Kind::window>(handle_, *this);
      if (late) insert<Kind::window>(freed, *this);
      return code;
    }
    real_ = MPI_WIN_NULL;
    --real_windows().all;
  }
  if (late) real_windows().numbers.give_back(number_of(handle_));
  if (hints_ != MPI_INFO_NULL) platform::regardless(PMPI_Info_free(&hints_));
  return MPI_SUCCESS;
}

int Window::free(MPI_Win& handle) {
  if (posted_.open || has_access(any))
    return error_with(MPI_ERR_RMA_SYNC, "Raddle: MPI_Win_free in an epoch of the window");
  wait_for_all("MPI_Win_free");
  check(PMPI_Barrier(endpoint_.comm));
  if (handle_ != MPI_WIN_NULL) {  // by the rank, whose the program's delete functions are
    if (const int code = free_handle(); code != MPI_SUCCESS) return code;
  }
  service_->close();
  MPI_Comm freed = endpoint_.comm;
  delete this;
  handle = MPI_WIN_NULL;
  return PMPI_Comm_free(&freed);
}

int Window::attach(void* base, MPI_Aint bytes) {
  if (flavor_ != MPI_WIN_FLAVOR_DYNAMIC) return MPI_ERR_RMA_FLAVOR;
  if (bytes < 0) return MPI_ERR_SIZE;
  const auto at = reinterpret_cast<std::uintptr_t>(base);
  const auto next = attached_.lower_bound(at);
  const bool meets_next = next != attached_.end() && next->first < at + static_cast<std::uintptr_t>(bytes);
  const bool meets_last =
      next != attached_.begin() && std::prev(next)->first + static_cast<std::uintptr_t>(std::prev(next)->second) > at;
  if (bytes > 0 && (meets_next || meets_last))
    return error_with(MPI_ERR_RMA_ATTACH, "Raddle: some of this memory has been attached to the window already");
  attached_[at] = bytes;
  return MPI_SUCCESS;
}

int Window::detach(const void* base) {
  if (flavor_ != MPI_WIN_FLAVOR_DYNAMIC) return MPI_ERR_RMA_FLAVOR;
  return attached_.erase(reinterpret_cast<std::uintptr_t>(base)) != 0 ? MPI_SUCCESS : MPI_ERR_BASE;
}

int Window::segment(int rank, Segment& found) const {
  found = {};
  if (rank == MPI_PROC_NULL) {
    for (rank = 0; rank + 1 < size() && target(rank).bytes == 0; ++rank) {
    }
    if (target(rank).bytes == 0) return MPI_SUCCESS;
  }
  if (rank < 0 || rank >= size()) return MPI_ERR_RANK;
  const Target& there = target(rank);
  if (flavor_ == MPI_WIN_FLAVOR_DYNAMIC) return MPI_ERR_RMA_FLAVOR;
  if (there.reach == Reach::mapped)
    found = {there.bytes == 0 ? nullptr : reinterpret_cast<void*>(there.at), there.bytes, there.unit};
  return MPI_SUCCESS;
}

int Window::raise(int code) {
  if (code == MPI_SUCCESS) return code;
  const MPI_Win heard = real();
  // Without a window of the MPI's the program has set no error handler.
  return heard != MPI_WIN_NULL ? raise_on_window(heard, code) : raise_without_world(code);
}

}  // namespace raddle::endpoints
