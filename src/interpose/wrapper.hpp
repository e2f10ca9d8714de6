// SPDX-License-Identifier: BSD-3-Clause
// What the generated wrappers call. They are compiled for each MPI, so this stays light.
//
// A wrapper asks the gate; that is all a call costs while there are no endpoints and nobody counts. What else there may
// be to do is in a function of its own, so that no register is saved on that way. Then it calls what would have been
// called without it: the next function of its name, which is another tool's or the MPI's. The wrappers
// of MPI_X and of PMPI_X do the same, so a call passes here whether a tool stands before Raddle, behind it, or nowhere.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <utility>

#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "endpoints/requests/polling.hpp"

#define RADDLE_ENTRY [[gnu::visibility("default")]]

namespace raddle::interpose {

using endpoints::find;
using endpoints::Kind;
using endpoints::Object;

/// Bit of the gate: calls are counted.
constexpr std::uint32_t counting = 1U << 31U;
/// What every wrapper looks for.
constexpr std::uint32_t always_watched =
    counting | endpoints::adopting | endpoints::split_world | endpoints::someone_leaves | endpoints::with_gpus;

// By number of the function, as generated. An entry is twice that number, plus one for the PMPI_ name.
extern const int functions;
extern const char* const names[];
[[gnu::visibility("hidden")]] extern void* next[];  ///< by entry: what a wrapper hands its call to
extern void (*const lacking[])();                   ///< by entry: the same where the library does not have it

/// Whether a program's calls come here. They do not where libraddle is linked behind the MPI: then it has found no
/// MPI behind itself.
extern bool calls_pass;
constexpr const char* calls_do_not_pass =
    "Raddle: the MPI calls of this program do not pass libraddle, which is linked behind the MPI. Name it before the "
    "MPI "
    "(docs/use/exec.md)";

/// The MPI's own function, where Raddle's of that name would see an endpoint: what a wrapper would call for the handle
/// of none, since an endpoint's handle is a communicator of the MPI's.
template <typename Function>
Function* the_mpis(const char* name) {
  for (int function = 0; function < functions; ++function) {
    if (std::strcmp(names[function], name) == 0) return reinterpret_cast<Function*>(next[2 * function + 1]);
  }
  return nullptr;
}

/// Ends the process, saying which function the library does not have.
[[noreturn]] void lack(int entry);

/// Whether a wrapper of a function that takes handles of these kinds has anything to do.
/// @returns what it looks for: always_watched, kinds of which there are handles, or 0
template <typename... Kinds>
[[nodiscard]] std::uint32_t watched(Kinds... kinds) {
  constexpr auto relaxed = std::memory_order_relaxed;  // why that is enough: endpoints/handles/handle_table.hpp
  return endpoints::gate.load(relaxed) & (always_watched | ... | static_cast<std::uint32_t>(kinds));
}

/// What can be said of a handle at once.
template <Kind kind>
struct Near {
  endpoints::Behind<kind>* found;
  bool sure;  ///< if nothing was found: whether there is nothing else to do, neither to look further nor to count nor
              ///< to ask which rank the thread has adopted
};

/// @param seen  what watched() has returned, of this kind only
template <Kind kind, typename Handle>
[[nodiscard, gnu::always_inline]] inline Near<kind> look_near(std::uint32_t seen, Handle handle) {
  if (seen != static_cast<std::uint32_t>(kind)) [[unlikely]]
    return {nullptr, false};
  const auto near = endpoints::handles<kind>.table.look_near(endpoints::bits(handle));
  return {static_cast<endpoints::Behind<kind>*>(near.object), near.sure};
}

template <Kind kind, typename Handle>
[[nodiscard, gnu::always_inline]] inline Near<kind> look_near_at(std::uint32_t seen, const Handle* handle) {
  return handle == nullptr ? Near<kind>{nullptr, false} : look_near<kind>(seen, *handle);
}

/// The first of an endpoint among several handles. @returns nullptr if there is none, or no array
template <Kind kind, typename Handle>
[[nodiscard]] endpoints::Behind<kind>* find_in(const Handle* handles, std::int64_t count) {
  for (std::int64_t i = 0; handles != nullptr && i < count; ++i) {
    if (auto* found = find<kind>(handles[i])) return found;
  }
  return nullptr;
}

/// Reads Raddle's settings. A bad one ends the process with a message, before MPI has begun.
void begin();

/// Counts a call.
[[gnu::cold]] void count_call(int entry);

/// Counts a call, if calls are counted.
inline void passed(int entry) {
  if ((endpoints::gate.load(std::memory_order_relaxed) & counting) != 0) [[unlikely]]
    count_call(entry);
}

// Calls that move data are counted for the rank that the calling thread has adopted: that shows that a program's
// traffic is that of endpoints.

/// While a call on an endpoint is answered: what Raddle itself calls meanwhile is not the program's.
class Answering {
 public:
  explicit Answering(bool moves) : rank_(endpoints::adopted) {
    if (rank_ == nullptr) [[likely]]
      return;
    if (depth_++ == 0 && moves) rank_->on_endpoint.fetch_add(1, std::memory_order_relaxed);
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;
  ~Answering() {
    if (rank_ != nullptr) [[unlikely]]
      --depth_;
  }

  /// Whether what is called is called by Raddle itself.
  [[nodiscard]] static bool inside() { return depth_ != 0; }

  /// A call that moves data, and not on an endpoint.
  static void past() {
    if (endpoints::adopted != nullptr && depth_ == 0) endpoints::adopted->past.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  friend class CalledBack;
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local int depth_ = 0;
  endpoints::Rank* rank_;
};

/// While a function of the program is called from inside a call: what it calls is the program's again, and what its
/// error handlers hear is no outcome of the call that it is called from.
class CalledBack {
 public:
  CalledBack() = default;
  CalledBack(const CalledBack&) = delete;
  CalledBack& operator=(const CalledBack&) = delete;
  ~CalledBack() {
    Answering::depth_ = depth_;
    endpoints::last_heard = heard_;
  }

 private:
  int depth_ = std::exchange(Answering::depth_, 0);
  endpoints::HeardErrors heard_ = endpoints::last_heard;
};

/// Whether an attribute is a predefined one (MPI-4.1 section 9.1.2): those are the job's.
inline bool is_of_the_job(int keyval) {
  for (const int one :
       {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_LASTUSEDCODE}) {
    if (keyval == one) return true;
  }
  return false;
}

/// What the program means by a communicator: where some of the job's processes are proxies, MPI_COMM_WORLD is that of
/// the others. In the calls of a thread that has adopted a rank it means something else.
inline MPI_Comm programs(MPI_Comm comm) {
  const bool other = comm == MPI_COMM_WORLD && endpoints::program_world != MPI_COMM_NULL;
  return other && endpoints::adopted == nullptr ? endpoints::program_world : comm;
}

/// The same for one attribute.
inline MPI_Comm programs(MPI_Comm comm, int keyval) { return is_of_the_job(keyval) ? comm : programs(comm); }

/// Ends the job, saying which function a rank has called that has not called MPI_Init, or has called MPI_Finalize.
[[noreturn]] void end_for_call_out_of_time(int function);

/// What a call on a communicator that is no endpoint's is about is none of a rank's MPI_COMM_WORLD and MPI_COMM_SELF:
/// those are endpoints from its MPI_Init to its MPI_Finalize.
inline void in_time(MPI_Comm comm, int function) {
  if (endpoints::adopted == nullptr || (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF)) return;
  if (endpoints::meant_by(comm) == nullptr) end_for_call_out_of_time(function);
}

/// The real communicator for what endpoints leave to the MPI: it has MPI_COMM_WORLD's attributes, name and so on, as
/// the calling thread knows it.
inline MPI_Comm real(MPI_Comm comm, bool keeps = false) {
  const Object* const rank = endpoints::adopted == nullptr ? nullptr : endpoints::meant_by(comm);
  return endpoints::late::real(rank == nullptr ? comm : rank->comm, keeps);
}
/// The same for what a duplicate has too.
inline MPI_Comm real_to_keep(MPI_Comm comm) { return real(comm, true); }
/// What ranks look up as processes do, at any time, they look up one after the other where the MPI has no lock for it:
/// nothing is held otherwise. An error handler may look something up meanwhile.
[[nodiscard]] std::unique_lock<std::recursive_mutex> turn_to_look_up();

/// Until the call is over that it is an argument of.
struct ToLook {
  MPI_Comm comm;
  std::unique_lock<std::recursive_mutex> turn{};
  operator MPI_Comm() const { return comm; }  // NOLINT(google-explicit-constructor): an argument
};

/// The real communicator that has the job's attributes.
inline MPI_Comm holder_of_the_jobs(MPI_Comm comm) {
  if (endpoints::late::is(comm)) return MPI_COMM_WORLD;
  // A communicator that is made of a session's group has them too, which not every MPI gives to Raddle's own.
  const endpoints::Endpoint* const endpoint = find<Kind::communicator>(comm);
  return endpoint != nullptr && endpoint->session_buffer() ? MPI_COMM_WORLD : comm;
}
/// As real(), for one attribute, which is looked at.
inline ToLook real_to_look(MPI_Comm comm, int keyval) {
  if (!is_of_the_job(keyval)) return {real(comm)};
  return {holder_of_the_jobs(comm), turn_to_look_up()};
}

/// Raises MPI_ERR_UNSUPPORTED_OPERATION on the endpoint, with a message that names the function.
/// @returns the error code, where the error handler returns
[[gnu::cold]] int refuse(const Object& object, int function);
inline int refuse(const endpoints::Request& request, int function) { return refuse(Object{request.comm()}, function); }
inline int refuse(const endpoints::Probed& message, int function) {
  return refuse(Object{message.endpoint().raises()}, function);
}
[[gnu::cold]] int refuse(endpoints::Window& window, int function);
[[gnu::cold]] int refuse(const endpoints::File& file, int function);
[[gnu::cold]] int refuse(const endpoints::Session& session, int function);

// Errors of calls that have no communicator are those of the process for the MPI, whose error handlers no rank has:
// they are raised once more where the rank's belong (MPI-4.1 section 9.3). raddle-ranks lets the MPI return them.

[[gnu::cold]] int raise_for_rank(int code);
[[gnu::cold]] int raise_for_rank(int code, MPI_Comm comm);

/// @param code what the MPI has returned from a call that is about no communicator
inline int of_rank(int code) {
  if (code == MPI_SUCCESS || endpoints::adopted == nullptr || Answering::inside()) [[likely]]
    return code;
  return raise_for_rank(code);
}

/// @param comm that the call was about: the MPI has raised the error there, or elsewhere as where there is none
inline int of_rank(int code, MPI_Comm comm) {
  if (code == MPI_SUCCESS || endpoints::adopted == nullptr || Answering::inside()) [[likely]]
    return code;
  return raise_for_rank(code, comm);
}

/// The MPI's window for what endpoints leave to the MPI.
MPI_Win real_window(MPI_Win window);

/// Whether the MPI may have raised an error on a window of its own: not if it has raised it elsewhere for sure.
[[gnu::cold]] bool may_be_raised_on_window(MPI_Win window);

/// @param handle  that the call was about: as of_rank() for a communicator
template <Kind kind, typename Handle>
int of_handle(int code, Handle handle) {
  if (code == MPI_SUCCESS) [[likely]]
    return code;
  if (find<kind>(handle) == nullptr) return of_rank(code);
  if constexpr (kind == Kind::window) {
    if (!may_be_raised_on_window(real_window(handle))) return of_rank(code);
  }
  return code;
}

/// @param file  that the call was about; MPI_FILE_NULL: it opens or deletes one. What the MPI has raised there is the
///   process's, as with calls that have no communicator
inline int of_file(int code, MPI_File file) {
  if (code == MPI_SUCCESS || file != MPI_FILE_NULL || endpoints::adopted == nullptr || Answering::inside()) [[likely]]
    return code;
  return endpoints::raise_on_file(file, code);
}

/// The program calls an error handler, which `find` finds. One that ends the job does so for one rank at a time.
template <typename Call>
int call_handler(const std::function<int(MPI_Errhandler*)>& find, Call&& call) {
  if (endpoints::adopted == nullptr) return std::forward<Call>(call)();
  int code = MPI_SUCCESS;
  endpoints::raise_by(find, [&] { return code = call(); }, code);
  return code;
}

/// What the MPI has said of something of its own that the program looks for. While it waits by looking, others may wait
/// for what endpoints of this process have to do.
inline int polled(int code, const int* flag, const char* call) {
  if (code == MPI_SUCCESS && flag != nullptr) endpoints::Polling::of_the_mpi(*flag != 0, call);
  return code;
}

// No exception leaves a function of C: whatever Raddle has thrown in an entry becomes an error there.

/// To be called in a handler of exceptions. @returns the error, raised on `comm`. What is not Raddle's goes on
[[gnu::cold]] int caught(MPI_Comm comm);
/// The same where the call is about no communicator.
[[gnu::cold]] int caught();

/// Does what an entry is for, of which no exception comes out. @returns its code, or the error, raised on `comm`
template <typename Action>
int barrier(MPI_Comm comm, Action&& action) {
  try {
    return std::forward<Action>(action)();
  } catch (...) {
    return caught(comm);
  }
}

/// Whether an address is null that a result is to be written to.
inline bool no_result(const void* address) { return __builtin_expect(address == nullptr ? 1 : 0, 0) != 0; }
/// The same for so many results.
inline bool no_result(const void* address, std::int64_t count) { return no_result(address) && count > 0; }
/// The same for statuses, which MPI_STATUS_IGNORE says that nobody wants. Some MPIs' is the null address.
inline bool no_status(const MPI_Status* address) { return MPI_STATUS_IGNORE != nullptr && no_result(address); }
inline bool no_status(const MPI_Status* address, std::int64_t count) { return no_status(address) && count > 0; }

/// Raises MPI_ERR_ARG on the endpoint, with a message that names the function and the parameter.
/// @returns the error code, where the error handler returns
[[gnu::cold, gnu::noinline]] int refuse_null(const Object& object, int function, const char* parameter);
[[gnu::cold, gnu::noinline]] int refuse_null(const endpoints::Request& request, int function, const char* parameter);
[[gnu::cold, gnu::noinline]] int refuse_null(const endpoints::Probed& message, int function, const char* parameter);
[[gnu::cold, gnu::noinline]] int refuse_null(endpoints::Window& window, int function, const char* parameter);
[[gnu::cold, gnu::noinline]] int refuse_null(const endpoints::File& file, int function, const char* parameter);
[[gnu::cold, gnu::noinline]] int refuse_null(const endpoints::Session& session, int function, const char* parameter);

// Buffers in the memory of a GPU, which Raddle cannot copy. Where the program has loaded no library of GPUs the gate
// says so, and with it a call that finds its endpoint at once does not come here.

/// Whether one of these buffers is in the memory of a GPU.
[[gnu::cold]] bool is_of_a_gpu(const void* buffer);
template <typename... Buffers>
bool in_a_gpu(const Buffers*... buffers) {
  if ((endpoints::gate.load(std::memory_order_relaxed) & endpoints::with_gpus) == 0) [[likely]]
    return false;
  return (is_of_a_gpu(buffers) || ...);
}

/// Raises MPI_ERR_UNSUPPORTED_OPERATION on the endpoint, with a message that names the function and the memory.
/// @returns the error code, where the error handler returns
[[gnu::cold, gnu::noinline]] int refuse_gpu(const Object& object, int function);
[[gnu::cold, gnu::noinline]] int refuse_gpu(const endpoints::Request& request, int function);
[[gnu::cold, gnu::noinline]] int refuse_gpu(const endpoints::Probed& message, int function);
[[gnu::cold, gnu::noinline]] int refuse_gpu(endpoints::Window& window, int function);
[[gnu::cold, gnu::noinline]] int refuse_gpu(const endpoints::File& file, int function);
[[gnu::cold, gnu::noinline]] int refuse_gpu(const endpoints::Session& session, int function);

// Functions that take no intercommunicator. Of several handles the first of an endpoint may be no communicator's.

inline bool two_groups(const endpoints::Endpoint& endpoint) { return endpoint.has_two_groups(); }
inline bool two_groups(const Object&) { return false; }
/// Raises MPI_ERR_COMM. @returns the error code, where the error handler returns
[[gnu::cold]] int refuse_two_groups(const Object& object);

/// Whether the calling thread has adopted a rank.
inline bool is_rank() { return endpoints::adopted != nullptr; }

}  // namespace raddle::interpose
