# SPDX-License-Identifier: BSD-3-Clause
"""What has to be there before the first launch: MPIs, programs, a plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path

from raddle.catalogue import Catalogue
from raddle.clusters.allocation import Allocation
from raddle.environment import NoticeRecord
from raddle.errors import UserError
from raddle.model import NO_MPI, PHYSICAL
from raddle.mpi.distribution import Packaged, names, packaged
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed
from raddle.native import ensure
from raddle.notices import Notice
from raddle.paths import expanded, refuse_bytes
from raddle.plan.document import Document, PlannedMpi
from raddle.plan.launches import LIBRARY, PRELOAD, group
from raddle.plan.points import matrix
from raddle.plan.request import Request, check_names
from raddle.say import Say
from raddle.tuning.tuned import Tuned


def find_mpis(request: Request, say: Say, *, distributions: bool = False) -> tuple[dict[str, Mpi], list[NoticeRecord]]:
    """The MPIs to measure by the name that their launches use, and a notice for each one that is broken.

    Unasked these are the wheels' and, with `distributions`, those of the distribution. An MPI that was asked for must
    work; one that just happens to be installed must not stop the others. Raises UserError when none is left.
    """
    if request.variants == [PHYSICAL]:
        return {}, []
    if request.mpis:
        for word in request.mpis:
            refuse_bytes(word, "Name it by a link.")
        not_paths = [word for word in request.mpis if not expanded(word).exists()]
        check_names("MPI", not_paths, names())
        return named(find(request.mpis)), []
    found: list[Mpi] = []
    notices: list[NoticeRecord] = []
    wanted = {member.name: member.title for member in installed()}
    known = packaged() if distributions else {}
    wanted |= {name: one.full_title for name, one in known.items() if one.mpicc}
    for name, title in wanted.items():
        try:
            found += find([name])
        except UserError as error:
            notices.append(_left_out(title, error, say))
    notices += [_rival_missing(one, say) for one in known.values() if not one.mpicc]
    return named(found or find()), notices  # find() says what to do when there is none


def named(mpis: Sequence[Mpi]) -> dict[str, Mpi]:
    """MPIs by family; by a longer name where two of one family are compared."""
    families = Counter(mpi.name for mpi in mpis)
    return {mpi.name if families[mpi.name] == 1 else mpi.label: mpi for mpi in mpis}


def build_programs(
    mpis: Mapping[str, Mpi], document: Document, asked_for: bool, say: Say
) -> tuple[dict[str, Path], list[NoticeRecord]]:
    """The program of each MPI, and the probe as "none"; notices for the MPIs whose program cannot be built.

    With it comes what launches of that MPI need besides: libraddle, the program of proxies.

    Raises UserError when it is the probe, an MPI that was asked for, or the only one.
    """
    programs = {NO_MPI: ensure(None, report=say) / "raddle-probe"}
    notices: list[NoticeRecord] = []
    failure: UserError | None = None
    for name, mpi in mpis.items():
        try:
            programs[name] = ensure(mpi, besides=_besides(name, document), report=say) / "raddle-bench"
        except UserError as error:
            if asked_for:
                raise
            failure = error
            notices.append(_left_out(mpi.title, error, say))
    if failure and len(programs) == 1:
        raise failure
    return programs, notices


def _besides(mpi: str, document: Document) -> list[str]:
    """The targets that its launches need, but raddle-bench."""
    launches = [each for each in document.launches if each.mpi == mpi]
    preloads = any(LIBRARY in each.env.get(PRELOAD, "") for each in launches)
    return [*(["raddle"] if preloads else []), *(["raddle-proxy"] if any(each.proxies for each in launches) else [])]


def plan(
    request: Request,
    catalogue: Catalogue,
    mpis: Mapping[str, Mpi],
    *,
    cpus: int,
    seed: int,
    blocks: int | None = None,
    pin: str = "compact",
    time_limit: float | None = None,
    allocation: Allocation | None = None,
    tuned: Mapping[str, Tuned] | None = None,
) -> Document:
    """The plan for a checked request. Raises UserError when there is nothing to measure.

    MPIs of the distribution that nobody asked for are rivals: what is told of the others is held against them.
    """
    families = {name: mpi.family for name, mpi in mpis.items()}
    rivals = frozenset(name for name, mpi in mpis.items() if mpi.packaged and not request.mpis)
    todo = matrix(request, catalogue, families, cpus, allocation, rivals, tuned)
    measured = {point.mpi for point in todo.points}
    mode = catalogue.modes[request.mode]
    document = Document(
        created=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        seed=seed,
        cpus=cpus,
        pin=pin,
        # A number of blocks that was asked for is kept to.
        max_blocks=blocks or mode.max_blocks,
        half_width=mode.half_width,
        spare_blocks=0 if blocks else mode.spare_blocks,
        time_limit=time_limit,
        sampling=mode.sampling,
        request=request,
        mpis=[
            PlannedMpi(name=name, selection=mpi.selection, version=mpi.version)
            for name, mpi in mpis.items()
            if name in measured or name not in rivals
        ],
        skipped=todo.skipped,
    )
    groups = group(todo.points, families, catalogue, tuned)
    for _ in range(blocks or mode.blocks):
        document.add_block(groups)
    return document


def find_again(document: Document) -> dict[str, Mpi]:
    """The MPIs of a plan that is resumed. Raises UserError when one is gone or has another version now."""
    found: dict[str, Mpi] = {}
    for known in document.mpis:
        (mpi,) = find([known.selection])
        if mpi.version != known.version:
            raise UserError(
                f"{mpi.family.title} was {known.version} when this run began and is {mpi.version} now.",
                hint="Rows of two versions must not be mixed: start a new run.",
            )
        found[known.name] = mpi
    return found


def _left_out(title: str, error: UserError, say: Say) -> NoticeRecord:
    say(f"{title} is left out: {error}")
    return NoticeRecord(name=Notice.MPI_MISSING.value, detail=f"{title}: {error}")


def _rival_missing(one: Packaged, say: Say) -> NoticeRecord:
    """So that a report against fewer rivals than there could be says so."""
    told = f"{one.full_title} is not installed ({one.how})"
    say(f"{told}: nothing is compared with it.")
    return NoticeRecord(name=Notice.RIVAL_MISSING.value, detail=told)
