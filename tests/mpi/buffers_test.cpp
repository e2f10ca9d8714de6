// SPDX-License-Identifier: BSD-3-Clause
// The buffers of MPI_Bsend that MPI-4.1 has brought: one for a communicator, and flushes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "raddle/raddle.h"

#ifdef MPI_BUFFER_AUTOMATIC  // came with the functions

namespace raddle::testing {
namespace {

constexpr int length = 1 << 22;  // longer than what is taken before its receiver has come, but see below
constexpr int size = length + MPI_BSEND_OVERHEAD;

/// Whether a message of this length does not leave before it is received. Of a proxy's MPI that cannot be known: Intel
/// MPI's does now and then.
bool waits_for_its_receiver() {
  const char* const engine = std::getenv("RADDLE_ENGINE");
  return engine == nullptr || std::string_view(engine) == "direct";
}

/// One rank sends what the other one takes later, when it is told to by a message with another tag.
class Pair {
 public:
  explicit Pair(MPI_Comm comm) : comm_(comm), buffer_(size), other_(1 - rank_in(comm)), sends_(rank_in(comm) == 0) {
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] bool sends() const { return sends_; }
  void attach() { EXPECT_EQ(MPI_Comm_attach_buffer(comm_, buffer_.data(), size), MPI_SUCCESS); }
  void detach() {
    void* back = nullptr;
    int bytes = 0;
    EXPECT_EQ(MPI_Comm_detach_buffer(comm_, static_cast<void*>(&back), &bytes), MPI_SUCCESS);
    EXPECT_EQ(back, static_cast<void*>(buffer_.data()));
    EXPECT_EQ(bytes, size);
  }
  int bsend(char content) {
    const std::vector<char> message(length, content);
    return MPI_Bsend(message.data(), length, MPI_CHAR, other_, 1, comm_);
  }
  void receive(char content) {
    std::vector<char> message(length);
    MPI_Recv(message.data(), length, MPI_CHAR, other_, 1, comm_, MPI_STATUS_IGNORE);
    EXPECT_EQ(message.front(), content);
    EXPECT_EQ(message.back(), content);
  }
  void tell() { MPI_Send(nullptr, 0, MPI_CHAR, other_, 2, comm_); }
  void hear() { MPI_Recv(nullptr, 0, MPI_CHAR, other_, 2, comm_, MPI_STATUS_IGNORE); }

 private:
  MPI_Comm comm_;
  std::vector<char> buffer_;
  int other_;
  bool sends_;
};

// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): it does not know flushes

/// Runs `act` with both endpoints of this process.
template <typename Act>
void both(Act&& act) {
  Endpoints endpoints(2, MPI_COMM_SELF);
  each(endpoints, [&](MPI_Comm comm, int) {
    Pair pair(comm);
    act(pair);
  });
}

TEST(Buffers, AnEndpointsOwnHasRoomOfItsOwn) {
  both([](Pair& pair) {
    if (pair.sends()) {
      EXPECT_EQ(class_of(pair.bsend('a')), MPI_ERR_BUFFER);
      pair.attach();
      EXPECT_EQ(class_of(MPI_Comm_attach_buffer(pair.comm(), &pair, 1)), MPI_ERR_BUFFER);
      EXPECT_EQ(pair.bsend('b'), MPI_SUCCESS);
      if (waits_for_its_receiver()) {
        EXPECT_EQ(class_of(pair.bsend('c')), MPI_ERR_BUFFER);
      }
      pair.tell();
      pair.detach();  // when the message has been taken
      EXPECT_EQ(class_of(pair.bsend('d')), MPI_ERR_BUFFER);
    } else {
      pair.hear();
      pair.receive('b');
    }
  });
}

TEST(Buffers, AFlushWaitsForWhatIsInTheBuffer) {
  both([](Pair& pair) {
    if (pair.sends()) {
      pair.attach();
      EXPECT_EQ(MPI_Comm_flush_buffer(pair.comm()), MPI_SUCCESS);
      pair.bsend('a');
      pair.tell();
      EXPECT_EQ(MPI_Comm_flush_buffer(pair.comm()), MPI_SUCCESS);
      EXPECT_EQ(pair.bsend('b'), MPI_SUCCESS);  // so there is room again
      pair.tell();
      pair.detach();
    } else {
      for (const char content : {'a', 'b'}) {
        pair.hear();
        pair.receive(content);
      }
    }
  });
}

TEST(Buffers, AStartedFlushIsForWhatWasInTheBufferBefore) {
  both([](Pair& pair) {
    if (pair.sends()) {
      std::vector<char> room(2 * static_cast<std::size_t>(size));
      MPI_Comm_attach_buffer(pair.comm(), room.data(), 2 * size);
      pair.bsend('a');
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Comm_iflush_buffer(pair.comm(), &request);
      int flag = 1;
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      if (waits_for_its_receiver()) {
        EXPECT_EQ(flag, 0);
      }
      pair.bsend('b');  // which the other takes only after this flush
      pair.tell();
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      EXPECT_EQ(request, MPI_REQUEST_NULL);
      pair.tell();
      void* back = nullptr;
      int bytes = 0;
      MPI_Comm_detach_buffer(pair.comm(), static_cast<void*>(&back), &bytes);
    } else {
      for (const char content : {'a', 'b'}) {
        pair.hear();
        pair.receive(content);
      }
    }
  });
}

TEST(Buffers, TheProcesssOwnIsFlushedForEndpointsToo) {
  std::vector<char> room(2 * static_cast<std::size_t>(size));
  MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
  both([](Pair& pair) {
    if (pair.sends()) {
      pair.bsend('a');
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Buffer_iflush(&request);
      int flag = 1;
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      if (waits_for_its_receiver()) {
        EXPECT_EQ(flag, 0);
      }
      pair.tell();
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      pair.bsend('b');
      pair.tell();
      EXPECT_EQ(MPI_Buffer_flush(), MPI_SUCCESS);
      MPI_Buffer_iflush(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      for (const char content : {'a', 'b'}) {
        pair.hear();
        pair.receive(content);
      }
    }
  });
  void* back = nullptr;
  int bytes = 0;
  MPI_Buffer_detach(static_cast<void*>(&back), &bytes);
  EXPECT_EQ(back, static_cast<void*>(room.data()));
}

TEST(Buffers, AnAutomaticOneHasRoomForAll) {
  both([](Pair& pair) {
    if (pair.sends()) {
      EXPECT_EQ(MPI_Comm_attach_buffer(pair.comm(), MPI_BUFFER_AUTOMATIC, 0), MPI_SUCCESS);
      for (const char content : {'a', 'b'}) EXPECT_EQ(pair.bsend(content), MPI_SUCCESS);
      pair.tell();
      void* back = nullptr;
      int bytes = 0;
      MPI_Comm_detach_buffer(pair.comm(), static_cast<void*>(&back), &bytes);
      EXPECT_EQ(back, MPI_BUFFER_AUTOMATIC);
    } else {
      pair.hear();
      for (const char content : {'a', 'b'}) pair.receive(content);
    }
  });
}

// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

}  // namespace
}  // namespace raddle::testing

#endif
