// SPDX-License-Identifier: BSD-3-Clause
// What moves the messages of endpoints, as the layer above sees it. Each engine is a folder that no other names, and a
// line of platform/engine_list.def.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "platform/settings.hpp"

namespace raddle::engines {

/// One object for each engine, in each process. Called in the order of the functions, as the process lives.
class Engine {
 public:
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Before main. Does not return in a process that the launcher has started for the engine itself.
  /// @param library  an address in libraddle
  virtual void before_main(const void* /*library*/) {}
  /// After MPI_Init. Collective; what is missing ends the job with a message.
  virtual void begin() {}
  /// Collective over the processes of `communicator`, by one thread of each: endpoints of this engine.
  /// @param handles  of those of this process, by index; the caller's again if this throws
  /// @throws endpoints::Failure, on all processes or none
  virtual void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) = 0;
  /// Whether others wait for the end of this process, also when it has no endpoints.
  [[nodiscard]] virtual bool is_awaited() { return false; }
  /// Before MPI_Finalize. @pre no endpoint is left
  virtual void end() {}

  /// Whether it has memory in which messages need not be copied (Raddle_malloc).
  [[nodiscard]] virtual bool has_memory() { return false; }
  static constexpr std::size_t usual_alignment = 64;  ///< a cache line
  /// @param alignment  a power of two. @returns nullptr: there is not so much left
  [[nodiscard]] virtual void* allocate(std::size_t /*bytes*/, std::size_t /*alignment*/) { return nullptr; }
  /// @returns false: it is none of this engine's
  virtual bool free(void* /*memory*/) { return false; }

 protected:
  Engine() = default;
  ~Engine() = default;
};

/// In the order of the list.
[[nodiscard]] std::span<Engine* const> engines();

/// The one of that name. The default is EngineName{}.
[[nodiscard]] Engine& engine(platform::EngineName which);

/// Engine::make, in the turn of all processes of a communicator that nobody else has yet.
void make_in_turn(Engine& engine, std::unique_ptr<endpoints::Communicator> communicator,
                  const std::vector<MPI_Comm>& handles);

/// The first that has memory of its own in this process; nullptr: none.
[[nodiscard]] Engine* with_memory();

}  // namespace raddle::engines
