// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/requests/request.hpp"

#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/real_handles.hpp"

namespace raddle::endpoints {

Request::Request(const End* end, Pool* pool) : end_(end), pool_(pool), handle_(make_request_handle()) {
  insert<Kind::request>(handle_, *this);
}

Request::~Request() {
  erase<Kind::request>(handle_);
  free_request_handle(handle_);
}

}  // namespace raddle::endpoints
