# SPDX-License-Identifier: BSD-3-Clause
"""Launches from a shell that Slurm itself started as a step: `srun --pty bash`."""

from __future__ import annotations

import os


def sharing() -> dict[str, str]:
    """What every launch has in its environment: in a step of Slurm that it may use the CPUs that the step holds.

    Without it srun waits for the end of the step it is called from, and so for itself. Hydra and PRRTE call srun, too.
    """
    # A job's script is no step and holds nothing. There several launches beside each other are to share no CPUs.
    return {"SLURM_OVERLAP": "1"} if "SLURM_STEP_ID" in os.environ else {}
