// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/rendezvous.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

namespace raddle::interpose::rendezvous {
namespace {

constexpr std::string_view mark = "raddle://";

/// In front of what is told.
struct Front {
  std::uint64_t language = 0x5241444c45313033U;
  std::uint64_t bytes = 0;
};

constexpr std::uint64_t longest = std::uint64_t{1} << 30U;

struct Ports {
  std::mutex guard;
  std::map<std::string, std::shared_ptr<Port>> all;
};

Ports& ports() {
  static auto& lasting = *new Ports;  // calls may come after the destructors of a program
  return lasting;
}

bool try_again() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Channel::~Channel() {
  if (owner_ == Owner::raddle) ::close(socket_);
}

bool Channel::send(const std::byte* data, std::size_t bytes, std::size_t& sent) const {
  if (sent == bytes) return true;
  const ssize_t more = ::send(socket_, data + sent, bytes - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (more >= 0) sent += static_cast<std::size_t>(more);
  return more >= 0 || try_again();
}

bool Channel::receive(std::byte* room, std::size_t bytes, std::size_t& come) const {
  if (come == bytes) return true;
  const ssize_t more = ::recv(socket_, room + come, bytes - come, MSG_DONTWAIT);
  if (more > 0) come += static_cast<std::size_t>(more);
  return more > 0 || (more < 0 && try_again());
}

std::optional<std::vector<std::byte>> Channel::exchange(const std::vector<std::byte>& mine, const Until& until) {
  Front front{.bytes = mine.size()};
  std::vector<std::byte> out(sizeof front + mine.size());
  std::memcpy(out.data(), &front, sizeof front);
  if (!mine.empty()) std::memcpy(out.data() + sizeof front, mine.data(), mine.size());
  std::vector<std::byte> in(sizeof front);
  std::size_t sent = 0;
  std::size_t come = 0;
  bool knows_length = false;
  bool well = true;
  until([&] {
    well = send(out.data(), out.size(), sent) && receive(in.data(), in.size(), come);
    if (well && !knows_length && come == sizeof front) {
      Front theirs;
      std::memcpy(&theirs, in.data(), sizeof theirs);
      well = theirs.language == front.language && theirs.bytes < longest;
      if (well) in.resize(sizeof front + theirs.bytes);
      knows_length = true;
    }
    return !well || (sent == out.size() && knows_length && come == in.size());
  });
  if (!well) return std::nullopt;
  in.erase(in.begin(), in.begin() + sizeof front);
  return in;
}

std::shared_ptr<Port> Port::open(std::string of_mpi) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return nullptr;
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t length = sizeof where;
  std::array<char, 256> host{};
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0 || ::listen(socket, 128) != 0 ||
      ::getsockname(socket, reinterpret_cast<sockaddr*>(&where), &length) != 0 ||
      ::gethostname(host.data(), host.size() - 1) != 0) {
    ::close(socket);
    return nullptr;
  }
  const std::string name = std::string(mark) + host.data() + ":" + std::to_string(ntohs(where.sin_port));
  return std::shared_ptr<Port>(new Port(socket, name, std::move(of_mpi)));
}

Port::~Port() { ::close(socket_); }

std::unique_ptr<Channel> Port::accept(const Until& until) {
  std::unique_lock lock(accepting_, std::defer_lock);
  int socket = -1;
  until([&] {
    if (!lock.owns_lock() && !lock.try_lock()) return false;
    socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    return socket >= 0;
  });
  return std::make_unique<Channel>(socket);
}

std::unique_ptr<Channel> connect(const std::string& name) {
  if (!name.starts_with(mark)) return nullptr;
  const std::string address = name.substr(mark.size());
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return nullptr;
  std::array<char, 256> own{};
  const std::string host = address.substr(0, colon);
  // A host need not know its own name.
  const bool here = ::gethostname(own.data(), own.size() - 1) == 0 && host == own.data();
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(here ? "127.0.0.1" : host.c_str(), address.c_str() + colon + 1, &hints, &found) != 0)
    return nullptr;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, ::freeaddrinfo);
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return nullptr;
    if (::connect(socket, one->ai_addr, one->ai_addrlen) == 0) return std::make_unique<Channel>(socket);
    ::close(socket);
  }
  return nullptr;
}

void keep(std::shared_ptr<Port> port) {
  const std::lock_guard lock(ports().guard);
  ports().all[port->name()] = port;
}

std::shared_ptr<Port> find(const std::string& name) {
  const std::lock_guard lock(ports().guard);
  const auto found = ports().all.find(name);
  return found == ports().all.end() ? nullptr : found->second;
}

void forget(const std::string& name) {
  const std::lock_guard lock(ports().guard);
  ports().all.erase(name);
}

}  // namespace raddle::interpose::rendezvous
