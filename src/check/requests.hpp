// SPDX-License-Identifier: BSD-3-Clause
// Requests of nonblocking operations, until they have completed, and the memory that they use.
#pragma once

namespace raddle::check {

/// At the end.
void tell_left_requests();
void tell_left_datatypes();

}  // namespace raddle::check
