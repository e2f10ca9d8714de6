# SPDX-License-Identifier: BSD-3-Clause
"""Everything that the doctor can find: what was seen, why it matters, and the exact setting or step that mends it.

Sentences are templates; `raddle.doctor.judge` fills them with facts. A test proves that each entry can occur.
"""

from __future__ import annotations

from enum import Enum

from raddle.named import Named


class Severity(str, Enum):
    """OK: as it should be. ADVICE: it could be faster or clearer. WRONG: programs fail, or lose most of a machine."""

    OK = "ok"
    ADVICE = "advice"
    WRONG = "wrong"


class Finding(Named):
    """A finding is its name (`Finding.SPINS == "spins"`) and carries the sentences that explain it."""

    severity: Severity
    seen: str
    matters: str
    do: str

    # Whether it starts at all.
    DOES_NOT_START = (
        "does-not-start",
        Severity.WRONG,
        "'{command}' does not start a program: {problem}.",
        "Nothing runs that way; what else is told here was found out with other options.",
        "{fix}",
    )
    ROOT_REFUSED = (
        "root-refused",
        Severity.WRONG,
        "'{command}' refuses to start processes for root.",
        "In containers everything is root, so no program starts.",
        "export {settings} where being root is meant; else be another user.",
    )
    # Thread levels.
    LEVEL_LOWER = (
        "level-lower",
        Severity.WRONG,
        "Thread level {asked} was asked for, and {provided} provided.",
        "A program that relies on {asked} all the same breaks at random.",
        "Use a build of the library with thread support (MPICH: --enable-threads=multiple), and look for a setting "
        "that lowers the level.",
    )
    LEVEL_RAISED = (
        "level-raised",
        Severity.ADVICE,
        "Thread level {asked} was asked for, and {provided} provided.",
        "A program without threads pays for locks that it does not need.",
        "Look for a setting that raises the level and unset it (MPICH: MPIR_CVAR_DEFAULT_THREAD_LEVEL; Intel MPI: "
        "I_MPI_THREAD_LEVEL).",
    )
    LEVELS_AS_ASKED = (
        "levels-as-asked",
        Severity.OK,
        "Each thread level that was asked for was provided: {levels}.",
        "Threads may do what the program told the library they do.",
        "Nothing.",
    )
    TOOL_LOWERS_LEVEL = (
        "tool-lowers-level",
        Severity.WRONG,
        "Two threads sent to each other after MPI_T_init_thread(MPI_THREAD_SINGLE): {how}.",
        "A tool or program that asks MPI_T for less than MPI_Init_thread takes thread safety from the whole library.",
        "In threaded programs call MPI_T_init_thread with MPI_THREAD_MULTIPLE, and use no tool that does not.",
    )
    TOOL_KEEPS_LEVEL = (
        "tool-keeps-level",
        Severity.OK,
        "MPI_T_init_thread with a lower level leaves the library thread-safe.",
        "Tools do not endanger threaded programs.",
        "Nothing.",
    )
    # Communication contexts.
    FEW_CONTEXTS = (
        "few-contexts",
        Severity.ADVICE,
        "The library opened {contexts} for {threads} threads a process.",
        "Threads contend for the locks of a communication context even when each has a communicator of its own.",
        "export {settings} before starting, and give each thread a communicator (Raddle_Lanes_create).",
    )
    CONTEXTS_REFUSED = (
        "contexts-refused",
        Severity.ADVICE,
        "With {settings} the library opened {contexts} for {threads} threads a process.",
        "Threads share communication contexts, although the library was told to open enough.",
        "Look at what it was built with (MPICH: --enable-thread-cs=per-vci and --with-ch4-max-vcis), or use fewer "
        "threads.",
    )
    CONTEXTS_ENOUGH = (
        "contexts-enough",
        Severity.OK,
        "The library opened {contexts} for {threads} threads a process.",
        "Each thread with a communicator of its own can have a communication context of its own.",
        "Nothing.",
    )
    CONTEXTS_UNTOLD = (
        "contexts-untold",
        Severity.OK,
        "The number of communication contexts is not told by this library, and nothing is known that sets it.",
        "Whether a communicator for each thread helps can only be measured.",
        "raddle run msgrate --mpi {name} --variant process,thread,lane",
    )
    # Against the others.
    FAR_FROM_BEST = (
        "far-from-best",
        Severity.ADVICE,
        "Two processes of this library are far from the best that there is on this machine: {how}.",
        "Programs wait longer than they need, and whatever is compared with it looks better than it is.",
        "{fix}",
    )
    # CPUs.
    BOUND_BELOW_SHARE = (
        "bound-below-share",
        Severity.WRONG,
        "'{command}' leaves a process {bound}; its share of this machine's is {share}.",
        "All threads of the process take turns on these, while other CPUs idle.",
        "mpiexec {option}, or export {settings}",
    )
    RANKS_SHARE_CPU = (
        "ranks-share-cpu",
        Severity.WRONG,
        "'{command}' binds {ranks} processes to {bound} together, although there are {cpus}.",
        "Processes that wait by spinning take the CPU from those they wait for.",
        "mpiexec {option}, or export {settings}; do not start two jobs on one node without telling each its CPUs.",
    )
    THREADS_SHARE_CPU = (
        "threads-share-cpu",
        Severity.WRONG,
        "{threads} OpenMP threads of a process are bound to {bound}, although the process may use {cpus}.",
        "The threads take turns instead of working together.",
        "unset OMP_PLACES GOMP_CPU_AFFINITY KMP_AFFINITY; export OMP_PROC_BIND=spread OMP_PLACES=threads",
    )
    BOUND_FAIRLY = (
        "bound-fairly",
        Severity.OK,
        "Each process may use its share of the CPUs, and so may its threads: {cpus}.",
        "Threads can work at the same time.",
        "Nothing.",
    )
    SPINS = (
        "spins",
        Severity.ADVICE,
        "{busy} busy threads ({processes} x {threads}) have {cpus}, and this library does not yield when it waits.",
        "A thread that waits keeps the CPU from the one it waits for; programs become many times slower.",
        "Use fewer processes or threads; where that cannot be, export {settings}",
    )
    OVERSUBSCRIBED = (
        "oversubscribed",
        Severity.ADVICE,
        "{busy} busy threads ({processes} x {threads}) have {cpus}; the library {yields}.",
        "They take turns, so each runs at a fraction of the speed.",
        "Use fewer processes or threads: raddle doctor --processes N --threads N judges for another number.",
    )
    YIELDS_IDLY = (
        "yields-idly",
        Severity.ADVICE,
        "The library yields the CPU whenever it waits, although {busy} busy threads ({processes} x {threads}) have "
        "{cpus}.",
        "Each message that is not there yet costs a way through the kernel.",
        "unset {variables}",
    )
    CPUS_ENOUGH = (
        "cpus-enough",
        Severity.OK,
        "{busy} busy threads ({processes} x {threads}) have {cpus}; the library {yields}.",
        "Each thread can have a CPU of its own.",
        "Nothing.",
    )
    # Settings.
    SETTINGS_CHANGED = (
        "settings-changed",
        Severity.OK,
        "Control variables that concern threads differ from their defaults: {changes}.",
        "To compare or repeat a measurement, make the same settings.",
        "Nothing if that is meant; else unset {variables}",
    )
    SETTINGS_UNKNOWN = (
        "settings-unknown",
        Severity.ADVICE,
        "The environment has settings that this library does not know: {variables}.",
        "They change nothing, without any message: they are misspelt, or of another version.",
        "unset {variables}, or correct the names (MPI_T lists them: raddle doctor --json has those that matter).",
    )
    SETTINGS_DEFAULT = (
        "settings-default",
        Severity.OK,
        "All control variables that concern threads have their defaults.",
        "Nothing to remember when a measurement is repeated.",
        "Nothing.",
    )
    # How messages travel.
    TRANSPORT = (
        "transport",
        Severity.OK,
        "Messages travel by: {transport}.",
        "It decides about latency and bandwidth between nodes.",
        "Nothing.",
    )
    TRANSPORT_UNTOLD = (
        "transport-untold",
        Severity.OK,
        "The network provider is not told by this library while all processes are on one node.",
        "Between nodes it decides about latency and bandwidth.",
        "Start raddle doctor in an allocation of two nodes to see it.",
    )
    NO_NETWORK = (
        "no-network",
        Severity.ADVICE,
        "The library could not load {library}.",
        "Within a node it works, but processes on two nodes cannot reach each other.",
        "Load the MPI's own environment (its module or setvars.sh), or put the directory of {library} into "
        "LD_LIBRARY_PATH.",
    )
    REACH_FORBIDDEN = (
        "reach-forbidden",
        Severity.ADVICE,
        "One process may not read another's memory (process_vm_readv: {why}; kernel.yama.ptrace_scope is {scope}).",
        "Large messages on a node are copied twice instead of once.",
        "sysctl kernel.yama.ptrace_scope=0 as root; in a container, start it with --cap-add=SYS_PTRACE",
    )
    REACH_PERMITTED = (
        "reach-permitted",
        Severity.OK,
        "One process may read another's memory (process_vm_readv).",
        "Large messages on a node can be copied once (cross-memory attach).",
        "Nothing.",
    )
    SHM_SMALL = (
        "shm-small",
        Severity.WRONG,
        "/dev/shm has {free} MiB free of {whole}; {processes} processes may need {needed}.",
        "MPI libraries keep their queues there, and crash or refuse to start when it is full.",
        "mount -o remount,size=4G /dev/shm as root; docker run --shm-size=4g; remove what dead programs left in it",
    )
    SHM_ENOUGH = (
        "shm-enough",
        Severity.OK,
        "/dev/shm has {free} MiB free of {whole}.",
        "MPI libraries keep the queues between processes of a node there.",
        "Nothing.",
    )
    # What the library does wrong.
    ANY_SOURCE_MISSES = (
        "any-source-misses",
        Severity.WRONG,
        "Between nodes, a receive from MPI_ANY_SOURCE of a message that had come before it: {how}.",
        "The message is lost. Programs that receive from any source hang between nodes, in some runs only.",
        "Use another network (MPICH 5.0.2: export MPIR_CVAR_CH4_NETMOD=ofi), name the source, or receive with "
        "MPI_Mprobe and MPI_Mrecv.",
    )
    ANY_SOURCE_FINDS = (
        "any-source-finds",
        Severity.OK,
        "Between nodes, a receive from MPI_ANY_SOURCE gets a message that had come before it.",
        "Programs may receive from any source.",
        "Nothing.",
    )
    SPAWN_FAILS = (
        "spawn-fails",
        Severity.WRONG,
        "MPI_Comm_spawn of one process: {how}.",
        "Programs that start others, and endpoints whose proxies are spawned (RADDLE_PROXY_START=spawn), do not work.",
        "Start all processes with mpiexec; give it no binding options (MPICH 5.0.2 cannot spawn with -bind-to).",
    )
    SPAWN_WORKS = (
        "spawn-works",
        Severity.OK,
        "MPI_Comm_spawn started a process that answered.",
        "Programs may start others.",
        "Nothing.",
    )
    PARTITIONED_ABSENT = (
        "partitioned-absent",
        Severity.ADVICE,
        "The library has no partitioned communication (MPI_Psend_init of MPI 4).",
        "Programs that use it do not compile.",
        "Use a library of MPI 4 or later.",
    )
    PARTITIONED_FAILS = (
        "partitioned-fails",
        Severity.WRONG,
        "A plain partitioned exchange: {how}.",
        "Partitioned communication cannot be used at all.",
        "Use MPI_Isend and MPI_Irecv for each partition.",
    )
    PARTITIONED_LATE = (
        "partitioned-late",
        Severity.ADVICE,
        "{how}.",
        "The library sends all at the last MPI_Pready: a receiver cannot begin early, and the transfer overlaps "
        "nothing.",
        "Where overlap is the aim, use persistent sends of some partitions each.",
    )
    PARTITIONED_TOO_EARLY = (
        "partitioned-too-early",
        Severity.WRONG,
        "16 partitions sent, 8 received: {how}.",
        "The receiver reads data that are not there.",
        "Use the same number of partitions on both sides, or MPI_Wait instead of MPI_Parrived.",
    )
    PARTITIONED_NEVER = (
        "partitioned-never",
        Severity.WRONG,
        "8 partitions sent, 16 received: {how}.",
        "A receiver that waits for a partition waits forever.",
        "Use the same number of partitions on both sides, or MPI_Wait instead of MPI_Parrived.",
    )
    PARTITIONED_STRIDED = (
        "partitioned-strided",
        Severity.WRONG,
        "A partitioned exchange of a datatype with gaps: {how}.",
        "Data are changed without any error.",
        "Pack strided data, and send partitions of a contiguous type.",
    )
    PARTITIONED_TEST = (
        "partitioned-test",
        Severity.WRONG,
        "A partitioned send, tested before MPI_Pready: {how}.",
        "The program takes its buffer back before it was sent.",
        "Call MPI_Test or MPI_Wait only after the last MPI_Pready of the round.",
    )
    PARTITIONED_STARTALL = (
        "partitioned-startall",
        Severity.WRONG,
        "MPI_Startall of two partitioned requests: {how}.",
        "Programs with several neighbours hang.",
        "Call MPI_Start for each request.",
    )
    PARTITIONED_NO_PARTNER = (
        "partitioned-no-partner",
        Severity.WRONG,
        "A partitioned send to MPI_PROC_NULL: {how}.",
        "Programs whose domain has an edge cannot use it there as they use MPI_Isend.",
        "Leave partitioned requests out where there is no neighbour.",
    )
    PARTITIONED_ANY_TAG = (
        "partitioned-any-tag",
        Severity.WRONG,
        "A receive with MPI_ANY_TAG beside a partitioned exchange: {how}.",
        "It gets what the library sends for itself: other parts of a program break.",
        "Give partitioned communication a communicator of its own (MPI_Comm_dup).",
    )
    PARTITIONED_SUBSET = (
        "partitioned-subset",
        Severity.WRONG,
        "A partitioned exchange of two of three processes: {how}.",
        "The library waits for processes that take no part.",
        "Let every process of MPI_COMM_WORLD begin one partitioned exchange at the same time, or use none.",
    )
    PARTITIONED_RIGHT = (
        "partitioned-right",
        Severity.OK,
        "Partitioned communication did right in these trials: {trials}.",
        "Threads may mark parts of a message ready.",
        "Nothing.",
    )
    NOT_TRIED = (
        "not-tried",
        Severity.ADVICE,
        "Not tried, since the launch for it did not start: {trials}: {detail}.",
        "Nothing is known about these.",
        "Try the command by hand: {command}",
    )
