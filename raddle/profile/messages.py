# SPDX-License-Identifier: BSD-3-Clause
"""Messages as one side has written them down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from raddle.profile.recorded import Fields, Recorded

_MAY_WAIT = 12  # from 2 KiB on: MPIs send at least that much without the receiver
# Calls that may have waited for another message, too.
_FOR_SEVERAL = ("MPI_Sendrecv", "MPI_Sendrecv_replace", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome")
_COMPLETES = ("MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome")


@dataclass(frozen=True)
class Passing:
    """A message, seen from one side."""

    message: tuple[int, int, int, int, int]  # key of the communicator, sender, receiver, tag, number: both sides' same
    receives: bool
    process: int
    thread: int
    communicator: int  # that its call is counted for: those on requests have -1
    function: str
    posted: float
    began: float
    ended: float
    size: int  # its class
    synchronous: bool

    @property
    def waited(self) -> bool:
        """Whether it is known which call may have waited for it."""
        return self.ended > 0

    @property
    def waits_for_receive(self) -> bool:
        """Whether the time of a send may be that of its receiver: not where the MPI sends what is small without it, and
        the call waited for other messages besides."""
        return self.synchronous or self.size >= _MAY_WAIT or self.function.removesuffix("_c") not in _FOR_SEVERAL


def passings(process: int, one: Recorded) -> Iterator[Passing]:
    """All that can be matched: of streams that only one thread has, and whose numbers are sure."""
    threads = [_streams(area) for area in one.threads]
    users = Counter(stream for streams in threads for stream in streams.values())
    matching = [(int(area["key"]), int(area["rank"])) if area["matches"] else None for area in one.communicators]
    for thread, (area, streams) in enumerate(zip(one.threads, threads, strict=True)):
        log = area["passed"]
        # Plain numbers: there are many.
        for entry in log["entry"][: min(int(log["used"]), len(log["entry"]))].tolist():
            number, posted, began, ended, place, function_number, size, synchronous = entry
            stream = streams.get(place)
            if stream is None or users[stream] > 1:
                continue
            communicator, receives, peer, tag = stream
            about = matching[communicator] if communicator < len(matching) else None
            if about is None:
                continue
            key, own = about
            sender, receiver = (peer, own) if receives else (own, peer)
            function = one.names[function_number]
            yield Passing(
                message=(key, sender, receiver, tag, number),
                receives=receives,
                process=process,
                thread=thread,
                communicator=-1 if function in _COMPLETES else communicator,
                function=function,
                posted=one.at(posted),
                began=one.at(began) if ended else 0.0,
                ended=one.at(ended) if ended else 0.0,
                size=size,
                synchronous=bool(synchronous),
            )


def _streams(area: Fields) -> dict[int, tuple[int, bool, int, int]]:
    """By place: the communicator, whether it receives, the other rank and the tag."""
    entries = area["streams"]["entry"]
    sure = ((entries["messages"] > 0) & (entries["unsure"] == 0)).nonzero()[0]
    names = ("communicator", "receives", "peer", "tag")
    columns = [entries[name][sure].tolist() for name in names]
    return {
        place: (communicator, bool(receives), peer, tag)
        for place, communicator, receives, peer, tag in zip(sure.tolist(), *columns, strict=True)
    }
