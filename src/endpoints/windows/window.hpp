// SPDX-License-Identifier: BSD-3-Clause
// A window of endpoints as one of them has it (MPI-4.1 chapter 12). Its handle is a real window, of this process alone
// and without memory: with it the MPI keeps name, attributes, hints and error handler.
//
// Each window has a communicator of its own, of the same ranks. What a rank cannot do itself at another one's memory it
// asks for there (service.hpp).
#pragma once

#include <mpi.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "endpoints/errors.hpp"
#include "endpoints/groups/group_algebra.hpp"
#include "endpoints/windows/accumulation.hpp"
#include "endpoints/windows/control.hpp"
#include "endpoints/windows/pieces.hpp"
#include "node/node_comm.hpp"

namespace raddle::endpoints {

class Endpoint;
class Request;
class Service;

/// What a rank brings to a window.
struct WindowArguments {
  int flavor = MPI_WIN_FLAVOR_CREATE;
  void* base = nullptr;  ///< of MPI_Win_create
  MPI_Aint size = 0;     ///< in bytes
  MPI_Aint unit = 1;     ///< of displacements
  MPI_Info info = MPI_INFO_NULL;
  bool own = false;  ///< Raddle's own, which the program does not see: it has no handle
};

class Window {
 public:
  /// Collective over the ranks of the parent's communicator, which waits in the MPI function `call`.
  /// @returns the window, with its handle known
  /// @throws Failure, on all ranks or none
  static Window& make(Endpoint& parent, const char* call, const WindowArguments& arguments);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  /// MPI_Win_free: collective. The window is gone when it returns MPI_SUCCESS, and `handle` is null.
  int free(MPI_Win& handle);

  [[nodiscard]] MPI_Win handle() const { return handle_; }
  /// The MPI's, of this process alone, with which it keeps names, attributes, hints and the error handler: made now if
  /// there is none yet. MPI_WIN_NULL if the MPI has none left.
  [[nodiscard]] MPI_Win real();
  /// Of the window's own communicator.
  [[nodiscard]] Endpoint& endpoint() const { return endpoint_; }
  [[nodiscard]] int size() const { return static_cast<int>(targets_.size()); }

  // What MPI_Win_get_attr tells. Addresses stay as long as the window.
  [[nodiscard]] void* base() const { return base_; }
  [[nodiscard]] const MPI_Aint& bytes() const { return bytes_; }
  [[nodiscard]] const int& unit() const { return unit_; }
  [[nodiscard]] const int& flavor() const { return flavor_; }

  // The memory (section 12.2). All functions return an MPI error code that is not raised.
  int attach(void* base, MPI_Aint bytes);
  int detach(const void* base);
  /// Of what a rank exposes: where this process has it, if it does. @param rank  MPI_PROC_NULL: the first with memory
  struct Segment {
    void* base = nullptr;
    MPI_Aint bytes = 0;
    MPI_Aint unit = 1;
  };
  int segment(int rank, Segment& found) const;

  // Operations (section 12.3). Buffers are described by the caller's datatypes.
  struct Buffer {
    void* address;
    MPI_Count count;
    MPI_Datatype type;
  };
  /// What is meant of another rank's memory.
  struct There {
    int rank;
    MPI_Aint displacement;
    MPI_Count count;
    MPI_Datatype type;
  };
  int put(const Buffer& origin, const There& there);
  /// @param request  gets one that is complete when the data have come; nullptr: nobody waits for it alone
  int get(const Buffer& origin, const There& there, Request** request);
  int accumulate(const Buffer& origin, const There& there, MPI_Op op);
  int get_accumulate(const Buffer& origin, const Buffer& result, const There& there, MPI_Op op, Request** request);
  int fetch_and_op(const void* origin, void* result, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Op op);
  int compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type, int rank,
                       MPI_Aint displacement);

  // at_once.hpp: the same where it takes a few instructions only, as of most calls in a process. @returns whether it is
  // done: otherwise nothing has been, and what is above does it or says what is wrong.
  [[nodiscard]] bool put_at_once(const Buffer& origin, const There& there) const;
  [[nodiscard]] bool get_at_once(const Buffer& origin, const There& there) const;
  [[nodiscard]] bool accumulate_at_once(const Buffer& origin, const There& there, MPI_Op op) const;
  [[nodiscard]] bool get_accumulate_at_once(const Buffer& origin, const Buffer& result, const There& there,
                                            MPI_Op op) const;
  bool fetch_and_op_at_once(const void* origin, void* result, MPI_Datatype type, int rank, MPI_Aint displacement,
                            MPI_Op op) const;
  bool compare_and_swap_at_once(const void* origin, const void* compare, void* result, MPI_Datatype type, int rank,
                                MPI_Aint displacement) const;

  // Synchronisation (section 12.5).
  int fence(int assertion);
  int post(const Members& members, int assertion);
  int start(const Members& members, int assertion);
  int complete();
  int wait();
  int test(bool& flag);
  int lock(int type, int rank, int assertion);
  int unlock(int rank);
  int lock_all(int assertion);
  int unlock_all();
  int flush(int rank);
  int flush_all();
  int sync();
  // at_once.hpp
  bool lock_at_once(int type, int rank, int assertion);
  bool unlock_at_once(int rank);
  bool flush_at_once(int rank);

  /// An error, by the window's error handler. @returns the code
  [[nodiscard]] int raise(int code);

 private:
  friend class Service;

  enum class Reach : std::uint8_t {
    mapped,   ///< by loads and stores
    copied,   ///< cross-memory attach
    messages  ///< only its own process reaches it
  };

  // Which epochs allow operations on a target: bits.
  using Access = std::uint8_t;
  static constexpr Access none = 0;
  static constexpr Access started = 1;
  static constexpr Access locked = 2;
  static constexpr Access locked_all = 4;
  static constexpr Access unchecked = 8;  ///< beside the last two: nobody holds a lock (MPI_MODE_NOCHECK)
  static constexpr Access passive = locked | locked_all;
  static constexpr Access any = started | passive;

  /// With whom an epoch of section 12.5.2 is, or the last one was: the next one mostly is with the same.
  struct Epoch {
    bool open = false;
    Members members;
    std::vector<int> ranks;
  };

  /// How this rank holds the lock of another.
  enum class Held : std::uint8_t { no, shared, exclusive };

  /// Another rank's part, as this rank sees it, and what this rank may do with it.
  struct alignas(64) Target {
    std::uintptr_t at = 0;  ///< where its memory begins: in this process where it is mapped, else in its own
    MPI_Aint bytes = 0;
    MPI_Aint unit = 1;
    WindowControl* control = nullptr;  ///< nullptr: not reached. Of all that are mapped it is
    Told* post_there = nullptr;        ///< by which this rank tells it of MPI_Win_post, where its control is reached
    Told* post_here = nullptr;         ///< by which it tells this rank
    pid_t process = 0;                 ///< where it is copied
    Reach reach = Reach::messages;
    bool atomics = false;  ///< all who reach it combine words by the processor's atomics
    Access access = none;
    Held held = Held::no;
  };

  Window(Endpoint& endpoint, const WindowArguments& arguments);
  void make_handle(MPI_Info info);
  /// @returns an MPI error code, of a delete function of the program's
  int free_handle();

  // exposure.cpp: what each rank exposes, and how the others reach it.
  struct Exposure;
  struct Neighbours;
  void expose(const WindowArguments& arguments);
  /// Shares memory with the ranks of this node. @throws Failure where the window needs it and there is none
  Neighbours meet_neighbours(const WindowArguments& arguments, bool adjoins, Exposure& mine);
  /// Gives all the memory of the first rank, one part behind the other: they are of one process.
  void adjoin(std::vector<Exposure>& all);
  /// This rank and another one reach each other's control, and are of these numbers among those who do.
  void meet(Target& there, WindowControl& own, std::size_t number, std::size_t own_number);
  void aim_in_process(const std::vector<Exposure>& all);
  void aim_on_node(const Neighbours& neighbours);
  [[nodiscard]] bool brings_memory() const {
    return flavor_ == MPI_WIN_FLAVOR_CREATE || flavor_ == MPI_WIN_FLAVOR_DYNAMIC;
  }

  // access.cpp
  struct Aim;  ///< a target and the bytes there that are meant
  int aim_at(const There& there, Aim& aim);
  int aim_at(int rank, MPI_Aint displacement, Aim& aim);
  /// In the process that has the memory mapped, or copies it. @returns an MPI error code
  int combine(const Target& target, std::uintptr_t at, const Pieces& pieces, const Accumulation& what,
              const std::byte* operands, std::byte* before) const;
  int swap(const Target& target, std::uintptr_t at, std::size_t size, const std::byte* expected,
           const std::byte* desired, std::byte* before) const;
  [[nodiscard]] static int copy_out(const Target& target, std::uintptr_t at, const Pieces& pieces, std::byte* to);
  [[nodiscard]] static int copy_in(const Target& target, std::uintptr_t at, const Pieces& pieces,
                                   const std::byte* from);

  // epochs.cpp
  [[nodiscard]] bool may_access(const Target& there) const { return there.access != none || fenced_; }
  /// To any target, in any of these ways.
  [[nodiscard]] bool has_access(Access ways) const;
  void give_access(Access ways);
  /// Says with whom the epoch is. @returns an MPI error code: MPI_ERR_GROUP
  int name(Epoch& epoch, const Members& members) const;
  void take_lock(int rank, bool exclusive, const char* call);
  /// Where MPI_Win_lock_all has not taken it yet: it sends no messages.
  void take_lock_of_all(int rank);
  void give_lock_back(int rank);
  [[nodiscard]] bool try_all_shared();
  void wait_for(int rank, const char* call);
  void wait_for_all(const char* call);
  /// Calls that a program may repeat until another rank has changed a window make progress, but not each time: that
  /// other rank may need this one for it.
  [[nodiscard]] bool progress_is_due() {
    constexpr std::uint8_t often = 32;
    const std::uint8_t calls = calls_.load(std::memory_order_relaxed);
    calls_.store(static_cast<std::uint8_t>(calls + 1), std::memory_order_relaxed);
    return calls % often == 0;
  }
  [[nodiscard]] bool has_posted(const Target& there, int rank) const;
  [[nodiscard]] bool all_have_completed() const;

  // at_once.hpp
  [[nodiscard]] const Target* at_once(int rank) const;
  [[nodiscard]] std::byte* place_at_once(const Target& there, MPI_Aint displacement, std::size_t bytes) const;
  [[nodiscard]] std::byte* piece_at_once(const Buffer& here, const There& there, std::size_t& bytes) const;
  bool element_at_once(const void* operand, void* before, MPI_Datatype type, int rank, MPI_Aint displacement,
                       MPI_Op op) const;

  [[nodiscard]] Target& target(int rank) { return targets_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Target& target(int rank) const { return targets_[static_cast<std::size_t>(rank)]; }

  Endpoint& endpoint_;
  MPI_Win handle_ = MPI_WIN_NULL;
  std::atomic<MPI_Win> real_ = MPI_WIN_NULL;
  MPI_Info hints_ = MPI_INFO_NULL;  ///< for a window of the MPI's that is made late
  void* base_ = nullptr;
  MPI_Aint bytes_ = 0;
  int unit_ = 1;
  int flavor_;

  using Memory = std::unique_ptr<std::byte[], void (*)(std::byte*)>;
  Memory own_control_;  ///< of a rank whose process shares no memory with others
  Memory own_memory_;
  std::optional<node::SharedSegment> shared_;
  std::vector<Target> targets_;
  std::map<std::uintptr_t, MPI_Aint> attached_;
  Service* service_ = nullptr;  ///< the endpoint's

  bool fenced_ = false;                  ///< MPI_Win_fence was the last call that begins an epoch
  std::atomic<std::uint8_t> calls_{0};   ///< of those that progress_is_due() asks for
  Epoch started_;                        ///< of MPI_Win_start
  Epoch posted_;                         ///< of MPI_Win_post
  std::uint32_t completes_awaited_ = 0;  ///< of those, who tell it by this rank's control
  WindowControl* control_ = nullptr;     ///< this rank's
};

}  // namespace raddle::endpoints
