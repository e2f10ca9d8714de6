// SPDX-License-Identifier: BSD-3-Clause
#include "engines/unattended.hpp"

#include <cstddef>

namespace raddle::engines {

bool Unattended::look(const std::vector<endpoints::Endpoint*>& all) {
  seen_.resize(all.size());
  bool any = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t moved = all[i]->moved();
    seen_[i] = {moved, moved == seen_[i].moved};
    any = any || seen_[i].unattended;
  }
  return any;
}

bool Unattended::step(const std::vector<endpoints::Endpoint*>& all) {
  bool any = false;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (!seen_[i].unattended) continue;
    all[i]->progress();
    static_cast<void>(all[i]->owes_nothing());  // what is complete and nobody waits for comes back by asking
    const std::uint64_t moved = all[i]->moved();
    any = any || moved != seen_[i].moved;
    seen_[i].moved = moved;
  }
  return any;
}

}  // namespace raddle::engines
