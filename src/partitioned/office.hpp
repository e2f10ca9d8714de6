// SPDX-License-Identifier: BSD-3-Clause
// The partitioned requests of one rank in one communicator: matches them with those of others, and moves what is under
// way.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "endpoints/endpoint.hpp"
#include "partitioned/carrier.hpp"
#include "partitioned/tags.hpp"
#include "platform/adaptive_lock.hpp"

namespace raddle::partitioned {

class PartitionedRequest;
class ReceiveRequest;

class Office final : public endpoints::Extension {
 public:
  /// @param under_way  counts the requests that are, for the one who calls progress()
  Office(std::unique_ptr<Carrier> carrier, std::atomic<std::uint32_t>& under_way);
  ~Office() override;

  [[nodiscard]] Carrier& carrier() const { return *carrier_; }

  /// One step for all that is under way, unless another thread makes one. By who completes requests.
  void progress() override;
  /// The same by who only asks how far they are.
  void look();

  /// @param tell  is called when a receive starts whose send is not known yet
  void when_unsettled(std::function<void()> tell) { when_unsettled_ = std::move(tell); }
  /// Whether there is such a receive.
  [[nodiscard]] bool awaits();

  // Requests that have been made here and not freed. Any thread.
  void enter(PartitionedRequest& request);
  void leave(PartitionedRequest& request);
  [[nodiscard]] bool unused();
  /// Those that are left raise their errors there.
  void raise_on(MPI_Comm comm);
  /// There will be none any more: who still comes to make progress finds nothing to do. Waits for one who makes some.
  void close();

  /// To be held for all that follows.
  [[nodiscard]] platform::AdaptiveLock& guard() { return guard_; }

  /// The name of the next one. @param peer  and tag: the program's
  [[nodiscard]] Name next_send(int peer, int tag) { return {peer, tag, ++sends_made_[{peer, tag}]}; }
  [[nodiscard]] Name next_receive(int peer, int tag) { return {peer, tag, ++receives_made_[{peer, tag}]}; }

  /// For the messages of a send. @throws endpoints::Failure: there are none left
  [[nodiscard]] int take_tags(int peer, int count);
  /// The send has been freed.
  void give_back_tags(int peer, int first_tag) { tags_[peer].give_back(first_tag); }

  /// The receive wants to know of its send: settle() is called, now or later.
  void expect(const Name& name, ReceiveRequest& receive);
  /// It has been freed, before or after it was settled.
  void forget(const Name& name);
  void forget_settled(int peer, int first_tag);

  /// A receive starts whose send is not known yet.
  void unsettled() const {
    if (when_unsettled_) when_unsettled_();
  }

  /// A request has been started; it is moved until it is complete.
  void activate(PartitionedRequest& request);

 private:
  /// What a sender has said before the receive was made: he may be rounds ahead.
  struct Early {
    Notice setup;
    std::vector<Notice> plans;
  };

  void step(bool completes);
  void hear();
  void plan(int peer, const Notice& notice);
  void heard(int peer, const Notice& notice);
  void settle(ReceiveRequest& receive, int peer, const Notice& notice);
  void freed(int peer, int first_tag);

  std::unique_ptr<Carrier> carrier_;
  std::atomic<std::uint32_t>& under_way_;
  /// A carrier may wait for its endpoint, whose progress comes back here: then nothing is done.
  platform::AdaptiveLock guard_;
  std::map<std::pair<int, int>, std::uint64_t> sends_made_;     ///< by peer and tag
  std::map<std::pair<int, int>, std::uint64_t> receives_made_;  ///< by peer and tag
  std::map<int, Tags> tags_;                                    ///< by peer
  std::map<Name, Early> early_;                                 ///< of receives that have not been made
  std::map<Name, ReceiveRequest*> expected_;                    ///< nullptr: it has been freed
  std::map<std::pair<int, int>, ReceiveRequest*> settled_;      ///< by peer and first tag
  std::vector<PartitionedRequest*> active_;
  std::function<void()> when_unsettled_;
  std::set<PartitionedRequest*> requests_;
  bool closed_ = false;
};

}  // namespace raddle::partitioned
