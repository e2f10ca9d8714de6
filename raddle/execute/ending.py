# SPDX-License-Identifier: BSD-3-Clause
"""The end of a job, however it came: nothing of it stays."""

from __future__ import annotations

from collections.abc import Callable

from raddle.execute.job import Job
from raddle.execute.shm import SharedMemory

_SETTLE_SECONDS = 1.0  # for processes that are just ending


def end(job: Job, memory: SharedMemory, hurry: Callable[[], bool] = lambda: False) -> bool:
    """See that no process and no shared memory file of the job stays; at once when `hurry` says so.

    Returns whether its launcher had ended and left some of its processes behind.
    """
    left = False
    if job.process.poll() is None:
        job.stop(memory.look, hurry)
    elif not job.gone_within(_SETTLE_SECONDS):
        # The launcher has lost its ranks; they would disturb whatever is started next.
        left = True
        memory.look(job.members())
        job.kill()
    memory.clean()
    return left
