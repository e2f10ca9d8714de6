// Two ranks that have a socket join (MPI-4.1 11.10.4).
// ranks: 2
#include <arpa/inet.h>
#include <sys/socket.h>

#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Comm between;
  int got = -1, port = 0;
  MPI_Init(&argc, &argv);
  const int rank = rank_of(MPI_COMM_WORLD);
  struct sockaddr_in where = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof where;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (rank == 0) {
    if (bind(fd, (struct sockaddr*)&where, length) || listen(fd, 1)) MPI_Abort(MPI_COMM_WORLD, 2);
    getsockname(fd, (struct sockaddr*)&where, &length);
    port = where.sin_port;
  }
  MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    const int heard = accept(fd, NULL, NULL);
    close(fd);
    fd = heard;
  } else {
    where.sin_port = (in_port_t)port;
    if (connect(fd, (struct sockaddr*)&where, length)) MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Comm_join(fd, &between);
  if (between == MPI_COMM_NULL) {
    say("the MPI could not");
  } else {
    int remote;
    MPI_Comm_remote_size(between, &remote);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, between, MPI_STATUS_IGNORE);
    say("%d of %d and %d, from %d", rank_of(between), size_of(between), remote, got);
    MPI_Comm_free(&between);
  }
  // The socket is quiet again.
  char letter = (char)('a' + rank), come = 0;
  if (write(fd, &letter, 1) != 1) MPI_Abort(MPI_COMM_WORLD, 4);
  while (read(fd, &come, 1) != 1) usleep(1000);  // MPICH leaves it nonblocking
  say("then %c", come);
  close(fd);
  MPI_Finalize();
  return 0;
}
