# SPDX-License-Identifier: BSD-3-Clause
"""Everything Raddle warns about: what was seen, why it matters, what to do.

The one list of names that may stand in `flags` of a row or in an incident of a launch. Adding a warning means adding
it here, with its three sentences; a test refuses names that are used elsewhere and missing here.
"""

from __future__ import annotations

from enum import Enum

from raddle.named import Named


class Severity(str, Enum):
    """NOTE: good to know. WARNING: read the numbers with care. ERROR: numbers are missing or must not be used."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


class Notice(Named):
    """A notice is its name (`Notice.STEAL == "steal"`) and carries the sentences that explain it."""

    severity: Severity
    seen: str
    matters: str
    do: str

    # How much a number can be trusted.
    N_TOO_SMALL = (
        "n-too-small",
        Severity.NOTE,
        "Fewer than 6 blocks (repetitions of the whole plan) were measured, or were in the state that figures are of.",
        "Fewer than 6 values have no 95 % interval, so no difference can be shown, however large it looks.",
        "Measure more blocks: not --quick, or --publish; a run that was cut off goes on with --resume.",
    )
    NOT_CONVERGED = (
        "not-converged",
        Severity.NOTE,
        "In at least half of the launches the interval was still wide when the time for the point was up.",
        "Single launches are imprecise here; the interval over blocks says by how much.",
        "Run with --publish, which gives each point more time.",
    )
    STILL_WARMING = (
        "still-warming",
        Severity.WARNING,
        "In more than half of the launches the first third of the samples differs from the last third.",
        "The value was still drifting, so it depends on how long was measured.",
        "Run with --publish, which warms up longer; look at the samples over time in the report.",
    )
    AUTOCORRELATED = (
        "autocorrelated",
        Severity.NOTE,
        "Neighbouring samples resemble each other (lag-1 autocorrelation above 0.3).",
        "There is less information in the samples than their number suggests. Intervals over blocks are not affected.",
        "Nothing; more blocks help, more samples in a launch do not.",
    )
    # What disturbed the measurement.
    OVERSUBSCRIBED = (
        "oversubscribed",
        Severity.WARNING,
        "More threads were busy than there were CPUs for them.",
        "The operating system's scheduler is part of the result. Ratios between such rows hold for such machines only.",
        "Use a machine with more CPUs, or fewer threads; never compare with rows of profile 'clean'.",
    )
    PREEMPTED = (
        "preempted",
        Severity.WARNING,
        "More than one sample in twenty was interrupted: another program took the CPU.",
        "p90, p99 and max show the other program; the median moves when it is half of the samples.",
        "Stop other programs, or measure on CPUs that they may not use.",
    )
    STEAL = (
        "steal",
        Severity.WARNING,
        "The hypervisor kept CPU time from this machine: more than 1 % of one CPU during a launch.",
        "Times include periods in which a thread that was ready could not run.",
        "Repeat at another time, or on a dedicated machine; ratios suffer less than absolute values.",
    )
    STATE_CHANGED = (
        "state-changed",
        Severity.NOTE,
        "The machine was in another state after a launch than before it: its CPUs were nearer, or farther apart.",
        "The launch belongs to no state, so its block counts in no ratio and in no interval.",
        "Nothing; more blocks help. A hypervisor that leaves virtual CPUs where they are ends it "
        "(docs/use/measuring.md).",
    )
    STATE_UNKNOWN = (
        "state-unknown",
        Severity.NOTE,
        "How far apart the CPUs were could not be probed before and after launches.",
        "If a hypervisor moved them, figures followed, and blocks of different distances stand in one interval.",
        "Read why; with one CPU, or on other nodes, there is nothing to probe.",
    )
    ONE_CPU = (
        "one-cpu",
        Severity.ERROR,
        "Several threads were bound to the same CPU although others were free.",
        "They took turns instead of working together; this is a binding made by the launcher, not a property of MPI.",
        "Let the launcher bind nothing (Open MPI: --bind-to none) and leave pinning to raddle (--pin compact).",
    )
    LEVEL_RAISED = (
        "level-raised",
        Severity.NOTE,
        "The MPI library gave a higher thread level than was asked for.",
        "Rows of variant 'process' may pay for thread safety that they did not request.",
        "Look for a setting that raises the level (MPICH: MPIR_CVAR_DEFAULT_THREAD_LEVEL) and remove it.",
    )
    MIXED_VERSIONS = (
        "mixed-versions",
        Severity.ERROR,
        "The launches of this point ran with different versions of the MPI library.",
        "The row describes neither version.",
        "Measure again into a new directory; do not resume a run after changing its MPI.",
    )
    MIXED_SURROUNDINGS = (
        "mixed-surroundings",
        Severity.WARNING,
        "The run was resumed on another machine, or with other settings.",
        "Rows pool launches of both, so a difference between blocks may be one between the two.",
        "Where it matters measure again without a break; environment.json has every session.",
    )
    # What is missing.
    LAUNCH_DIED = (
        "launch-died",
        Severity.ERROR,
        "A launch ended before it had finished, or was cut off.",
        "Rows made before that are kept; later points of the launch are missing.",
        "Look at the launch's last lines in the report; run again with --resume.",
    )
    LAUNCH_TIMEOUT = (
        "launch-timeout",
        Severity.ERROR,
        "A launch did not end in time and was stopped.",
        "Rows made before that are kept; the MPI library may have hung.",
        "Look at the launch's last lines in the report; try the command it was started with by hand.",
    )
    HANG = (
        "hang",
        Severity.ERROR,
        "Nothing moved in a launch any more, so its watchdog ended it.",
        "The MPI library hung there, or one sample outlasted the watchdog's patience. Rows made before are kept.",
        "Read who waited for what; if nobody could come, report it to the MPI library's authors.",
    )
    UNREADABLE_LINE = (
        "unreadable-line",
        Severity.WARNING,
        "A line of launches.jsonl is not what docs/build/bench-protocol.md describes.",
        "What it held is missing from the results. The last line is often cut when a run is killed.",
        "Run again with --resume; if it happens again, report it with the line.",
    )
    RUN_CUT_OFF = (
        "run-cut-off",
        Severity.WARNING,
        "Some planned launches were never made.",
        "Points may have fewer blocks than planned, or be missing.",
        "Run again with --resume.",
    )
    LAUNCHES_NOT_KEPT = (
        "launches-not-kept",
        Severity.NOTE,
        "There is results.jsonl and no launches.jsonl.",
        "Every number is here; how each variant ran, and what went wrong in a launch, is not known any more.",
        "Keep the whole directory of a run where you can.",
    )
    VARIANT_SKIPPED = (
        "variant-skipped",
        Severity.NOTE,
        "A variant could not be measured here, on some placement or on all.",
        "Its cell stays empty; that is no failure.",
        "Nothing, where the MPI does not have it; else what the reason says, such as root or a job of two nodes.",
    )
    NO_THREAD_MULTIPLE = (
        "no-thread-multiple",
        Severity.ERROR,
        "The MPI library did not provide MPI_THREAD_MULTIPLE.",
        "Several threads may not call it at once, so no variant with threads could be measured.",
        "Use a build of the library with thread support, and look for a setting that lowers the level.",
    )
    VALIDATION_FAILED = (
        "validation-failed",
        Severity.ERROR,
        "Received data were not what was sent.",
        "The point was not measured: the speed of wrong results means nothing.",
        "Repeat with this point only; if it stays, report it to the MPI library's authors, or to us.",
    )
    MPI_ERROR = (
        "mpi-error",
        Severity.ERROR,
        "An MPI call returned an error.",
        "The point was not measured.",
        "Read the message; check the settings that raddle made for this launch (its start line).",
    )
    NOT_PINNED = (
        "not-pinned",
        Severity.WARNING,
        "A thread could not be bound to its CPU.",
        "Threads that move between CPUs, or share one, measure the scheduler too.",
        "Check the CPUs that this session may use (taskset -p $$), or run with --pin none.",
    )
    BENCH_ERROR = (
        "bench-error",
        Severity.ERROR,
        "The benchmark program could not measure a point.",
        "The point is missing.",
        "Read the message; if it does not help, report it.",
    )
    NO_PHYSICAL = (
        "no-physical",
        Severity.WARNING,
        "The physical probe has no row for this work.",
        "How far this is from what the hardware does without an MPI cannot be told.",
        "Include the variant 'physical' in the run.",
    )
    MPI_MISSING = (
        "mpi-missing",
        Severity.WARNING,
        "An MPI that is installed here does not work, so it was left out.",
        "Nothing is said about it.",
        "Read why; 'raddle mpi install NAME --force' installs it again, and --mpi says which others to measure.",
    )
    RIVAL_MISSING = (
        "rival-missing",
        Severity.NOTE,
        "An MPI that this distribution packages is not installed.",
        "Ratios are against the best processes of the MPIs that were measured; its own may be better.",
        "Install it and measure again.",
    )
    UNKNOWN_FLAG = (
        "unknown-flag",
        Severity.WARNING,
        "The results carry a flag that this version of raddle does not know.",
        "They were made by another version, which saw something worth telling.",
        "Use the version of raddle that made the results (environment.json).",
    )


_BY_NAME: dict[str, Notice] = {str(notice): notice for notice in Notice}


def notice_of(flag: str) -> Notice:
    """The notice of that name; `UNKNOWN_FLAG` for a name that another version made."""
    return _BY_NAME.get(flag, Notice.UNKNOWN_FLAG)
