// SPDX-License-Identifier: BSD-3-Clause
// Functions given with keys of threads are called when a thread ends, and not when the process does.
#include <pthread.h>

#include "../twin.h"

static void tell(void* what) {
  printf("%s has ended\n", (char*)what);
  fflush(stdout);
}

static void* have(void* key) {
  pthread_setspecific(*(pthread_key_t*)key, "a thread");
  return NULL;
}

int main(int argc, char** argv) {
  pthread_key_t key;
  pthread_t thread;
  MPI_Init(&argc, &argv);
  pthread_key_create(&key, tell);
  pthread_create(&thread, NULL, have, &key);
  pthread_join(thread, NULL);
  pthread_setspecific(key, "main");
  say("%s", (char*)pthread_getspecific(key));
  MPI_Finalize();
  return 0;
}
