/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file raddle.h
 * The public C interface of Raddle, whole, on one page.
 *
 * All functions return an MPI error code (MPI_SUCCESS or an error of the class named) and raise errors through the
 * error handler of the communicator they were given, as MPI functions do (MPI-4.1 section 9.3).
 *
 * Settings. Environment variables, read once at the first call into Raddle; an unknown `RADDLE_` name or value is an
 * error that lists the valid ones. The list is made of src/platform/settings_table.hpp by tools/write_reference.py.
 *
 *   RADDLE_COUNT_CALLS  0 or 1; default: 0. 1: each process tells on stderr, when it ends, how often each MPI function
 *         was called through libraddle.
 *   RADDLE_EAGER  an integer >= 0 (bytes); default: the engine's choice. Bytes up to which a message between endpoints
 *         of one node is copied through the receiver's inbox at once; longer ones wait for their receive, but for those
 *         to another process, from 32 KiB on, that a ring has room for.
 *   RADDLE_ENGINE  direct or proxy; default: direct. direct: endpoints meet in memory and on lanes; proxy: processes of
 *         their own call the MPI for them (docs/build/engines.md).
 *   RADDLE_HOME  a directory; default: raddle in the user's cache directory. Where the command keeps the MPIs that it
 *         has installed, and the builds of an installed package, and where libraddle keeps what messages cost
 *         (docs/use/partitioned.md).
 *   RADDLE_LANES_MAX  an integer >= 1; default: 1024. Lanes that the pool of one communicator may hold before
 *         Raddle_Lanes_create fails with the class that Raddle_Err_lanes gives (communicators are few: MPICH has 2048 a
 *         process).
 *   RADDLE_LANES_REUSE  0 or 1; default: 1. 1: Raddle_Lanes_create takes idle lanes from the pool; 0: it makes new
 *         ones.
 *   RADDLE_NODE  host or rank; default: host. host: processes that share memory are one node; rank: every process is a
 *         node of its own, so that endpoints of two processes meet through the MPI only.
 *   RADDLE_PARTITIONED  0 or 1; default: 0. 1: partitioned communication (MPI_Psend_init and its relatives) is Raddle's
 *         and not the MPI's; the variable says so for all communicators, made from now on or predefined, the info key
 *         for one, as Raddle_Partitioned_attach does.
 *   RADDLE_PART_DIRECT  0 or 1; default: 1. 1: between processes or endpoints of a node partitions go straight into the
 *         receiver's buffer; 0: they always travel in messages.
 *   RADDLE_PART_LANES  an integer from 1 to 64; default: 1. Lanes over which the messages of partitioned sends are
 *         spread.
 *   RADDLE_PART_MAX_MESSAGES  an integer from 1 to 256; default: 256. Messages that a partitioned send may have.
 *   RADDLE_PART_MIN_BYTES  an integer >= 1 (bytes); default: Raddle's choice. Bytes that a message of a partitioned
 *         send should have at least.
 *   RADDLE_PART_POLICY  auto, none, bulk or fixed; default: auto. Which partitions make a message. auto: adapts to when
 *         they become ready; none: each one by itself, as far as the messages suffice; bulk: all together; fixed:
 *         groups of RADDLE_PART_MIN_BYTES.
 *   RADDLE_PROXIES  an integer from 0 to 1024; default: 0. Of each 1 + N ranks that the launcher starts the first is
 *         the program's, the others are its proxies. raddle exec --engine proxy sets it.
 *   RADDLE_PROXY_CPUS  CPUs as 0-3,8, in 255 characters at most; default: cores that the program's processes leave
 *         free. Where the proxies of a node go, one each.
 *   RADDLE_PROXY_HEAP  an integer >= 1 (MiB); default: a quarter of the machine's memory. MiB of memory that each
 *         process shares with its proxies. Only what is used takes room.
 *   RADDLE_PROXY_OVERSUBSCRIBE  0 or 1; default: 0. 0: proxies have a core each, or the job does not begin; 1: they may
 *         share.
 *   RADDLE_PROXY_PROGRESS  wait or async; default: wait. wait: a proxy sleeps while nobody waits for it; async: it goes
 *         on while anything is under way.
 *   RADDLE_PROXY_START  split or spawn; default: split. split: the launcher starts proxies; spawn: processes do, by
 *         MPI_Comm_spawn.
 *   RADDLE_SINGLE_COPY  auto or off; default: auto. auto: large messages between processes of a node are copied
 *         straight from the sender's memory where the system allows it; off: never.
 *   RADDLE_SPARSE_ALGORITHM  auto, alltoallv, pex, pcx, rsx, nbx, nary, locality or shared; default: auto. How sparse
 *         exchanges are made. auto: chosen by the size of the job and by what each costs here; the others are described
 *         in docs/use/sparse.md. The info key is the same on all processes.
 *   RADDLE_SPARSE_LANES  an integer from 1 to 64; default: 2. Nonblocking sparse exchanges of one communicator that are
 *         under way at the same time; further ones wait for these.
 *   RADDLE_SPARSE_RADIX  an integer from 2 to 64; default: 4. Base of the digits of the distance between ranks, along
 *         which the algorithm nary passes messages on (docs/use/sparse.md). The info key is the same on all processes.
 *   RADDLE_SPARSE_SORTED  0 or 1; default: 0. 0: messages of a sparse exchange lie in the order in which they arrived;
 *         1: by source. May differ between processes.
 *   RADDLE_THREAD_LEVEL  multiple or program; default: multiple. multiple: MPI_Init and MPI_Init_thread ask for
 *         MPI_THREAD_MULTIPLE; program: for what the program asks for.
 *   RADDLE_WATCHDOG  a number of seconds >= 0; 0 is off; default: 0. A blocked call that waits for more seconds than
 *         this prints what every endpoint of its process waits for.
 *
 * Info keys. Each overrides for one call the environment variable of the same name:
 *
 *   Raddle_Lanes_create: raddle_lanes_reuse (true or false)
 *   MPIX_Comm_create_endpoints: raddle_engine (direct or proxy)
 *   functions that make a communicator, and MPI_Comm_set_info: raddle_partitioned (true or false)
 *   Raddle_Psend_init and Raddle_Precv_init, and MPI's where they are Raddle's: raddle_part_max_messages (an integer
 *       from 1 to 256), raddle_part_min_bytes (an integer >= 1 (bytes)), raddle_part_policy (auto, none, bulk or fixed)
 *   Raddle_Sparse_exchange and its relatives: raddle_sparse_algorithm (auto, alltoallv, pex, pcx, rsx, nbx, nary,
 *       locality or shared), raddle_sparse_radix (an integer from 2 to 64), raddle_sparse_sorted (true or false)
 */
#ifndef RADDLE_H
#define RADDLE_H

#include <mpi.h>
#include <stddef.h>

#define RADDLE_VERSION_MAJOR 0
#define RADDLE_VERSION_MINOR 1
#define RADDLE_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library. */

/** Version of the library in use, which may differ from the header's. Any pointer may be NULL. Callable at any time. */
int Raddle_Get_version(int* major, int* minor, int* patch);

/*
 * Lanes: communicators with a communication context each, one for each thread, so that threads do not contend inside
 * the MPI. docs/use/lanes.md tells when and how.
 */

/**
 * The error class of failures to provide lanes (no communicators left, pool limit reached); its string says which. It
 * exists at run time only, so there is no constant for it.
 * @param[out] errorclass  class as MPI_Error_class returns it
 * @pre MPI is initialised and not finalised
 */
int Raddle_Err_lanes(int* errorclass);

/**
 * Makes lanes: communicators over the group of `comm`, each mapped to its own communication context (VCI, thread split,
 * worker) as far as this MPI can be told to, so that threads which keep to a lane each do not contend inside MPI.
 *
 * Lanes are ordinary communicators. Lane i of all processes belongs together. Lanes that were freed are kept in a pool
 * on `comm` and handed out again, so that creating and freeing in a loop does not use up the MPI's communicators. A
 * lane from the pool has the error handler of `comm` and the hints asked for; attributes that its last user cached on
 * it stay.
 *
 * Collective over `comm`, which must be an intracommunicator; not to be called by several threads on one `comm` at the
 * same time.
 *
 * For lanes to have communication contexts of their own the environment needs, before MPI_Init, with MPICH
 * `MPIR_CVAR_CH4_NUM_VCIS` of at least nlanes, and with Intel MPI `I_MPI_THREAD_SPLIT=1`,
 * `I_MPI_THREAD_RUNTIME=generic` and `I_MPI_THREAD_MAX` of nlanes; there lane i must then be used by one thread only.
 * Without, they are communicators only (docs/use/lanes.md). `raddle doctor` tells.
 *
 * @param[in]  comm    whose processes the lanes connect; its error handler is used and inherited
 * @param[in]  nlanes  number of lanes, >= 0, the same on all processes
 * @param[in]  info    hints, or MPI_INFO_NULL
 * @param[out] lanes   array of nlanes communicators; all MPI_COMM_NULL on error, and then no lane exists on any process
 * @return MPI_SUCCESS; MPI_ERR_COMM; MPI_ERR_ARG (nlanes negative or not equal everywhere); MPI_ERR_INFO_KEY,
 *         MPI_ERR_INFO_VALUE (unknown raddle_ hint); the class that Raddle_Err_lanes gives
 * Source: MPI-4.1 section 7.4.4 (the hints).
 */
int Raddle_Lanes_create(MPI_Comm comm, int nlanes, MPI_Info info, MPI_Comm lanes[]);

/**
 * Returns lanes to their pool; all operations on them must be complete. Local, and in any order. Idle lanes are freed
 * with the communicator they were made from or by MPI_Finalize; a lane that outlives its communicator is freed here, by
 * MPI_Comm_free, and so by all of its processes.
 *
 * @param[in]    nlanes  length of the array
 * @param[inout] lanes   handles from Raddle_Lanes_create, MPI_COMM_NULL is skipped; set to MPI_COMM_NULL
 * @return MPI_SUCCESS; MPI_ERR_COMM if a handle is not a lane in use
 */
int Raddle_Lanes_free(int nlanes, MPI_Comm lanes[]);

/* Endpoints: ranks that threads own. docs/use/endpoints.md tells what works on them. */

/**
 * Makes endpoints: ranks that threads own. Each process of `parent` asks for as many as it likes, including none; the
 * new communicator's ranks are those of process 0, then those of process 1, and so on. It returns one handle for each
 * endpoint of the calling process, and whichever thread uses a handle communicates as that rank. Several threads may
 * use one handle at the same time.
 *
 * A handle is a communicator for all MPI functions that docs/use/endpoint-functions.md lists as supported or native;
 * any other one, when given the handle, raises MPI_ERR_UNSUPPORTED_OPERATION and names itself. Names, attributes, error
 * handlers and hints are each endpoint's own; error handlers come from `parent`. Each handle is freed with
 * MPI_Comm_free, by any thread, one after the other or at the same time; that is local.
 *
 * Collective over `parent`, an intracommunicator; one thread of each process calls. Between nodes, endpoints need
 * MPI_THREAD_MULTIPLE.
 *
 * @param[in]  parent     whose processes get endpoints
 * @param[in]  my_num_ep  number of endpoints of this process, >= 0
 * @param[in]  info       MPI_INFO_NULL, or hints: `raddle_engine` = `direct` or `proxy`, the same on all processes
 * @param[out] newcomm    array of my_num_ep handles, ignored if that is 0; all MPI_COMM_NULL on error
 * @return MPI_SUCCESS; MPI_ERR_COMM; MPI_ERR_ARG (a negative number); MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE (unknown
 *         raddle_ hint); MPI_ERR_UNSUPPORTED_OPERATION (parent is an endpoint); the class that Raddle_Err_endpoints
 *         gives (no resources). On error no process has endpoints.
 * Source: MPI Forum ticket 56 (MPI endpoints), function MPI_Comm_create_endpoints.
 */
int MPIX_Comm_create_endpoints(MPI_Comm parent, int my_num_ep, MPI_Info info, MPI_Comm newcomm[]);

/**
 * The error class of failures to provide endpoints; its strings say what was missing. It exists at run time only, so
 * there is no constant for it.
 * @param[out] errorclass  class as MPI_Error_class returns it
 * @pre MPI is initialised and not finalised
 */
int Raddle_Err_endpoints(int* errorclass);

/* Memory for messages. */

/**
 * Memory for messages. With proxies it is memory that they see, so that messages from it and into it travel without a
 * copy, as with MPI_Alloc_mem; without, it is malloc's. Any thread, between MPI_Init and MPI_Finalize.
 *
 * @param[in] bytes      how much; 0 gives an address all the same
 * @param[in] alignment  a power of two
 * @return the memory, to be freed with Raddle_free; NULL: there is not so much, or a bad alignment
 * Source: the endpoints library of SC '14 ("message buffers are allocated in shared memory to avoid copies").
 */
void* Raddle_malloc(size_t bytes);
void* Raddle_memalign(size_t alignment, size_t bytes);
/** Frees it; NULL has no effect. Before MPI_Finalize. */
void Raddle_free(void* memory);

/*
 * Ranks for threads to adopt, so that code which was written for processes runs in threads. What raddle exec
 * --threads-as-ranks is made of.
 */

/** A rank that threads can adopt. */
typedef struct Raddle_Rank_s* Raddle_Rank;

/**
 * Makes ranks for threads to adopt: endpoints over MPI_COMM_WORLD, as many for this process as it asks for, and for
 * each of them a communicator of its own alone. Collective over MPI_COMM_WORLD; one thread of each process calls.
 *
 * @param[in]  count  number of ranks of this process, >= 0
 * @param[out] ranks  array of count ranks, ended by MPI_Finalize
 * @return as MPIX_Comm_create_endpoints
 */
int Raddle_Ranks_create(int count, Raddle_Rank ranks[]);

/**
 * The calling thread becomes a rank: in its calls MPI_COMM_WORLD and MPI_COMM_SELF are that rank's, MPI_Init,
 * MPI_Init_thread, MPI_Initialized, MPI_Finalize and MPI_Finalized begin and end the rank and not the process, and
 * MPI_Buffer_attach is the rank's own. Several threads may be one rank; MPI_Is_thread_main knows the first. A process
 * that makes ranks calls MPI_Finalize itself, in a thread that has adopted none, when all have ended.
 *
 * @param[in] rank  of Raddle_Ranks_create; NULL: the thread is no rank any more
 */
int Raddle_Rank_adopt(Raddle_Rank rank);

/**
 * The ranks run whole programs, each with its own MPI_Init and MPI_Finalize: a call on MPI_COMM_WORLD or MPI_COMM_SELF
 * before the one or after the other ends the job, as that of a process would. Before any thread has adopted them.
 *
 * Errors of their calls that are about no communicator (MPI-4.1 section 9.3) are raised by the rank's own handlers if
 * the process's MPI_COMM_WORLD and MPI_COMM_SELF have MPI_ERRORS_RETURN; otherwise the process's handlers hear them.
 */
int Raddle_Ranks_run_programs(int count, Raddle_Rank ranks[]);

/** Which rank the calling thread is, for threads that it starts; NULL: none. */
int Raddle_Rank_adopted(Raddle_Rank* rank);

/**
 * How many calls of a rank have moved data, looked for some or synchronised: on communicators of endpoints, and on
 * others, of which a program written for processes has none. Any thread may ask at any time.
 */
int Raddle_Rank_calls(Raddle_Rank rank, long long* on_endpoints, long long* elsewhere);

/** The last function that a rank has called and endpoints do not support, since this was last asked; NULL: none. */
int Raddle_Rank_refused(Raddle_Rank rank, const char** function);

/**
 * Whether other ranks may wait for a rank: it is between its MPI_Init and its MPI_Finalize, or has sessions that it has
 * not finalised. Any thread may ask at any time.
 */
int Raddle_Rank_takes_part(Raddle_Rank rank, int* flag);

/*
 * Partitioned communication: a message in parts, which threads make ready one by one. Raddle sends them early, in
 * groups, and without a lock, on any MPI, whether it has these functions or not. On communicators of endpoints
 * MPI_Psend_init and its relatives are these; on others, where RADDLE_PARTITIONED is 1 or Raddle_Partitioned_attach has
 * been called. Requests are for MPI_Start, MPI_Wait, MPI_Test, MPI_Request_get_status, MPI_Request_free and their
 * relatives, together with others. docs/use/partitioned.md tells when and how.
 */

/**
 * Makes an inactive request that sends `partitions` times `count` elements of `type` in each round, from MPI_Start to
 * its completion. The receiver may divide the same data otherwise. Requests match in the order in which the two sides
 * made them, for each communicator, peer and tag. Does not wait for the receiver.
 *
 * @param[in]  buf         of all partitions, one behind the other
 * @param[in]  partitions  their number, >= 0
 * @param[in]  count       elements in each, >= 0
 * @param[in]  dest        rank, or MPI_PROC_NULL
 * @param[in]  comm        of endpoints, or attached
 * @param[in]  info        MPI_INFO_NULL, or hints: see above
 * @return MPI_SUCCESS; MPI_ERR_COMM (neither of endpoints nor attached); MPI_ERR_ARG (partitions); MPI_ERR_COUNT;
 *         MPI_ERR_TYPE; MPI_ERR_RANK; MPI_ERR_TAG; MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE (unknown raddle_ hint)
 * Source: MPI-4.1 section 4.2.1.
 */
int Raddle_Psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request);

/**
 * The same for the receiver. A message that is longer than the buffer ends the round with MPI_ERR_TRUNCATE.
 *
 * @param[in] source  rank, or MPI_PROC_NULL; MPI_ANY_SOURCE is MPI_ERR_RANK
 * @param[in] tag     MPI_ANY_TAG is MPI_ERR_TAG
 * Source: MPI-4.1 section 4.2.1.
 */
int Raddle_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                      MPI_Info info, MPI_Request* request);

/**
 * A partition may be sent: the program does not write to it any more in this round. Any threads at once, once for each
 * partition in a round. _range: from `low` to `high`, both included; _list: `length` of them.
 *
 * @param[in] request  of Raddle_Psend_init, active
 * @return MPI_SUCCESS; MPI_ERR_ARG (no such partition); MPI_ERR_REQUEST (inactive, or not of a partitioned send)
 * Source: MPI-4.1 section 4.2.2.
 */
int Raddle_Pready(int partition, MPI_Request request);
int Raddle_Pready_range(int low, int high, MPI_Request request);
int Raddle_Pready_list(int length, const int partitions[], MPI_Request request);

/**
 * Whether a partition of the receiver's has arrived, so that the program may read it. Any threads at once.
 *
 * @param[in]  request  of Raddle_Precv_init, or MPI_REQUEST_NULL; of this one, and of an inactive one, all have arrived
 * @param[out] flag     0 or 1
 * @return MPI_SUCCESS; MPI_ERR_ARG (no such partition); MPI_ERR_REQUEST (not of a partitioned receive)
 * Source: MPI-4.1 section 4.2.2.
 */
int Raddle_Parrived(MPI_Request request, int partition, int* flag);

/**
 * Makes a communicator ready for partitioned communication by Raddle: MPI_Psend_init and MPI_Precv_init on it are
 * Raddle's from now on. Collective over `comm`. Calling it again has no effect, nor has calling it on an
 * endpoint.
 *
 * @return MPI_SUCCESS; MPI_ERR_COMM; the class that Raddle_Err_endpoints gives (no resources)
 */
int Raddle_Partitioned_attach(MPI_Comm comm);

/**
 * How many messages the last round that was started consists of.
 *
 * @param[out] messages  0: of none, since partitions go straight into the receiver's buffer, or that is not known yet
 * @return MPI_SUCCESS; MPI_ERR_REQUEST (not of a partitioned operation)
 */
int Raddle_Partitioned_messages(MPI_Request request, int* messages);

/*
 * Sparse exchange, dynamic: every process knows to whom it sends, but not from whom it receives. One call sends
 * all messages and gives those that have arrived. On any intracommunicator, of processes or of endpoints; collective
 * over it, and like MPI's collectives to be called in the same order everywhere. Any number of messages may go to one
 * rank, in order; a rank may send to itself; a message may have no elements, and arrives all the same. The program's
 * own messages are not touched: Raddle's travel on communicators of its own, which the first call on a communicator
 * makes. docs/use/sparse.md tells when to prefer which algorithm.
 */

/**
 * Messages that have arrived, in compressed rows. Message i is from ranks[i]; its elements are those from offsets[i] to
 * offsets[i + 1], each an extent of the datatype after the one before, from `data` on as from the buffer of MPI_Recv.
 * Several messages of one rank are in the order in which it gave them.
 */
typedef struct Raddle_Sparse_messages {
  int count;          /**< messages */
  int* ranks;         /**< `count` sources */
  MPI_Count* offsets; /**< `count` + 1, in elements, from 0 on */
  void* data;         /**< offsets[count] elements */
  void* store;        /**< Raddle's own: whatever holds the memory */
} Raddle_Sparse_messages;

/**
 * Sends `count` messages, each to a rank, and receives those that others send here. Message i is for dests[i]; its
 * elements are those from offsets[i] to offsets[i + 1] of `data`.
 *
 * @param[in]  data      buffer as of MPI_Send
 * @param[in]  count     messages, >= 0
 * @param[in]  dests     `count` ranks, or MPI_PROC_NULL
 * @param[in]  offsets   `count` + 1, in elements, not descending; ignored if `count` is 0
 * @param[in]  sendtype  of `data`
 * @param[in]  recvtype  of what arrives; signatures match as in MPI_Send and MPI_Recv
 * @param[in]  info      MPI_INFO_NULL, or hints: see above
 * @param[out] received  to be given back with Raddle_Sparse_free
 * @return MPI_SUCCESS; MPI_ERR_COMM (null, or an intercommunicator); MPI_ERR_COUNT (`count` negative, or descending
 *         offsets); MPI_ERR_RANK; MPI_ERR_TYPE; MPI_ERR_TRUNCATE (a message is not of whole elements of `recvtype`);
 *         MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE (unknown raddle_ hint); MPI_ERR_UNSUPPORTED_OPERATION (rsx on endpoints,
 *         since it needs windows of processes; shared among ranks that do not share a node's memory)
 * Source: T. Hoefler, C. Siebert, A. Lumsdaine: Scalable communication protocols for dynamic sparse data exchange,
 *         PPoPP '10.
 */
int Raddle_Sparse_exchange(const void* data, int count, const int dests[], const MPI_Count offsets[],
                           MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Info info, MPI_Comm comm,
                           Raddle_Sparse_messages* received);

/**
 * The same without waiting: `request` is for MPI_Wait, MPI_Test and their relatives, together with others, and
 * `received` is there when it is complete. Until then nothing that was given may be changed, `dests` and `offsets`
 * excepted. The first call on a communicator waits for all its processes (Raddle_Sparse_attach does that ahead); so
 * does the first by rsx, locality or shared that a hint asks for where RADDLE_SPARSE_ALGORITHM is another one: they
 * need more.
 */
int Raddle_Sparse_iexchange(const void* data, int count, const int dests[], const MPI_Count offsets[],
                            MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Info info, MPI_Comm comm,
                            Raddle_Sparse_messages* received, MPI_Request* request);

/**
 * A plan for a pattern that repeats: finds out who sends how much to whom, once, and makes an inactive request. From
 * MPI_Start to its completion it sends what then is in `data`, and what arrives is in `received`, whose arrays stay the
 * same and are sorted by source. Ended by MPI_Request_free; `received` is given back after that.
 */
int Raddle_Sparse_exchange_init(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Info info, MPI_Comm comm,
                                Raddle_Sparse_messages* received, MPI_Request* request);

/** Frees what an exchange has filled in, and empties it. Local; has no effect on an empty one. */
int Raddle_Sparse_free(Raddle_Sparse_messages* received);

/**
 * Takes a message. May throw, if it is C++.
 * @param[in] data   valid during the call
 * @param[in] count  elements
 * @return MPI_SUCCESS, or an error code that the exchange then returns
 */
typedef int Raddle_Sparse_receiver(void* context, int source, const void* data, MPI_Count count);

/**
 * The same exchange, but what arrives is handed to a function at once, one message after the other, in the calling
 * thread. If the function fails or throws, it is not called any more; the exchange is gone through to its end, so that
 * no process waits, and only then returns the function's error or throws what it has thrown.
 */
int Raddle_Sparse_exchange_each(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                MPI_Datatype sendtype, MPI_Datatype recvtype, Raddle_Sparse_receiver* receiver,
                                void* context, MPI_Info info, MPI_Comm comm);

/** Where an answer is put. */
typedef struct Raddle_Sparse_answer_s* Raddle_Sparse_answer;

/**
 * Answers a message, by at most one call of Raddle_Sparse_reply; without it the answer has no elements. May throw, as
 * Raddle_Sparse_receiver may.
 */
typedef int Raddle_Sparse_answerer(void* context, int source, const void* data, MPI_Count count,
                                   Raddle_Sparse_answer answer);

/**
 * Gives the elements of an answer, which are copied.
 * @return MPI_SUCCESS; MPI_ERR_COUNT (negative)
 */
int Raddle_Sparse_reply(Raddle_Sparse_answer answer, const void* data, MPI_Count count);

/**
 * Asks other ranks: each message is answered where it arrives, and `answers` are as many as the questions and in their
 * order: answer i is that of dests[i]. MPI_PROC_NULL answers with no elements.
 *
 * @param[in]  asktype     of questions, where they are asked and where they arrive
 * @param[in]  answertype  of answers, likewise
 */
int Raddle_Sparse_ask(const void* data, int count, const int dests[], const MPI_Count offsets[], MPI_Datatype asktype,
                      MPI_Datatype answertype, Raddle_Sparse_answerer* answerer, void* context, MPI_Info info,
                      MPI_Comm comm, Raddle_Sparse_messages* answers);

/**
 * Makes what exchanges on `comm` need, which otherwise the first one makes. Collective over `comm`; calling it again
 * has no effect.
 */
int Raddle_Sparse_attach(MPI_Comm comm);

/**
 * The algorithm of the last exchange that was started on `comm`.
 * @param[out] name  as of raddle_sparse_algorithm, and never "auto"; NULL: there has been none
 */
int Raddle_Sparse_algorithm(MPI_Comm comm, const char** name);

#ifdef RADDLE_FORUM_NAMES
/** The name in the Forum's proposal. */
#define MPI_Comm_create_endpoints MPIX_Comm_create_endpoints
#endif

#ifdef __cplusplus
}
#endif

#endif /* RADDLE_H */
