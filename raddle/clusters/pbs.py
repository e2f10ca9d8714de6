# SPDX-License-Identifier: BSD-3-Clause
"""A run as a job of PBS (OpenPBS, PBS Professional)."""

from __future__ import annotations

import shlex

from raddle.clusters.job import Job, quoted, script, walltime

SUBMIT = "qsub"
_COMMENTS = (
    "-V gives the job the environment of the shell that submits it. Where your site has it otherwise, load here the",
    "modules of the MPI that is measured.",
)


def text(job: Job) -> str:
    """What qsub reads. `mpiprocs` are the slots of a node in PBS_NODEFILE."""
    directives = [
        "-N raddle",
        f"-l select={job.nodes}:ncpus={job.cpus}:mpiprocs={job.cpus}",
        "-l place=scatter:excl",  # whoever else computes there would be measured, too
        f"-l walltime={walltime(job.seconds)}",
        "-r n",  # its directory would not be empty
        "-j oe",
        "-V",
        *([f"-q {quoted(job.wishes.queue)}"] if job.wishes.queue else []),
        *([f"-A {quoted(job.wishes.account)}"] if job.wishes.account else []),
    ]
    # PBS keeps what a job prints until it ends, and brings it somewhere then.
    return script("#PBS", directives, list(_COMMENTS), [f"exec >{shlex.quote(str(job.log))} 2>&1"], job)
