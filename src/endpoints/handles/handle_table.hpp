// SPDX-License-Identifier: BSD-3-Clause
// Which handles belong to endpoints, and what stands behind each. Asked in every MPI call while there are endpoints, by
// any thread; changed seldom. Knows no MPI, so that it can be tested under ThreadSanitizer.
//
// A reader that meets a slot in the middle of a change passes on as if it held another handle. That is a right answer:
// at some moment of the look-up the handle was not there.
//
// The gate needs no memory order: whoever owns a handle got it from the thread that put it in, after it did so.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace raddle::endpoints {

// One place of the table of handles: a sequence lock that is never waited for.

/// Holds a key and an object. Any thread may look; one at a time may write.
///
/// Memory order: a change takes the key away, then counts the version up, then writes object and key; a reader loads
/// the version, the key, the object and once more the version, all in that order. Who has loaded the key of one change
/// and the object of a later one sees that one's version at his second look, since it was stored before the object; he
/// has not seen it at the first, or he would have found the key taken away.
///
/// @tparam Atomic std::atomic; tests of all interleavings bring their own
template <template <typename> class Atomic = std::atomic>
class BasicHandleSlot {
 public:
  // No handle has these bits: pointers are aligned, and integers are 32 bits wide.
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  static constexpr std::uint64_t erased = empty - 1;

  struct View {
    std::uint64_t version;
    std::uint64_t key;
    void* object;
  };

  /// What is seen; key and object belong together only if whole() says so.
  [[nodiscard, gnu::always_inline]] View look() const noexcept {
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    const std::uint64_t key = key_.load(std::memory_order_acquire);
    return {version, key, object_.load(std::memory_order_acquire)};
  }

  [[nodiscard, gnu::always_inline]] bool whole(const View& seen) const noexcept {
    return version_.load(std::memory_order_relaxed) == seen.version;
  }

  /// What is seen if it is whole and of this key, otherwise nullptr.
  [[nodiscard, gnu::always_inline]] void* object_of(std::uint64_t key) const noexcept {
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    if (key_.load(std::memory_order_acquire) != key) return nullptr;
    void* const object = object_.load(std::memory_order_acquire);
    if (version_.load(std::memory_order_relaxed) != version) [[unlikely]]
      return nullptr;
    if (object == nullptr) __builtin_unreachable();  // behind a handle there is something
    return object;
  }

  void write(std::uint64_t key, void* object) noexcept {
    key_.store(erased, std::memory_order_relaxed);
    version_.store(version_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    object_.store(object, std::memory_order_release);
    key_.store(key, std::memory_order_release);
  }

  /// For writers, who need no second look.
  [[nodiscard]] std::uint64_t key() const noexcept { return key_.load(std::memory_order_relaxed); }
  [[nodiscard]] void* object() const noexcept { return object_.load(std::memory_order_relaxed); }

 private:
  Atomic<std::uint64_t> version_{0};
  Atomic<std::uint64_t> key_{empty};
  Atomic<void*> object_{nullptr};
};

using HandleSlot = BasicHandleSlot<>;

/// An open-addressing table whose readers neither lock nor wait: a look-up ends after at most one pass over the slots,
/// whatever other threads do, and is linearizable with their changes.
class HandleTable {
 public:
  /// `bit` of `gate` is set while there is anything in the table, so that one load can ask for several tables.
  constexpr HandleTable(std::atomic<std::uint32_t>& gate, std::uint32_t bit) : gate_(gate), bit_(bit) {}
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;
  ~HandleTable();

  /// What was put in for `handle`, or nullptr.
  [[nodiscard]] void* find(std::uint64_t handle) const noexcept {
    const Near near = look_near(handle);
    if (near.object != nullptr) [[likely]]
      return near.object;
    return near.sure ? nullptr : find_further(handle);
  }

  /// What one look at one slot says of a handle, which mostly is all there is to say.
  struct Near {
    void* object;  ///< what was put in for it, if it is there
    bool sure;     ///< otherwise: whether it is nowhere else
  };
  [[nodiscard, gnu::always_inline]] Near look_near(std::uint64_t handle) const noexcept {
    return slots_.load(std::memory_order_acquire)->look_near(handle);
  }

  class View;
  /// For many look-ups: what is put in later is not in it, and what is in it stays until it is taken out.
  [[nodiscard]] View view() const noexcept;

  /// Puts in a handle that is not there. Not meant for each message: handles that are used again and again (those of
  /// requests) stay in while they lie in their pool.
  void insert(std::uint64_t handle, void* object);

  /// Takes a handle out, before the MPI is told to free it: it may give the same one out again at once.
  /// @returns what stood behind it, nullptr if it was not there
  void* erase(std::uint64_t handle);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t capacity() const;

 private:
  /// Its slots follow it in memory, so that a reader loads no address of theirs.
  struct SlotArray {
    constexpr SlotArray(std::size_t size, SlotArray* before) : mask(size - 1), older(before) {}
    SlotArray(const SlotArray&) = delete;
    SlotArray& operator=(const SlotArray&) = delete;
    ~SlotArray() = default;
    static SlotArray* make(std::size_t size, SlotArray* before);
    static void end(SlotArray* array);

    [[nodiscard]] HandleSlot& slot(std::size_t at) { return reinterpret_cast<HandleSlot*>(this + 1)[at]; }
    [[nodiscard]] const HandleSlot& slot(std::size_t at) const {
      return reinterpret_cast<const HandleSlot*>(this + 1)[at];
    }

    [[nodiscard, gnu::always_inline]] Near look_near(std::uint64_t handle) const noexcept {
      const HandleSlot& there = slot(home(handle));
      if (void* const object = there.object_of(handle)) [[likely]]
        return {object, true};
      return {nullptr, there.key() == HandleSlot::empty};
    }

    /// Handles differ in few bits: multiplied, they differ in the upper ones.
    [[nodiscard]] std::size_t home(std::uint64_t key) const {
      return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32U) & mask;
    }

    /// Where `key` is, or where a search for it ends. Only for writers.
    [[nodiscard]] std::size_t search(std::uint64_t key) const;

    std::size_t mask;
    SlotArray* older;  ///< a reader may still be in it, so it stays; all together they are smaller than this one
  };
  static_assert(sizeof(SlotArray) % alignof(HandleSlot) == 0);

  /// Of a table in which there was never anything.
  struct Nothing {
    SlotArray array{1, nullptr};
    HandleSlot slot;
  };
  static Nothing nothing;

  [[nodiscard]] void* find_further(std::uint64_t handle) const noexcept;
  void grow();

  std::atomic<std::uint32_t>& gate_;
  std::uint32_t bit_;
  mutable std::mutex writers_;
  std::size_t live_ = 0;
  std::size_t used_ = 0;  ///< slots that are not empty: live ones and erased ones that a search must pass
  std::atomic<SlotArray*> slots_{&nothing.array};
};

class HandleTable::View {
 public:
  /// As HandleTable::find().
  [[nodiscard, gnu::always_inline]] void* find(std::uint64_t handle) const noexcept {
    const Near near = slots_.look_near(handle);
    if (near.object != nullptr) [[likely]]
      return near.object;
    return near.sure ? nullptr : table_.find_further(handle);
  }

 private:
  friend class HandleTable;
  View(const HandleTable& table, const SlotArray& slots) : table_(table), slots_(slots) {}
  const HandleTable& table_;
  const SlotArray& slots_;
};

inline HandleTable::View HandleTable::view() const noexcept { return {*this, *slots_.load(std::memory_order_acquire)}; }

}  // namespace raddle::endpoints
