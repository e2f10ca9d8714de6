// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/proxy_maker.hpp"

#include <mutex>
#include <utility>

#include "engines/proxy/predefined.hpp"
#include "engines/proxy/proxy_collective.hpp"

namespace raddle::proxy {

using endpoints::collectives::Barrier;
using endpoints::collectives::Held;
using endpoints::collectives::Movement;
using endpoints::collectives::Reduction;

ProxyMaker::ProxyMaker(ProxyEndpoint& endpoint) : endpoint_(endpoint) {}
ProxyMaker::~ProxyMaker() = default;

bool ProxyMaker::makes(const Reduction::Arguments& arguments) const {
  return number_of_op(arguments.op) >= 0 && number_of_datatype(arguments.type) >= 0;
}

template <typename Arguments>
int ProxyMaker::begin(const Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts, endpoints::Request*& made) {
  auto request = std::make_unique<ProxyCollective>(endpoint_, arguments, std::move(held), lasts);
  const int code =
      lasts == Lasts::once ? request->start() : request->set_apart("the making of a persistent collective");
  if (code != MPI_SUCCESS) return code;
  made = request.release();  // ends itself when the program has been told of its end
  return MPI_SUCCESS;
}

int ProxyMaker::make(const Barrier::Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts,
                     endpoints::Request*& made) {
  return begin(arguments, std::move(held), lasts, made);
}

int ProxyMaker::make(const Movement::Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts,
                     endpoints::Request*& made) {
  return begin(arguments, std::move(held), lasts, made);
}

int ProxyMaker::make(const Reduction::Arguments& arguments, std::unique_ptr<Held> held, Lasts lasts,
                     endpoints::Request*& made) {
  return begin(arguments, std::move(held), lasts, made);
}

void ProxyMaker::await(std::unique_ptr<ProxyCollective> orphan) {
  const std::lock_guard lock(guard_);
  orphans_.push_back(std::move(orphan));
}

bool ProxyMaker::awaits() {
  const std::lock_guard lock(guard_);
  std::erase_if(orphans_, [](const auto& orphan) {
    if (!orphan->complete()) return false;
    static_cast<void>(orphan->result());  // puts what has come into its place
    return true;
  });
  return !orphans_.empty();
}

}  // namespace raddle::proxy
