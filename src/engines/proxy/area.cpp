// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/area.hpp"

#include <boost/interprocess/indexes/null_index.hpp>
#include <boost/interprocess/managed_external_buffer.hpp>
#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <mutex>
#include <new>

namespace raddle::proxy {
namespace {

namespace ipc = boost::interprocess;
// Only this process calls it: the lock is one of threads, and beside it.
using Allocator =
    ipc::basic_managed_external_buffer<char, ipc::rbtree_best_fit<ipc::null_mutex_family>, ipc::null_index>;

}  // namespace

struct Heap::Books {
  explicit Books(std::span<std::byte> memory) : allocator(ipc::create_only, memory.data(), memory.size()) {}
  std::mutex guard;
  Allocator allocator;
};

Heap::Heap(std::span<std::byte> memory) : memory_(memory), books_(std::make_unique<Books>(memory)) {}
Heap::~Heap() = default;

void* Heap::allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes > memory_.size() || alignment > memory_.size()) return nullptr;  // whose sums might overflow
  const std::lock_guard lock(books_->guard);
  return books_->allocator.allocate_aligned(bytes > 0 ? bytes : 1, alignment, std::nothrow);
}

void Heap::free(void* address) {
  if (address == nullptr) return;
  const std::lock_guard lock(books_->guard);
  books_->allocator.deallocate(address);
}

}  // namespace raddle::proxy
