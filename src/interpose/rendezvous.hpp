// SPDX-License-Identifier: BSD-3-Clause
// How the roots of MPI_Comm_accept and MPI_Comm_connect find each other before the MPI is asked: endpoints of one job
// need no connection of the MPI's, and a process cannot connect to itself. A port's name says where its process
// listens, and who connects there is told the MPI's own name. Knows no MPI.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace raddle::interpose::rendezvous {

/// Waits until a step has succeeded; what else goes on meanwhile is up to it.
using Until = std::function<void(const std::function<bool()>&)>;

/// A socket between two, closed in the end if it is owned.
class Channel {
 public:
  enum class Owner { raddle, program };
  explicit Channel(int socket, Owner owner = Owner::raddle) : socket_(socket), owner_(owner) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  /// Each tells the other one. @returns what that has told; nothing: it speaks another language, or has gone
  [[nodiscard]] std::optional<std::vector<std::byte>> exchange(const std::vector<std::byte>& mine, const Until& until);

 private:
  bool send(const std::byte* data, std::size_t bytes, std::size_t& sent) const;
  bool receive(std::byte* room, std::size_t bytes, std::size_t& come) const;

  int socket_;
  Owner owner_;
};

/// A port that is open in this process: one accepts at a time.
class Port {
 public:
  /// @param of_mpi  the MPI's name of it; empty: it has none
  /// @returns nullptr: there are no sockets left
  static std::shared_ptr<Port> open(std::string of_mpi);
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
  ~Port();

  /// What the program knows it by: where it listens.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& of_mpi() const { return of_mpi_; }
  [[nodiscard]] std::unique_ptr<Channel> accept(const Until& until);

 private:
  Port(int socket, std::string name, std::string of_mpi)
      : socket_(socket), name_(std::move(name)), of_mpi_(std::move(of_mpi)) {}
  int socket_;
  std::string name_;
  std::string of_mpi_;
  std::mutex accepting_;
};

/// @param name  of a port, in whichever process
/// @returns nullptr: nobody listens there, or it is no such name
std::unique_ptr<Channel> connect(const std::string& name);

// Those of this process, by name. Any thread.

void keep(std::shared_ptr<Port> port);
[[nodiscard]] std::shared_ptr<Port> find(const std::string& name);
void forget(const std::string& name);

}  // namespace raddle::interpose::rendezvous
