# SPDX-License-Identifier: BSD-3-Clause
"""Which libraries an ELF file asks for, and where they are: what `ldd` says, without running anything of the file."""

from __future__ import annotations

import os
import re
import struct
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_MAGIC = b"\x7fELF\x02\x01"  # of 64 bits, the lowest byte first
_LOAD, _DYNAMIC = 1, 2
_NEEDED, _STRINGS, _RPATH, _RUNPATH = 1, 5, 15, 29
_MOST = 1 << 20  # bytes of a dynamic section or of its strings that are looked at
_USUAL = ("/lib64", "/usr/lib64", "/lib", "/usr/lib")


@dataclass(frozen=True)
class Elf:
    """What the loader is told: names of libraries, and directories to look in before and after LD_LIBRARY_PATH."""

    path: Path
    needed: list[str]
    before: list[str]
    after: list[str]

    def located(self, name: str, env: Mapping[str, str]) -> Path | None:
        """Where the loader finds a library by its name; None where it would not."""
        told = env.get("LD_LIBRARY_PATH", "").split(":")
        for directory in (*self.before, *filter(None, told), *self.after):
            if (found := Path(directory, name)).is_file():
                return found
        usual = (Path(directory, name) for directory in _USUAL)
        return _cached().get(name) or next((path for path in usual if path.is_file()), None)


def read(path: Path) -> Elf | None:
    """None for what is no ELF file of a 64-bit machine, or cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(64)
            if len(head) < 64 or not head.startswith(_MAGIC):
                return None
            at, size, count = _numbers("<Q", head, 32)[0], *_numbers("<HH", head, 54)
            file.seek(at)
            segments = [_numbers("<IIQQQQ", file.read(size)) for _ in range(count)]
            places = [(virtual, offset, length) for kind, _, offset, virtual, _, length in segments if kind == _LOAD]
            dynamic = next(((each[2], each[5]) for each in segments if each[0] == _DYNAMIC), None)
            if dynamic is None:
                return None
            file.seek(dynamic[0])
            entries = list(struct.iter_unpack("<QQ", file.read(min(dynamic[1], _MOST) // 16 * 16)))
            strings = next((value for tag, value in entries if tag == _STRINGS), 0)
            file.seek(
                next(offset + strings - start for start, offset, size in places if start <= strings < start + size)
            )
            text = file.read(_MOST)
    except (OSError, struct.error, StopIteration, ValueError):
        return None

    def named(wanted: int) -> list[str]:
        return [os.fsdecode(text[value:].split(b"\0", 1)[0]) for tag, value in entries if tag == wanted]

    runpath = _directories(named(_RUNPATH), path)
    # Of the two the newer one counts.
    return Elf(path, named(_NEEDED), [] if runpath else _directories(named(_RPATH), path), runpath)


def libraries(path: Path, env: Mapping[str, str]) -> Iterator[tuple[str, Path | None]]:
    """All that a file needs, in the order in which they are loaded: names, and where they are."""
    waiting, seen = [read(path)], set()
    while waiting:
        file = waiting.pop(0)
        for name in file.needed if file else ():
            if name not in seen:
                seen.add(name)
                place = file.located(name, env) if file else None
                yield name, place
                waiting += [read(place)] if place else []


def _numbers(form: str, data: bytes, at: int = 0) -> tuple[int, ...]:
    return struct.unpack_from(form, data, at)


def _directories(texts: list[str], path: Path) -> list[str]:
    origin = str(path.resolve().parent)
    return [re.sub(r"\$(ORIGIN|\{ORIGIN\})", origin, each) for text in texts for each in text.split(":") if each]


@cache
def _cached() -> dict[str, Path]:
    """What ldconfig has found in the system's directories; users seldom have it in PATH."""
    place = "/sbin/ldconfig" if Path("/sbin/ldconfig").exists() else "ldconfig"
    try:
        told = subprocess.run([place, "-p"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return {}
    found: dict[str, Path] = {}
    for line in told.splitlines():
        match = re.match(r"\s+(\S+) \(([^)]*64[^)]*)\) => (.+)", line)  # x86-64, AArch64
        if match:
            found.setdefault(match[1], Path(match[3]))
    return found
