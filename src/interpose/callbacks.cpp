// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/callbacks.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/files/null_file.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "interpose/fortran.hpp"
#include "interpose/wrapper.hpp"

namespace raddle::interpose::callbacks {
namespace {

/// As the program calls it.
MPI_Comm named(MPI_Comm real) {
  const MPI_Comm comm = endpoints::late::handle_of(real);
  if (const endpoints::Rank* const rank = endpoints::adopted; rank != nullptr) {
    if (rank->world != nullptr && rank->world->comm == comm) return MPI_COMM_WORLD;
    if (rank->self != nullptr && rank->self->comm == comm) return MPI_COMM_SELF;
    return comm;
  }
  return comm != MPI_COMM_NULL && comm == endpoints::program_world ? MPI_COMM_WORLD : comm;
}

MPI_File named(MPI_File real) {
  const endpoints::Rank* const rank = endpoints::adopted;
  return rank != nullptr && real == endpoints::null_file::of(*rank) ? MPI_FILE_NULL : real;
}

/// Error handlers of communicators, or of files: handles of other kinds.
template <typename Handle>
class Handlers {
 public:
  using Function = void(Handle*, int*, ...);

  /// What calls the program's.
  static Function* before(Function* programs) {
    static constexpr auto functions = functions_of(std::make_index_sequence<most>{});
    if (programs == nullptr) return programs;  // the MPI's to refuse
    for (std::size_t which = 0; which < most; ++which) {
      Function* there = nullptr;
      if (all[which].compare_exchange_strong(there, programs, std::memory_order_acq_rel) || there == programs)
        return functions[which];
    }
    return programs;  // more than anybody has: it is told what the MPI knows
  }

 private:
  static constexpr std::size_t most = 512;
  /// The program's, in the order in which they have come.
  static inline std::array<std::atomic<Function*>, most> all{};

  /// A handler is told nothing that would say which one it is, and MPICH lets it ask for nothing: so each has a
  /// function.
  template <std::size_t which>
  static void on_error(Handle* handle, int* code, ...) {
    {
      const CalledBack called_back;
      Handle told = named(*handle);
      all[which].load(std::memory_order_acquire)(&told, code);
    }
    ++endpoints::last_heard.errors;
    endpoints::last_heard.last = *code;
  }

  template <std::size_t... each>
  static constexpr std::array<Function*, most> functions_of(std::index_sequence<each...>) {
    return {on_error<each>...};
  }
};

int on_copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  const auto& programs = *static_cast<const Keyval*>(extra);
  const CalledBack called_back;
  return programs.copy(named(comm), key, programs.extra, in, out, flag);
}

int on_delete(MPI_Comm comm, int key, void* attribute, void* extra) {
  const auto& programs = *static_cast<const Keyval*>(extra);
  const CalledBack called_back;
  return programs.remove(named(comm), key, attribute, programs.extra);
}

/// Lasts as long as the process: attributes may outlive their key, and those of MPI_COMM_SELF the program.
const Keyval& kept(const Keyval& programs) {
  static std::mutex guard;
  static auto& all =
      *new std::map<std::tuple<MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*, void*>, Keyval>;
  const std::lock_guard lock(guard);
  return all.try_emplace({programs.copy, programs.remove, programs.extra}, programs).first->second;
}

}  // namespace

MPI_Comm_errhandler_function* error_handler(MPI_Comm_errhandler_function* programs) {
  return Handlers<MPI_Comm>::before(programs);
}

MPI_File_errhandler_function* file_error_handler(MPI_File_errhandler_function* programs, const void* caller) {
  return fortran::calls_from(caller) ? programs : Handlers<MPI_File>::before(programs);
}

Keyval keyval(const Keyval& programs, const void* caller) {
  // What is no function is the MPI's to refuse.
  const bool copies =
      programs.copy != nullptr && programs.copy != MPI_COMM_NULL_COPY_FN && programs.copy != MPI_COMM_DUP_FN;
  const bool deletes = programs.remove != nullptr && programs.remove != MPI_COMM_NULL_DELETE_FN;
  if ((!copies && !deletes) || fortran::calls_from(caller)) return programs;
  return {copies ? on_copy : programs.copy, deletes ? on_delete : programs.remove,
          const_cast<Keyval*>(&kept(programs))};
}

namespace {

/// Of one generalized request, until it is freed.
struct OfRank {
  Generalized programs;
  endpoints::Rank* rank;
};

/// While a function of the program runs in whatever thread.
class AsRank {
 public:
  explicit AsRank(endpoints::Rank* rank) : before_(std::exchange(endpoints::adopted, rank)) {}
  AsRank(const AsRank&) = delete;
  AsRank& operator=(const AsRank&) = delete;
  ~AsRank() { endpoints::adopted = before_; }

 private:
  endpoints::Rank* before_;
  CalledBack called_back_;
};

int on_query(void* extra, MPI_Status* status) {
  const auto& of = *static_cast<const OfRank*>(extra);
  const AsRank as_rank(of.rank);
  return of.programs.query(of.programs.extra, status);
}

int on_free(void* extra) {
  const std::unique_ptr<const OfRank> of(static_cast<const OfRank*>(extra));
  const AsRank as_rank(of->rank);
  return of->programs.free(of->programs.extra);
}

int on_cancel(void* extra, int complete) {
  const auto& of = *static_cast<const OfRank*>(extra);
  const AsRank as_rank(of.rank);
  return of.programs.cancel(of.programs.extra, complete);
}

}  // namespace

Generalized generalized(const Generalized& programs, const void* caller) {
  const bool whole = programs.query != nullptr && programs.free != nullptr && programs.cancel != nullptr;
  if (endpoints::adopted == nullptr || !whole || fortran::calls_from(caller)) return programs;
  return {on_query, on_free, on_cancel, new OfRank{programs, endpoints::adopted}};
}

void not_taken(const Generalized& mpis) {
  if (mpis.free == on_free) delete static_cast<OfRank*>(mpis.extra);
}

}  // namespace raddle::interpose::callbacks
