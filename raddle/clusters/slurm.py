# SPDX-License-Identifier: BSD-3-Clause
"""A run as a job of Slurm."""

from __future__ import annotations

from raddle.clusters.job import Job, quoted, script, walltime

SUBMIT = "sbatch"
_COMMENTS = (
    "By default the job gets the environment of the shell that submits it. Where your site has it otherwise, load here",
    "the modules of the MPI that is measured.",
)


def text(job: Job) -> str:
    """What sbatch reads. Nothing asks for tasks: raddle says to each step how many there are."""
    log = str(job.log).replace("%", "%%")
    directives = [
        "--job-name=raddle",
        f"--nodes={job.nodes}",
        "--exclusive",  # whoever else computes there would be measured, too
        f"--time={walltime(job.seconds)}",
        # raddle then ends the run in order: what was measured is kept, and reported.
        f"--signal=B:TERM@{min(60, job.seconds // 10)}",
        "--no-requeue",  # its directory would not be empty
        f"--output={quoted(log)}",
        *([f"--partition={quoted(job.wishes.queue)}"] if job.wishes.queue else []),
        *([f"--account={quoted(job.wishes.account)}"] if job.wishes.account else []),
    ]
    return script("#SBATCH", directives, list(_COMMENTS), [], job)
