# SPDX-License-Identifier: BSD-3-Clause
"""The verdict in words: what threads cost on each MPI, what lanes bring back, how far both are from the machine.

The processes that threads are held against are the best ones of any MPI in the run, which are named; those of the same
MPI stand behind. What a thread level costs is asked of each MPI by itself.

Every sentence is computed from rows and names them, so that a reader can go from it to the figure. A sentence claims a
difference only when the interval of its ratio shows one; it says so when it does not, and when there is no interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from raddle.catalogue import Question, catalogue
from raddle.judge.headline import headline_params, headline_size
from raddle.judge.points import RIVALS, PointIndex, best, placement, whole
from raddle.judge.sentence import Best, Environments, Narrator, Sentence, Topic
from raddle.model import NO_MPI, PROCESS, TUNED, ResultRow
from raddle.mpi.family import families
from raddle.units import format_bytes
from raddle.wording import count

__all__ = ["Sentence", "Topic", "verdict"]


# In the order in which they are preferred: what is nearest to most people's machines comes first.
_PLACES = ("node", "nodes", "netns", "no-shm")


# What a metric is called in a sentence; in the order in which benchmarks with these answer a question.
_QUANTITIES = {"rate": "message rate", "latency": "latency", "bandwidth": "bandwidth", "exchange": "time"}
_USUAL_RANKS = 16


def verdict(
    rows: Sequence[ResultRow], env: Environments | None = None, titles: Mapping[str, str] | None = None
) -> list[Sentence]:
    """All sentences, MPI by MPI, by topic. `titles` are the names of MPIs with their version, in the order to keep."""
    titles = titles or {}
    first = {row.mpi: row for row in reversed(rows) if row.mpi != NO_MPI}
    index = PointIndex(rows)
    named = {mpi: titles.get(mpi) or _title(row) for mpi, row in first.items()}
    return [
        sentence
        for mpi in [*(name for name in titles if name in first), *sorted(first.keys() - titles.keys())]
        for sentence in _Judge(index, Narrator(mpi, named[mpi], env or {}), named).sentences()
    ]


class _Judge:
    """Chooses what to say about one MPI: one row for each question, the one that tells most."""

    def __init__(self, index: PointIndex, narrator: Narrator, titles: Mapping[str, str]) -> None:
        self._index, self._narrator, self._titles = index, narrator, titles

    def sentences(self) -> list[Sentence]:
        """All that can be said, or one sentence that says that nothing can."""
        questions: dict[Question, Callable[[str], Sentence | None]] = {
            "threads": self._threads,
            "flows": self._flows,
            "lanes": self._lanes,
            "level": self._level,
            "overhead": self._overhead,
            "partitioned": self._partitioned,
            "sparse": self._sparse,
            "limit": self._limit,
        }
        said: dict[tuple[Question, str], Sentence] = {}
        for question, ask in questions.items():
            for benchmark in _answering(question):
                once = (question, _quantity(benchmark))
                if once not in said and (sentence := ask(benchmark)):
                    said[once] = sentence
        return [*said.values()] or [self._narrator.nothing()]

    def _threads(self, benchmark: str) -> Sentence | None:
        """What do threads of one process reach of as many processes, and what do lanes and the like?"""
        for thread in self._candidates(benchmark, "thread", "one-process"):
            contexts = 2 * whole(thread, "threads", 1)
            if (process := self._best_processes(thread, contexts)) is not None:
                break
        else:
            return None
        subject = f"{count(contexts, 'thread')} of one process"
        return self._against(process, contexts, thread, subject, _quantity(benchmark))

    def _flows(self, benchmark: str) -> Sentence | None:
        """The same for several threads in each of two processes."""
        for thread in (row for place in _PLACES for row in self._candidates(benchmark, "thread", place)):
            threads = whole(thread, "threads", 1)
            if (process := self._best_processes(thread, 2 * threads)) is not None and threads > 1:
                break
        else:
            return None
        subject = f"two processes of {count(threads, 'thread')} each"
        return self._against(process, 2 * threads, thread, subject, _quantity(benchmark))

    def _against(self, process: Best, contexts: int, thread: ResultRow, subject: str, quantity: str) -> Sentence:
        """Threads against the best processes and their own, with whatever else could serve the threads."""
        own = self._processes(thread)
        behind = own is not None and own is not process.row
        lane = self._index.counterpart(thread, "lane")
        others = {
            "lanes": lane,
            "thread communicators": self._index.counterpart(thread, "threadcomm"),
            "endpoints": self._index.counterpart(thread, "endpoint-direct"),
            "endpoints with proxies": self._index.counterpart(thread, "endpoint-proxy"),
        }
        return self._narrator.compare(
            Topic.THREADS,
            quantity,
            (thread, subject),
            process,
            beside=("threads", (own, f"{count(contexts, 'process')} of the same MPI")) if own and behind else None,
            alternatives={name: row for name, row in others.items() if row},
            lane=lane,
            thread=thread,
        )

    def _lanes(self, benchmark: str) -> Sentence | None:
        """What does a communicator for each thread bring over one for all, in two processes of several threads?"""
        for lane in self._candidates(benchmark, "lane", "node"):
            thread, threads = self._index.counterpart(lane, "thread"), whole(lane, "threads", 1)
            if thread is not None and threads > 1:
                break
        else:
            return None
        process = self._best_processes(lane, 2 * threads)
        return self._narrator.compare(
            Topic.LANES,
            _quantity(benchmark),
            (lane, f"lanes (a communicator for each thread) in two processes of {count(threads, 'thread')} each"),
            Best(thread, "one communicator for all threads"),
            beside=("lanes", process.named) if process else None,
            lane=lane,
            thread=thread,
        )

    def _level(self, benchmark: str) -> Sentence | None:
        """What does asking for MPI_THREAD_MULTIPLE cost a process that then uses one thread?"""
        for thread in self._candidates(benchmark, "thread", "node"):
            process = self._processes(thread)
            if process is not None and whole(thread, "threads", 1) == 1:
                break
        else:
            return None
        return self._narrator.compare(
            Topic.LEVEL,
            _quantity(benchmark),
            (thread, "two processes of one thread each under MPI_THREAD_MULTIPLE"),
            Best(process, "two processes that called plain MPI_Init"),
        )

    def _overhead(self, benchmark: str) -> Sentence | None:
        """The same where nothing else differs, not even the variant."""
        for row in (row for place in _PLACES for row in self._candidates(benchmark, "process", place)):
            single = self._otherwise(row, "level", "single")
            if row.params.get("level") == "multiple" and single is not None:
                return self._narrator.compare(
                    Topic.LEVEL,
                    _quantity(benchmark),
                    (row, "two processes that asked for MPI_THREAD_MULTIPLE and use one thread"),
                    Best(single, "two that called plain MPI_Init"),
                )
        return None

    def _partitioned(self, benchmark: str) -> Sentence | None:
        """What do Raddle's partitioned messages reach of the MPI's own, where partitions are smallest?"""
        ours = {"mechanism": "raddle-auto", "direct": "yes"}.items()
        rows = [row for row in self._candidates(benchmark, "thread", "node") if ours <= row.params.items()]
        for row in sorted(rows, key=lambda row: whole(row, "partition_bytes")):
            native = self._best_otherwise(row, "mechanism", "psend", ("the MPI's own", "the best of the MPIs' own"))
            if native is not None:
                small = format_bytes(whole(row, "partition_bytes"))
                return self._narrator.compare(
                    Topic.PARTITIONED,
                    _quantity(benchmark),
                    (row, f"Raddle's partitioned messages in partitions of {small}"),
                    native,
                )
        return None

    def _sparse(self, benchmark: str) -> Sentence | None:
        """What do Raddle's sparse exchanges take, and its census, of what collectives do?"""
        rows = [row for row in self._rows(benchmark) if row.variant == "process"]
        for row in sorted(rows, key=lambda row: abs(whole(row, "ranks") - _USUAL_RANKS)):
            native = "MPI_Alltoall and MPI_Alltoallv"
            collectives = self._best_otherwise(row, "algorithm", "native-alltoallv", (native, f"the best {native}"))
            if row.params.get("algorithm") != "auto" or collectives is None:
                continue
            census = self._otherwise(row, "algorithm", "nbx")
            return self._narrator.compare(
                Topic.SPARSE,
                _quantity(benchmark),
                (row, f"Raddle's sparse exchanges among {count(whole(row, 'ranks'), 'process')}"),
                collectives,
                alternatives={"those by its nonblocking census": census} if census else {},
            )
        return None

    def _best_otherwise(self, row: ResultRow, name: str, value: str, called: tuple[str, str]) -> Best | None:
        """The same on the MPI that does it best; `called` is what it is where one MPI does it, and of several."""
        wanted = msgspec.structs.replace(row, params=row.params | {name: value})
        return self._best_of(self._index.rivals(wanted, (row.variant,)), *called)

    def _otherwise(self, row: ResultRow, name: str, value: str) -> ResultRow | None:
        """The same work, done in another way."""
        wanted = msgspec.structs.replace(row, params=row.params | {name: value})
        return self._index.counterpart(wanted, row.variant)

    def _limit(self, benchmark: str) -> Sentence | None:
        """How far is the best of all ways to serve one pair from what the machine can do?"""
        rows = [row for row in self._rows(benchmark) if row.profile == "clean" and whole(row, "threads", 1) == 1]
        limited = [(row, limit) for row in rows if (limit := self._index.physical(row)) is not None]
        if not limited:
            return None
        better: Callable[..., tuple[ResultRow, ResultRow]] = max if rows[0].better == "higher" else min
        return self._narrator.limit(_quantity(benchmark), *better(limited, key=lambda pair: pair[0].median))

    def _best_processes(self, row: ResultRow, number: int) -> Best | None:
        """Of all MPIs the best processes that did the same work, and what they are called."""
        processes = count(number, "process")
        rivals = self._index.rivals(row, RIVALS, _across(placement(row)))
        return self._best_of(rivals, processes, f"the best {processes}")

    def _best_of(self, rows: Sequence[ResultRow], alone: str, of_several: str) -> Best | None:
        chosen = best(rows)
        if chosen is None:
            return None
        if len(rows) == 1:
            return Best(chosen, alone)
        tuned = ", tuned" if chosen.variant == TUNED else ""
        return Best(chosen, of_several, f"{self._titles[chosen.mpi]}{tuned}")

    def _processes(self, row: ResultRow) -> ResultRow | None:
        return self._index.counterpart(row, PROCESS, _across(placement(row)))

    def _candidates(self, benchmark: str, variant: str, place: str) -> Iterator[ResultRow]:
        """Rows of a variant, the one that tells most first: clean before shared, then the most pairs."""
        rows = [row for row in self._rows(benchmark) if row.variant == variant and placement(row) == place]
        yield from sorted(rows, key=lambda row: (row.profile != "clean", -whole(row, "threads", 1)))

    def _rows(self, benchmark: str) -> list[ResultRow]:
        """This MPI's rows of a benchmark at its headline's size; those that do what the headline says, if there are."""
        rows = [row for row in self._index.rows if (row.mpi, row.benchmark) == (self._narrator.mpi, benchmark)]
        size = headline_size(rows, benchmark)
        rows = [row for row in rows if whole(row, "bytes") == size]
        words = {name: word for name, word in headline_params(benchmark).items() if isinstance(word, str)}
        return [row for row in rows if all(row.params.get(name, word) == word for name, word in words.items())] or rows


def _answering(question: Question) -> list[str]:
    """The benchmarks whose rows answer a question; of those with one quantity, that with fewest parameters first."""
    known, order = catalogue().benchmarks, [*_QUANTITIES.values()]
    found = [name for name, one in known.items() if question in one.verdict]
    return sorted(found, key=lambda name: (order.index(_quantity(name)), len(known[name].params)))


def _quantity(benchmark: str) -> str:
    return _QUANTITIES[catalogue().benchmarks[benchmark].metric]


def _across(place: str) -> str:
    """Where several processes do the work that is done there: never in one."""
    return "node" if place == "one-process" else place


def _title(row: ResultRow) -> str:
    known = families().get(row.mpi)
    return f"{known.title if known else row.mpi} {row.mpi_version}".strip()
