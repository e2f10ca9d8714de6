# SPDX-License-Identifier: BSD-3-Clause
"""All questions to one MPI: a dozen short launches, each with a limit, none of which may fail the doctor."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from raddle.doctor import told
from raddle.environment import settings
from raddle.execute.command import Command
from raddle.execute.signals import Signals
from raddle.inspection.ask import SECONDS, Answer, ask
from raddle.inspection.facts import Facts, Job, Rank, Value
from raddle.inspection.start import Starter, binds_threads, is_mpi_setting
from raddle.inspection.trials import GROUPS, Group, run_trials
from raddle.model import LEVELS
from raddle.mpi.doctor_data import DoctorData
from raddle.mpi.find import Mpi
from raddle.say import Say


class Examination:
    """The questions; `facts` fills as they are answered."""

    def __init__(self, mpi: Mpi, program: Path, job: Job, signals: Signals, say: Say) -> None:
        self._mpi, self._job, self._signals, self._say = mpi, job, signals, say
        self._starter = Starter(mpi, program)
        self._data = mpi.family.doctor
        self.facts = Facts(name=mpi.name, title=mpi.family.title, version=mpi.version, library=mpi.library)

    def ask_all(self) -> Facts:
        """Ask everything. Raises InterruptError, and UserError when there is nothing to start processes with."""
        self._say("how it starts")
        answer = self._first()
        if answer is None:
            return self.facts
        self._like_the_job(answer)
        self._levels()
        self._defaults()
        self._lanes()
        self._say("what some libraries do wrong")
        groups = [group for group in GROUPS if self._data.apart or not group.apart]
        self.facts.trials = run_trials(self._try, groups)
        return self.facts

    def _first(self) -> Answer | None:
        """Start like the user, then with more and more help; what it took is part of the facts."""
        words, tell = self._words("multiple"), self._data.tell
        command = self._starter.as_user(words, self._job.processes, tell)
        self.facts.command = command.argv[: -len(words) - 1]
        self.facts.command_one = self._starter.as_user(words, 1).argv[: -len(words) - 1]
        self.facts.environment = {name: value for name, value in settings(os.environ).items() if is_mpi_setting(name)}
        answer = self._ask(command)
        if answer.facts:
            return answer
        self.facts.problem = answer.ending
        self.facts.root_refused = told.refuses_root(self._data, answer.chatter)
        liberties = self._starter.liberties()
        if liberties:
            helped = replace(self._starter, needs=liberties)
            answer = self._ask(helped.as_user(words, self._job.processes, tell))
            if answer.facts:
                self._starter, self.facts.needs = helped, liberties
                return answer
        answer = self._ask(self._starter.as_raddle(words, self._job.processes))
        return answer if answer.facts else None

    def _like_the_job(self, answer: Answer) -> None:
        """What the launch like the job said: affinity, contexts, ways, and settings."""
        line, facts = answer.facts or {}, self.facts
        facts.standard, facts.library = line["standard"], line["library_version"].strip()
        facts.levels["multiple"] = line["level_provided"]
        if not facts.problem or facts.needs:  # else it was bound as Raddle binds
            facts.all = msgspec.convert(line["ranks"], list[Rank])
        facts.contexts = told.contexts(self._data, answer.chatter)
        facts.transport = told.transport(self._data, answer.chatter)
        facts.no_network = told.no_network(self._data, answer.chatter)
        if line["reach_tried"]:
            facts.reach = line["reach_error"] or "permitted"
        facts.cvars = _chosen(self._data, line["cvars"])
        facts.yields = _yields(self._data, line["cvars"])
        facts.unknown_settings = unknown_settings(self._data, line["cvars"], os.environ)

    def _levels(self) -> None:
        """The other thread levels; these launches also show what the launcher alone binds."""
        bare = {"single": 1, "funneled": self._job.processes, "serialized": 1}
        for level, processes in bare.items():
            self._say(f"thread level {level}")
            answer = self._ask(self._starter.as_user(self._words(level), processes, without=binds_threads))
            if answer.facts is None:
                continue
            self.facts.levels[level] = answer.facts["level_provided"]
            ranks = msgspec.convert(answer.facts["ranks"], list[Rank])
            if level == "funneled":
                self.facts.bare = ranks
            else:
                self.facts.one = ranks
        self.facts.levels = {level: self.facts.levels[level] for level in LEVELS if level in self.facts.levels}

    def _defaults(self) -> None:
        """The settings that the library has when nobody sets any: asked only where somebody did."""
        if not self.facts.environment:
            self.facts.defaults = dict(self.facts.cvars)
            return
        self._say("settings")
        words = self._words("multiple")
        answer = self._ask(self._starter.as_user(words, self._job.processes, self._data.tell, without=is_mpi_setting))
        if answer.facts:
            self.facts.defaults = _chosen(self._data, answer.facts["cvars"])

    def _lanes(self) -> None:
        """How many contexts the library opens with the settings that Raddle would make for lanes."""
        threads = self._job.threads
        lanes = self._mpi.family.variant_env("lane", threads, threads)
        if not lanes or not self._data.contexts:
            return
        self._say("communication contexts")
        answer = self._ask(self._starter.as_user(self._words("multiple"), 1, {**self._data.tell, **lanes}))
        self.facts.lane_settings = lanes
        if answer.facts:
            self.facts.contexts_with = told.contexts(self._data, answer.chatter)

    def _words(self, level: str) -> list[str]:
        return ["facts", level, str(self._job.threads)]

    def _try(self, names: list[str], group: Group) -> Answer:
        start = self._starter.as_user if group.as_user else self._starter.as_raddle
        settings = self._data.apart if group.apart else {}
        return self._ask(start(["try", *names], group.processes, settings))

    def _ask(self, command: Command) -> Answer:
        return ask(command, SECONDS, self._signals)


def _chosen(data: DoctorData, cvars: Mapping[str, Value]) -> dict[str, Value]:
    return {name: cvars[name] for name in data.cvars if name in cvars}


def _yields(data: DoctorData, cvars: Mapping[str, Any]) -> bool | None:
    """Whether a thread that waits gives its CPU away; None when no variable tells."""
    told_of = [(cvars[name], value) for name, value in data.yields.items() if name in cvars]
    return any(str(int(now)) == value for now, value in told_of) if told_of else None


def unknown_settings(data: DoctorData, cvars: Mapping[str, Value], env: Mapping[str, str]) -> list[str]:
    """Variables that look like settings of this library, and are none: misspelt, or of another version."""
    prefix = data.setting_prefix
    named: Sequence[str] = [name for name in sorted(env) if prefix and name.startswith(prefix)]
    elsewhere = re.compile(data.setting_elsewhere or r"(?!)")
    return [
        name
        for name in named
        if not {name, name.removeprefix(prefix)} & cvars.keys() and not elsewhere.match(name.removeprefix(prefix))
    ]
