# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm of its own: its daemons, as whoever runs the tests, with two nodes that are both this machine."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_DAEMONS = ("munged", "slurmctld", "slurmd")
# Where daemons are is in root's PATH only.
_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
_SECONDS = 60
NODES = ("n1", "n2")

_CONF = """
ClusterName=raddle
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/%n
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/%n.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MpiDefault=pmi2
TmpFS={place}/tmp-%n
SwitchType=switch/none
KillWait=5
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs={cpus}
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs={cpus}
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str | None:
    """What is not there, or None."""
    absent = [name for name in (*_DAEMONS, "sbatch") if shutil.which(name, path=_PATH) is None]
    return f"{', '.join(absent)} missing: apt-get install slurm-wlm" if absent else None


def has_pmix() -> bool:
    """Whether its plugin for PMIx finds that library, by the name that only the package for developers has."""
    return any(Path("/usr/lib").glob("*/libpmix.so"))


class Slurm:
    """Runs while the `with` lasts; `env` is what its commands need."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._running: list[subprocess.Popen[bytes]] = []
        self.env: Mapping[str, str] = {**os.environ, "PATH": _PATH, "SLURM_CONF": str(place / "slurm.conf")}

    def __enter__(self) -> Slurm:
        place = self._place
        place.mkdir(mode=0o755)
        for name in ("state", *(f"tmp-{node}" for node in NODES)):
            (place / name).mkdir()
        host = socket.gethostname().partition(".")[0]
        text = _CONF.format(
            place=place, host=host, user=getpass.getuser(), ports=_free_ports(3), cpus=os.cpu_count() or 1
        )
        (place / "slurm.conf").write_text(text)
        (place / "munge.key").touch(mode=0o600)
        (place / "munge.key").write_bytes(os.urandom(128))
        files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        try:
            self._start(
                "munged", "--foreground", "--force", *(f"--{one}={place}/munge.{it}" for one, it in files.items())
            )
            self._wait((place / "munge.socket").exists)
            self._start("slurmctld", "-D")
            for node in NODES:
                self._start("slurmd", "-D", "-N", node)
            self._wait(lambda: self("sinfo", "--noheader", "--format=%T %D").split() == ["idle", "2"])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if len(self._running) == 2 + len(NODES):
            subprocess.run(["scancel", "--user", getpass.getuser()], env=self.env, timeout=_SECONDS, check=False)
            self._wait(lambda: not self("squeue", "--noheader").split())
        for daemon in reversed(self._running):
            daemon.terminate()
            try:
                daemon.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def __call__(self, *command: str, cwd: Path | None = None, seconds: float = _SECONDS) -> str:
        """What one of Slurm's commands says; nothing where it fails."""
        done = subprocess.run(
            command, cwd=cwd, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds,
            check=False,
        )  # fmt: skip
        return done.stdout

    def job(self, *words: str, cwd: Path, seconds: float) -> int:
        """Hands a job in, waits for its end and returns its exit status."""
        done = subprocess.run(["sbatch", "--wait", *words], cwd=cwd, env=self.env, timeout=seconds, check=False)
        return done.returncode

    def _start(self, *command: str) -> None:
        with (self._place / f"{command[0]}-{len(self._running)}.out").open("wb") as out:
            self._running.append(
                subprocess.Popen(
                    self._found(command),
                    env=self.env,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=out,
                    start_new_session=True,  # Ctrl-C is for the tests, which then end it in order
                )
            )

    def _found(self, command: Sequence[str]) -> list[str]:
        return [shutil.which(command[0], path=_PATH) or command[0], *command[1:]]

    def _wait(self, condition: Callable[[], bool]) -> None:
        give_up = time.monotonic() + _SECONDS
        while not condition():
            dead = [daemon.args for daemon in self._running if daemon.poll() is not None]
            if dead or time.monotonic() > give_up:
                said = "\n".join(file.read_text()[-1000:] for file in self._place.glob("*.out"))
                raise RuntimeError(f"Slurm does not work here: {dead}\n{said}")
            time.sleep(0.1)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
