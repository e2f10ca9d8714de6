# SPDX-License-Identifier: BSD-3-Clause
"""What `raddle doctor` has to know about a kind of MPI: the table `[doctor]` of `raddle/mpis/*.toml`."""

from __future__ import annotations

import msgspec


class DoctorData(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Patterns are regular expressions on what the library says at its start; "" where it cannot be asked."""

    tell: dict[str, str] = {}  # settings that make it say what it opened
    contexts: str = ""  # its group is the number of communication contexts
    contexts_unsaid: int = 0  # how many there are when it says nothing; 0: unknown
    transport: str = ""  # each match names a way that messages take
    no_network: str = ""  # it could not load what it needs to reach other nodes
    apart: dict[str, str] = {}  # with these, processes of a node use the network that it chooses between nodes
    root_refused: str = ""  # the launcher does not start processes for root

    cvars: list[str] = []  # the control variables that decide about threads
    yields: dict[str, str] = {}  # control variable: the value with which a waiting thread gives its CPU away
    setting_prefix: str = ""  # environment variables of this prefix are named after control variables
    setting_elsewhere: str = ""  # and which of them others read

    bindings: list[str] = []  # of the settings that Raddle always makes: those that change the binding
    unbind: dict[str, str] = {}  # settings that leave a process its share of the CPUs
    unbind_option: str = ""  # the same as an option of mpiexec
