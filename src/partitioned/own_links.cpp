// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/own_links.hpp"

#include <map>
#include <mutex>

namespace raddle::partitioned {
namespace {

struct Waiting {
  std::mutex guard;
  std::map<OwnLinks::Key, std::shared_ptr<Link>> links;  ///< that have one side
};

Waiting& waiting() {
  static auto& lasting = *new Waiting;  // calls may come after the destructors of a program
  return lasting;
}

}  // namespace

std::shared_ptr<Link> OwnLinks::join(const Key& key) {
  const std::lock_guard lock(waiting().guard);
  auto& links = waiting().links;
  if (const auto found = links.find(key); found != links.end()) {
    std::shared_ptr<Link> link = std::move(found->second);
    links.erase(found);
    return link;
  }
  return links[key] = std::make_shared<Link>();
}

void OwnLinks::forget(const void* communicator) {
  const std::lock_guard lock(waiting().guard);
  std::erase_if(waiting().links, [&](const auto& one) { return one.first.communicator == communicator; });
}

}  // namespace raddle::partitioned
