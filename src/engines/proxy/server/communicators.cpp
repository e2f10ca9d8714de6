// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/server/communicators.hpp"

#include "platform/must.hpp"

namespace raddle::proxy {
namespace {

// MPI_Comm_create_group tells calls apart by it; calls of one proxy follow each other in an order all agree on.
constexpr int creation_tag = 2;

}  // namespace

bool Communicators::can_be_made(std::uint32_t number) const {
  return number < most && get(number, false) == MPI_COMM_NULL;
}

Communicators::Entry& Communicators::entry(std::uint32_t number) {
  if (number >= all_.size()) all_.resize(number + 1);
  if (all_[number] == nullptr) all_[number] = std::make_unique<Entry>();
  return *all_[number];
}

int Communicators::make(std::uint32_t number, std::span<const std::int32_t> ranks) {
  if (!can_be_made(number) || ranks.empty()) return MPI_ERR_ARG;
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  platform::must("MPI_Comm_group", MPI_Comm_group(MPI_COMM_WORLD, &world));
  Entry made;
  int code = MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &members);
  platform::regardless(MPI_Group_free(&world));
  if (code != MPI_SUCCESS) return code;
  code = MPI_Comm_create_group(MPI_COMM_WORLD, members, creation_tag, &made.program);
  platform::regardless(MPI_Group_free(&members));
  if (code != MPI_SUCCESS) return code;
  if (made.program == MPI_COMM_NULL) return MPI_ERR_GROUP;  // it is not among them
  platform::must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(made.program, MPI_ERRORS_RETURN));
  code = MPI_Comm_dup(made.program, &made.hidden);
  if (code != MPI_SUCCESS) {
    platform::regardless(MPI_Comm_free(&made.program));
    return code;
  }
  made.size = static_cast<int>(ranks.size());
  entry(number) = made;
  return MPI_SUCCESS;
}

int Communicators::duplicate(std::uint32_t number, std::uint32_t made, MPI_Request& request) {
  const MPI_Comm comm = get(number, false);
  if (comm == MPI_COMM_NULL || !can_be_made(made)) return MPI_ERR_ARG;
  Entry& copy = entry(made);
  copy.size = size_of(number);
  return MPI_Comm_idup(comm, &copy.program, &request);
}

bool Communicators::free(std::uint32_t number) {
  if (get(number, false) == MPI_COMM_NULL) return false;
  Entry& old = entry(number);
  if (old.hidden != MPI_COMM_NULL) platform::regardless(MPI_Comm_free(&old.hidden));
  platform::regardless(MPI_Comm_free(&old.program));
  old = {};
  return true;
}

MPI_Comm Communicators::get(std::uint32_t number, bool unseen) const {
  if (number >= all_.size() || all_[number] == nullptr) return MPI_COMM_NULL;
  return unseen ? all_[number]->hidden : all_[number]->program;
}

int Communicators::size_of(std::uint32_t number) const {
  return number < all_.size() && all_[number] != nullptr ? all_[number]->size : 0;
}

void Communicators::free_all() {
  for (std::uint32_t number = 0; number < all_.size(); ++number) free(number);
}

}  // namespace raddle::proxy
