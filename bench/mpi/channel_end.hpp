// SPDX-License-Identifier: BSD-3-Clause
// A thread's end of its channel: the MPI calls of the benchmarks, checked, and noted where the watchdog looks.
#pragma once

#include <cstddef>
#include <span>

#include "core/whereabouts.hpp"
#include "mpi/channel.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {

/// Made by the thread that uses it.
class ChannelEnd {
 public:
  explicit ChannelEnd(const Channel& channel) : channel_(channel), where_(here()) {}

  void send(std::span<const std::byte> message, int tag_offset = 0) {
    where_.enter("MPI_Send", channel_.peer, channel_.send_tag + tag_offset);
    check(MPI_Send(message.data(), count(message), MPI_BYTE, channel_.peer, channel_.send_tag + tag_offset,
                   channel_.comm),
          "MPI_Send");
  }
  void synchronous_send(std::span<const std::byte> message) {
    where_.enter("MPI_Ssend", channel_.peer, channel_.send_tag);
    check(MPI_Ssend(message.data(), count(message), MPI_BYTE, channel_.peer, channel_.send_tag, channel_.comm),
          "MPI_Ssend");
  }
  void receive(std::span<std::byte> message, int tag_offset = 0) {
    where_.enter("MPI_Recv", channel_.peer, channel_.recv_tag + tag_offset);
    check(MPI_Recv(message.data(), count(message), MPI_BYTE, channel_.peer, channel_.recv_tag + tag_offset,
                   channel_.comm, MPI_STATUS_IGNORE),
          "MPI_Recv");
  }
  /// @returns the bytes that came
  std::size_t receive_up_to(std::span<std::byte> room) {
    MPI_Status status;
    int bytes = 0;
    where_.enter("MPI_Recv", channel_.peer, channel_.recv_tag);
    check(MPI_Recv(room.data(), count(room), MPI_BYTE, channel_.peer, channel_.recv_tag, channel_.comm, &status),
          "MPI_Recv");
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    return static_cast<std::size_t>(bytes);
  }
  void start_send(std::span<const std::byte> message, MPI_Request& request) {
    where_.enter("MPI_Isend", channel_.peer, channel_.send_tag);
    check(
        MPI_Isend(message.data(), count(message), MPI_BYTE, channel_.peer, channel_.send_tag, channel_.comm, &request),
        "MPI_Isend");
  }
  void start_receive(std::span<std::byte> message, MPI_Request& request) {
    where_.enter("MPI_Irecv", channel_.peer, channel_.recv_tag);
    check(
        MPI_Irecv(message.data(), count(message), MPI_BYTE, channel_.peer, channel_.recv_tag, channel_.comm, &request),
        "MPI_Irecv");
  }
  void wait(MPI_Request& request) {
    where_.enter("MPI_Wait", channel_.peer, channel_.recv_tag);
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  }
  void wait_all(std::span<MPI_Request> requests) {
    where_.enter("MPI_Waitall", channel_.peer, channel_.recv_tag);
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
  /// Whether the next message of the peer has arrived.
  bool arrived() {
    int flag = 0;
    where_.enter("MPI_Iprobe", channel_.peer, channel_.recv_tag);
    check(MPI_Iprobe(channel_.peer, channel_.recv_tag, channel_.comm, &flag, MPI_STATUS_IGNORE), "MPI_Iprobe");
    return flag != 0;
  }

 private:
  static int count(std::span<const std::byte> message) noexcept { return static_cast<int>(message.size()); }

  const Channel channel_;
  Whereabouts& where_;
};

}  // namespace raddle::bench
