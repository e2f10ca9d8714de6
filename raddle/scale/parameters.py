# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of a machine, in LogGP's terms, as they are typed or stand in a file.

Source: A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman: LogGP: Incorporating long messages into the LogP model,
SPAA '95.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from raddle.errors import UserError

_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12}
_TIME = re.compile(r"(\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*(s|ms|us|ns|ps)(/B)?")
_NAMES = ("L", "o", "g", "G")
_NODE = "node."
_LINES = 'Lines are like: L = "1.2 us"'


class LogGP(msgspec.Struct, frozen=True):
    """One way between two ranks, in seconds, `G` in seconds a byte."""

    L: float  # latency: from one processor to the other
    o: float  # overhead: how long a processor is busy with one message, on either side
    g: float  # gap: between two messages of one rank
    G: float  # gap between two bytes: the reciprocal of the bandwidth


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """Nodes of `per_node` ranks on `cores` cores. The ranks of a node share its link, and so its `between.G`."""

    between: LogGP
    within: LogGP
    per_node: int = 1
    cores: int = 0  # 0: one for each rank

    def crowd(self, ranks: int) -> float:
        """How many of so many ranks share a core."""
        return max(1.0, min(ranks, self.per_node) / self.cores) if self.cores else 1.0


def parse(text: str) -> dict[str, LogGP]:
    """`L=1.2us,o=0.35us,g=0.1us,G=0.05ns/B`, `node.L=...` for inside a node, or a file of them. Raises UserError."""
    if "=" not in text:
        return _checked(_file(Path(text)), text)
    pairs = [word.partition("=") for word in text.split(",") if word.strip()]
    return _checked({name.strip(): value.strip() for name, _, value in pairs}, text)


def machine(found: Mapping[str, LogGP], per_node: int, cores: int = 0) -> Machine:
    """Where nothing is known of the inside of a node, messages there cost what they cost between nodes."""
    return Machine(
        between=found["between"], within=found.get("within", found["between"]), per_node=per_node, cores=cores
    )


def written(found: Mapping[str, LogGP]) -> str:
    """As a file that `parse` reads."""
    lines = []
    for way, prefix in (("between", ""), ("within", _NODE)):
        if way in found:
            lines += [f'"{prefix}{name}" = "{text}"' for name, text in _texts(found[way])]
    return "\n".join(lines) + "\n"


def shown(one: LogGP) -> str:
    """On one line."""
    return ", ".join(f"{name} {text}" for name, text in _texts(one))


def _texts(one: LogGP) -> Iterable[tuple[str, str]]:
    for name in ("L", "o", "g"):
        yield name, f"{getattr(one, name) * 1e6:.4g} us"
    yield "G", f"{one.G * 1e9:.4g} ns/B"


def _file(path: Path) -> dict[str, str]:
    try:
        content = msgspec.toml.decode(path.read_text(encoding="utf-8"), type=dict[str, Any])
    except OSError as error:
        raise UserError(
            f"Cannot read {path}: {error.strerror}.", hint="Give a file, or L=1.2us,o=0.35us,..."
        ) from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text: {error.reason}", hint=_LINES) from error
    except msgspec.DecodeError as error:
        raise UserError(f"{path}: {error}", hint=_LINES) from error
    return {name: str(value) for name, value in content.items()}


def _checked(texts: Mapping[str, str], where: str) -> dict[str, LogGP]:
    known = [*_NAMES, *(_NODE + name for name in _NAMES)]
    if wrong := [name for name in texts if name not in known]:
        raise UserError(f"{where}: there is no parameter {wrong[0]!r}.", hint=f"There are {', '.join(known)}.")
    found = {"between": _way(texts, "", where)}
    if any(name.startswith(_NODE) for name in texts):
        found["within"] = _way(texts, _NODE, where)
    return found


def _way(texts: Mapping[str, str], prefix: str, where: str) -> LogGP:
    values = {}
    for name in _NAMES:
        # Two messages of one rank are as far apart as it is busy with each, if nothing else is known.
        text = texts.get(prefix + name, texts.get(prefix + "o") if name == "g" else None)
        if text is None:
            raise UserError(f"{where}: {prefix}{name} is missing.", hint="L, o and G are needed; g is o by default.")
        values[name] = _seconds(prefix + name, text, per_byte=name == "G")
    return LogGP(**values)


def _seconds(name: str, text: str, *, per_byte: bool) -> float:
    found = _TIME.fullmatch(text.strip())
    if found is None or bool(found[3]) != per_byte:
        raise UserError(
            f"{name} cannot be {text!r}.", hint="L, o and g are times, 1.2us; G is one for a byte: 0.05ns/B."
        )
    return float(found[1]) * _UNITS[found[2]]
