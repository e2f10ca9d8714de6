// SPDX-License-Identifier: BSD-3-Clause
// Windows of endpoints: chapter 12 of MPI-4.1.
#include "endpoints/windows/window.hpp"

#include <utility>
#include <vector>

#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "endpoints/windows/at_once.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "interpose/on_endpoint/raised.hpp"
#include "interpose/wrapper.hpp"

namespace raddle::interpose {

MPI_Win real_window(MPI_Win window) {
  endpoints::Window* const found = find<Kind::window>(window);
  return found == nullptr ? window : found->real();
}

}  // namespace raddle::interpose

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Failure;
using endpoints::WindowArguments;

int make(Endpoint& endpoint, const char* call, const WindowArguments& arguments, MPI_Win* window,
         void* base = nullptr) {
  *window = MPI_WIN_NULL;
  try {
    Window& made = Window::make(endpoint, call, arguments);
    *window = made.handle();
    if (base != nullptr) *static_cast<void**>(base) = made.base();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return endpoints::raise(endpoint.comm, failure);
  }
}

/// The buffer of what is sent is only read.
void* unconst(const void* buffer) {
  return const_cast<void*>(buffer);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

// What calls do that do not go the short way, each with the arguments of its own: so that one is a jump, and the short
// way saves no register. Exceptions end here.

template <typename Action>
int at_length(Window& window, Action&& action) {
  return barrier(MPI_COMM_NULL, [&] { return raised(window, std::forward<Action>(action)); });
}

[[gnu::noinline]] int put(const void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement,
                          MPI_Count there, MPI_Datatype type_there, Window& window) {
  return at_length(window, [&]() -> int {
    return window.put({unconst(origin), count, type}, {rank, displacement, there, type_there});
  });
}

[[gnu::noinline]] int get(void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement,
                          MPI_Count there, MPI_Datatype type_there, Window& window) {
  return at_length(window, [&]() -> int {
    return window.get({origin, count, type}, {rank, displacement, there, type_there}, nullptr);
  });
}

[[gnu::noinline]] int accumulate(const void* origin, MPI_Count count, MPI_Datatype type, int rank,
                                 MPI_Aint displacement, MPI_Count there, MPI_Datatype type_there, MPI_Op op,
                                 Window& window) {
  return at_length(window, [&]() -> int {
    return window.accumulate({unconst(origin), count, type}, {rank, displacement, there, type_there}, op);
  });
}

[[gnu::noinline]] int get_accumulate(const void* origin, MPI_Count count, MPI_Datatype type, void* result,
                                     MPI_Count result_count, MPI_Datatype result_type, int rank, MPI_Aint displacement,
                                     MPI_Count there, MPI_Datatype type_there, MPI_Op op, Window& window) {
  return at_length(window, [&]() -> int {
    if (result_type == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
    return window.get_accumulate({unconst(origin), count, type}, {result, result_count, result_type},
                                 {rank, displacement, there, type_there}, op, nullptr);
  });
}

[[gnu::noinline]] int fetch_and_op(const void* origin, void* result, MPI_Datatype type, int rank, MPI_Aint displacement,
                                   MPI_Op op, Window& window) {
  return at_length(window, [&]() -> int {
    if (type == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
    return window.fetch_and_op(origin, result, type, rank, displacement, op);
  });
}

[[gnu::noinline]] int compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type,
                                       int rank, MPI_Aint displacement, Window& window) {
  return at_length(window,
                   [&]() -> int { return window.compare_and_swap(origin, compare, result, type, rank, displacement); });
}

[[gnu::noinline]] int lock(int type, int rank, int assertion, Window& window) {
  return at_length(window, [&]() -> int { return window.lock(type, rank, assertion); });
}

[[gnu::noinline]] int unlock(int rank, Window& window) {
  return at_length(window, [&]() -> int { return window.unlock(rank); });
}

[[gnu::noinline]] int flush(int rank, Window& window) {
  return at_length(window, [&]() -> int { return window.flush(rank); });
}

/// The request of an operation that may be complete already.
template <typename Begin>
int requested(Window& window, MPI_Request* request, Begin&& begin) {
  return raised(window, [&]() -> int {
    endpoints::Request* made = &endpoints::CompleteRequest::sent();
    const int code = begin(&made);
    if (code == MPI_SUCCESS) *request = made->handle();
    return code;
  });
}

/// Does it with the members of a group, which may have no endpoint that the table knows: a group of nobody.
template <typename Action>
int with_members(Window& window, MPI_Group group, Action&& action) {
  return raised(window, [&]() -> int {
    if (group == MPI_GROUP_NULL) return MPI_ERR_GROUP;
    const auto* const found = endpoints::find<endpoints::Kind::group>(group);
    return found != nullptr ? action(found->members()) : action(endpoints::members_of_group(group));
  });
}

int start(Window& window, MPI_Group group, int assertion) {
  return with_members(window, group, [&](const auto& members) { return window.start(members, assertion); });
}

int post(Window& window, MPI_Group group, int assertion) {
  return with_members(window, group, [&](const auto& members) { return window.post(members, assertion); });
}

/// A group of endpoints, and whatever window. @returns nullptr if that is no endpoint's: the error has been raised
/// there
Window* window_of(MPI_Win window, int& code) {
  Window* const found = endpoints::find<endpoints::Kind::window>(window);
  if (found == nullptr) {
    code = endpoints::error_with(MPI_ERR_GROUP, "Raddle: a group of endpoints for a window without any");
    if (window == MPI_WIN_NULL)
      endpoints::raise(endpoints::without_communicator(), MPI_ERR_WIN);
    else
      endpoints::raise_on_window(window, code);
  }
  return found;
}

}  // namespace

int Win_create(void* base, MPI_Aint size, MPI_Aint unit, MPI_Info info, Endpoint& endpoint, MPI_Win* window) {
  return make(endpoint, "MPI_Win_create", {MPI_WIN_FLAVOR_CREATE, base, size, unit, info}, window);
}

int Win_allocate(MPI_Aint size, MPI_Aint unit, MPI_Info info, Endpoint& endpoint, void* base, MPI_Win* window) {
  return make(endpoint, "MPI_Win_allocate", {MPI_WIN_FLAVOR_ALLOCATE, nullptr, size, unit, info}, window, base);
}

int Win_allocate_shared(MPI_Aint size, MPI_Aint unit, MPI_Info info, Endpoint& endpoint, void* base, MPI_Win* window) {
  return make(endpoint, "MPI_Win_allocate_shared", {MPI_WIN_FLAVOR_SHARED, nullptr, size, unit, info}, window, base);
}

int Win_create_dynamic(MPI_Info info, Endpoint& endpoint, MPI_Win* window) {
  return make(endpoint, "MPI_Win_create_dynamic", {MPI_WIN_FLAVOR_DYNAMIC, nullptr, 0, 1, info}, window);
}

int Win_free(Window& found, MPI_Win* window) {
  int code = MPI_SUCCESS;
  try {
    code = found.free(*window);
  } catch (const Failure& failure) {
    code = failure.code;
  }
  return code == MPI_SUCCESS || *window == MPI_WIN_NULL ? code : found.raise(code);
}

int Win_attach(Window& window, void* base, MPI_Aint size) {
  return raised(window, [&]() -> int { return window.attach(base, size); });
}

int Win_detach(Window& window, const void* base) {
  return raised(window, [&]() -> int { return window.detach(base); });
}

int shared_query(Window& window, int rank, MPI_Aint& size, MPI_Aint& unit, void* base) {
  return raised(window, [&]() -> int {
    Window::Segment found;
    const int code = window.segment(rank, found);
    size = found.bytes;
    unit = found.unit;
    *static_cast<void**>(base) = found.base;
    return code;
  });
}

int Win_get_attr(Window& window, int keyval, void* value, int* flag) {
  const auto tell = [&](const void* what) {
    *static_cast<const void**>(value) = what;
    *flag = 1;
    return MPI_SUCCESS;
  };
  static const int model = MPI_WIN_UNIFIED;
  if (keyval == MPI_WIN_BASE) return tell(window.base());
  if (keyval == MPI_WIN_SIZE) return tell(&window.bytes());
  if (keyval == MPI_WIN_DISP_UNIT) return tell(&window.unit());
  if (keyval == MPI_WIN_CREATE_FLAVOR) return tell(&window.flavor());
  if (keyval == MPI_WIN_MODEL) return tell(&model);
  static const auto ask = the_mpis<decltype(PMPI_Win_get_attr)>("MPI_Win_get_attr");
  return ask(window.real(), keyval, value, flag);
}

int Win_get_group(Window& window, MPI_Group* group) {
  return raised(window, [&]() -> int {
    *group = group_of(window.endpoint(), Side::own);
    return MPI_SUCCESS;
  });
}

// Those that are called most are reached by a jump, and have no barrier outside: see generator/wrappers.py.

int Put(const void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
        MPI_Datatype type_there, Window& window) {
  if (window.put_at_once({unconst(origin), count, type}, {rank, displacement, there, type_there})) return MPI_SUCCESS;
  return put(origin, count, type, rank, displacement, there, type_there, window);
}

int Get(void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
        MPI_Datatype type_there, Window& window) {
  if (window.get_at_once({origin, count, type}, {rank, displacement, there, type_there})) return MPI_SUCCESS;
  return get(origin, count, type, rank, displacement, there, type_there, window);
}

int Accumulate(const void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
               MPI_Datatype type_there, MPI_Op op, Window& window) {
  if (window.accumulate_at_once({unconst(origin), count, type}, {rank, displacement, there, type_there}, op))
    return MPI_SUCCESS;
  return accumulate(origin, count, type, rank, displacement, there, type_there, op, window);
}

int Get_accumulate(const void* origin, MPI_Count count, MPI_Datatype type, void* result, MPI_Count result_count,
                   MPI_Datatype result_type, int rank, MPI_Aint displacement, MPI_Count there, MPI_Datatype type_there,
                   MPI_Op op, Window& window) {
  if (window.get_accumulate_at_once({unconst(origin), count, type}, {result, result_count, result_type},
                                    {rank, displacement, there, type_there}, op))
    return MPI_SUCCESS;
  return get_accumulate(origin, count, type, result, result_count, result_type, rank, displacement, there, type_there,
                        op, window);
}

int Fetch_and_op(const void* origin, void* result, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Op op,
                 Window& window) {
  if (window.fetch_and_op_at_once(origin, result, type, rank, displacement, op)) return MPI_SUCCESS;
  return fetch_and_op(origin, result, type, rank, displacement, op, window);
}

int Compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type, int rank,
                     MPI_Aint displacement, Window& window) {
  if (window.compare_and_swap_at_once(origin, compare, result, type, rank, displacement)) return MPI_SUCCESS;
  return compare_and_swap(origin, compare, result, type, rank, displacement, window);
}

int Rput(const void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
         MPI_Datatype type_there, Window& window, MPI_Request* request) {
  return requested(window, request, [&](endpoints::Request**) {  // the origin's buffer is free when it returns
    return window.put({unconst(origin), count, type}, {rank, displacement, there, type_there});
  });
}

int Rget(void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
         MPI_Datatype type_there, Window& window, MPI_Request* request) {
  return requested(window, request, [&](endpoints::Request** made) {
    return window.get({origin, count, type}, {rank, displacement, there, type_there}, made);
  });
}

int Raccumulate(const void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement,
                MPI_Count there, MPI_Datatype type_there, MPI_Op op, Window& window, MPI_Request* request) {
  return requested(window, request, [&](endpoints::Request**) {
    return window.accumulate({unconst(origin), count, type}, {rank, displacement, there, type_there}, op);
  });
}

int Rget_accumulate(const void* origin, MPI_Count count, MPI_Datatype type, void* result, MPI_Count result_count,
                    MPI_Datatype result_type, int rank, MPI_Aint displacement, MPI_Count there, MPI_Datatype type_there,
                    MPI_Op op, Window& window, MPI_Request* request) {
  if (result_type == MPI_DATATYPE_NULL) return window.raise(MPI_ERR_TYPE);
  return requested(window, request, [&](endpoints::Request** made) {
    return window.get_accumulate({unconst(origin), count, type}, {result, result_count, result_type},
                                 {rank, displacement, there, type_there}, op, made);
  });
}

int Win_fence(int assertion, Window& window) {
  return raised(window, [&]() -> int { return window.fence(assertion); });
}

int Win_start(Window& found, MPI_Group group, int assertion, MPI_Win) { return start(found, group, assertion); }
int Win_post(Window& found, MPI_Group group, int assertion, MPI_Win) { return post(found, group, assertion); }

int Win_start(const Group&, MPI_Group group, int assertion, MPI_Win window) {
  int code = MPI_SUCCESS;
  Window* const found = window_of(window, code);
  return found == nullptr ? code : start(*found, group, assertion);
}

int Win_post(const Group&, MPI_Group group, int assertion, MPI_Win window) {
  int code = MPI_SUCCESS;
  Window* const found = window_of(window, code);
  return found == nullptr ? code : post(*found, group, assertion);
}

int Win_complete(Window& window) {
  return raised(window, [&]() -> int { return window.complete(); });
}

int Win_wait(Window& window) {
  return raised(window, [&]() -> int { return window.wait(); });
}

int Win_test(Window& window, int* flag) {
  return raised(window, [&]() -> int {
    bool is = false;
    const int code = window.test(is);
    *flag = is ? 1 : 0;
    return code;
  });
}

int Win_lock(int type, int rank, int assertion, Window& window) {
  if (window.lock_at_once(type, rank, assertion)) return MPI_SUCCESS;
  return lock(type, rank, assertion, window);
}

int Win_unlock(int rank, Window& window) {
  if (window.unlock_at_once(rank)) return MPI_SUCCESS;
  return unlock(rank, window);
}

int Win_lock_all(int assertion, Window& window) {
  return raised(window, [&]() -> int { return window.lock_all(assertion); });
}

int Win_unlock_all(Window& window) {
  return raised(window, [&]() -> int { return window.unlock_all(); });
}

int Win_flush(int rank, Window& window) {
  if (window.flush_at_once(rank)) return MPI_SUCCESS;
  return flush(rank, window);
}

int Win_flush_all(Window& window) {
  return raised(window, [&]() -> int { return window.flush_all(); });
}

// What has been asked for and has data to come is waited for; all else is complete at the origin when it returns.
int Win_flush_local(int rank, Window& window) { return Win_flush(rank, window); }
int Win_flush_local_all(Window& window) { return Win_flush_all(window); }

int Win_sync(Window& window) {
  return raised(window, [&]() -> int { return window.sync(); });
}

}  // namespace raddle::interpose::on_endpoint
