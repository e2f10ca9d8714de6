# SPDX-License-Identifier: BSD-3-Clause
"""One simulated node: a network namespace, known to `ip` by its name, with a hosts file of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from raddle.errors import UserError
from raddle.topology.names import is_stale

LINK = "veth0"  # in either namespace
_NAMES = Path("/run/netns")
_FILES = Path("/etc/netns")  # `ip netns exec` shows /etc/netns/NAME/hosts as /etc/hosts (ip-netns(8))
_SECONDS = 20


def ip(*arguments: str, text: str = "") -> str:
    """Runs `ip` with `text` on its standard input. Raises UserError with what it said."""
    try:
        # In a session of its own: Ctrl-C must not leave half a node.
        done = subprocess.run(
            ["ip", *arguments],
            input=text,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            start_new_session=True,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(
            f"ip {arguments[0]} does not work: {error}.", hint="Measure without --placement netns."
        ) from error
    if done.returncode:
        said = " ".join(done.stderr.split())
        raise UserError(
            f"ip {' '.join(arguments)} failed: {said}.",
            hint="Simulated nodes need the capabilities SYS_ADMIN and NET_ADMIN (a container: --privileged).",
        )
    return done.stdout


def make(first: str, second: str) -> None:
    """Two nodes and the virtual cable between them. Raises UserError; then `remove` clears what is there."""
    addresses = {first: "10.77.0.1", second: "10.77.0.2"}  # nobody else is in these namespaces
    hosts = "".join(f"{address} {name}\n" for name, address in {"localhost": "127.0.0.1", **addresses}.items())
    for name in addresses:
        ip("netns", "add", name)
        try:
            (_FILES / name).mkdir(parents=True)
            (_FILES / name / "hosts").write_text(hosts, encoding="utf-8")
        except OSError as error:
            raise UserError(f"Cannot write {_FILES / name}: {error.strerror}.", hint="Make /etc writable.") from error
    ip("link", "add", LINK, "netns", first, "type", "veth", "peer", "name", LINK, "netns", second)
    for name, address in addresses.items():
        # No address of IPv6: an MPI would try it, and the kernel keeps it back for two seconds.
        commands = ["link set lo up", f"link set {LINK} addrgenmode none", f"address add {address}/24 dev {LINK}"]
        ip("-netns", name, "-batch", "-", text="\n".join([*commands, f"link set {LINK} up\n"]))
    for name in addresses:
        _wait_until_up(name)


def remove(name: str) -> None:
    """Ends whatever still runs on a node and clears it away, the cable with it; what is not there is no error."""
    with contextlib.suppress(UserError):
        for pid in ip("netns", "pids", name).split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
    with contextlib.suppress(UserError):
        ip("netns", "delete", name)
    with contextlib.suppress(OSError):
        (_FILES / name / "hosts").unlink(missing_ok=True)
        (_FILES / name).rmdir()
    with contextlib.suppress(OSError):
        _FILES.rmdir()  # unless somebody else keeps files there


def _wait_until_up(name: str) -> None:
    """The kernel takes up to a second to call a new link operational; before, an MPI would choose the loopback."""
    give_up = time.monotonic() + _SECONDS
    while "state UP" not in ip("-netns", name, "-oneline", "link", "show", LINK):
        if time.monotonic() >= give_up:
            raise UserError(f"The cable between {name} and the other node stays down.", hint="Run it again.")
        time.sleep(0.02)


def existing() -> list[str]:
    """The names of all namespaces that `ip` knows, and of those that files are left of."""
    found = (entry.name for place in (_NAMES, _FILES) if place.exists() for entry in place.iterdir())
    return sorted(set(found))


def remove_stale() -> None:
    """Clears away the nodes of runs that were killed."""
    for name in filter(is_stale, existing()):
        remove(name)
