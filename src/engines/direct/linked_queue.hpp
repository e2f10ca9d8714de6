// SPDX-License-Identifier: BSD-3-Clause
// A queue whose links are members of what is queued: nothing is allocated, and from anywhere in it can be taken.
#pragma once

namespace raddle::direct {

/// @tparam next  the node behind
/// @tparam link  what points to the node; nullptr while it is in no queue
template <typename Node, Node* Node::* next, Node** Node::* link>
class LinkedQueue {
 public:
  [[nodiscard]] Node* first() const { return first_; }
  [[nodiscard]] bool empty() const { return first_ == nullptr; }

  void append(Node& node) {
    // The first place is where the queue is now: queues may be moved while they are empty.
    Node** const end = empty() ? &first_ : end_;
    node.*next = nullptr;
    node.*link = end;
    *end = &node;
    end_ = &(node.*next);
  }

  void remove(Node& node) {
    *(node.*link) = node.*next;
    if (node.*next != nullptr) {
      (node.*next)->*link = node.*link;
    } else {
      end_ = node.*link;
    }
    node.*link = nullptr;
  }

 private:
  Node* first_ = nullptr;
  Node** end_ = nullptr;  ///< where the next one is hung on; means nothing while the queue is empty
};

}  // namespace raddle::direct
