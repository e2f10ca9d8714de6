# SPDX-License-Identifier: BSD-3-Clause
"""How things look: one fixed colour and marker per variant, used in every figure, table and terminal line alike.

Colours differ in lightness as well as in hue, so that people who see no red or no green can tell them apart (a test
simulates that); the markers repeat the information for print and for those who see no colour at all. Figures are drawn
in the light theme's colours; `svg.py` replaces each of them by a CSS variable, so that one drawing serves light and
dark pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from raddle import sparse_algorithms


@dataclass(frozen=True)
class VariantStyle:
    """The looks of one variant; `marker` is Matplotlib's code, `path` the same shape in a 12 x 12 box of SVG."""

    name: str
    light: str
    dark: str
    marker: str
    path: str
    terminal: str


_CIRCLE = "M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z"
_SQUARE = "M2 2h8v8h-8z"
_UP = "M6 1l5 9.2h-10z"
_DOWN = "M6 11l5-9.2h-10z"
_DIAMOND = "M6 .6L11.4 6L6 11.4L.6 6z"
_PLUS = "M4 1h4v3h3v4h-3v3h-4v-3h-3v-4h3z"
_CROSS = "M3.4 1L6 3.6L8.6 1L11 3.4L8.4 6L11 8.6L8.6 11L6 8.4L3.4 11L1 8.6L3.6 6L1 3.4z"
_STAR = "M6 .5L7.6 4.1L11.5 4.5L8.6 7.2L9.4 11.2L6 9.2L2.6 11.2L3.4 7.2L.5 4.5L4.4 4.1z"
_HEXAGON = "M6 .8l4.5 2.6v5.2l-4.5 2.6l-4.5-2.6v-5.2z"
_PENTAGON = "M6 .7l5.3 3.9l-2 6.2h-6.6l-2-6.2z"

_STYLES = [
    VariantStyle("process", "#0072b2", "#5fb6f2", "o", _CIRCLE, "blue"),
    VariantStyle("tuned", "#00186c", "#9cfc9c", "X", _CROSS, "bright_blue"),
    VariantStyle("master", "#3c0f00", "#b43c3c", "h", _HEXAGON, "bright_red"),
    VariantStyle("thread", "#d55e00", "#ff8b4a", "s", _SQUARE, "red"),
    VariantStyle("lane", "#009e73", "#3fd2a4", "^", _UP, "green"),
    VariantStyle("threadcomm", "#85124f", "#cf4f95", "D", _DIAMOND, "magenta"),
    VariantStyle("endpoint-direct", "#3a1fc0", "#6a7bff", "v", _DOWN, "cyan"),
    VariantStyle("endpoint-proxy", "#5c4a08", "#f2e85a", "P", _PLUS, "yellow"),
    VariantStyle("physical", "#6b7683", "#b3bdc8", "p", _PENTAGON, "white"),
]
_BY_NAME = {style.name: style for style in _STYLES}
_OF_ALGORITHMS = ("lane", "threadcomm", "endpoint-proxy", "tuned", "thread", "master", "other", "physical")
# Series that are no variants, and never share a panel with those whose looks they borrow. `single` is what processes
# ask for; one large message is what bounds the others; the plain census
# has a page with three more algorithms only.
_BORROWED = {
    "single": "process",
    "funneled": "endpoint-direct",
    "serialized": "threadcomm",
    "multiple": "thread",
    "bulk": "physical",
    "send": "process",
    "send-persistent": "master",
    "isend": "lane",
    "win": "threadcomm",
    "psend": "thread",
    "raddle-auto": "endpoint-direct",
    "raddle-fixed": "endpoint-proxy",
    "native-alltoallv": "process",
    "native-nbx": "lane",
    # In the order of the library's list; those that come later have the looks of others.
    **dict(zip(sparse_algorithms.NAMES, _OF_ALGORITHMS, strict=False)),
    "auto": "endpoint-direct",
    "slow": "physical",
    "settings": "thread",
    "lanes": "lane",
    "endpoints": "endpoint-direct",
    "partitioned": "endpoint-proxy",
    "sparse": "threadcomm",
}
ORDER = {style.name: place for place, style in enumerate(_STYLES)}


def variant_style(name: str) -> VariantStyle:
    """The looks of a variant; one that is not known here yet still shows, in purple with a star."""
    return _BY_NAME.get(_BORROWED.get(name, name)) or VariantStyle(name, "#6a4fb0", "#b7a3f0", "*", _STAR, "white")


def variant_rank(name: str) -> tuple[int, str]:
    """Sort key: known variants in their fixed order, others after them."""
    return (ORDER.get(name, len(ORDER)), name)


# Roles that are not variants: (light, dark). Every value of a theme is different from every other one, since the
# replacement by CSS variables goes from value to role.
ROLES: dict[str, tuple[str, str]] = {
    "ink": ("#17202b", "#e8edf3"),
    "muted": ("#566372", "#a3afbd"),
    "grid": ("#e3e7ec", "#2b3440"),
    "axis": ("#aeb7c2", "#566273"),
    "paper": ("#ffffff", "#151b23"),
    "limit": ("#eceff3", "#222a35"),
    "oversubscribed": ("#fff6e5", "#2b2416"),
}
# What words of warning and of error are written in.
SIGNS: dict[str, tuple[str, str]] = {
    "error": ("#b3261e", "#ff8a7a"),
    "warning": ("#855600", "#f0bd3c"),
}
# The matrix, from much slower to much faster: orange and blue differ for every kind of eye, and so do their strengths.
SHADES = [*(f"slower-{step}" for step in (4, 3, 2, 1)), *(f"faster-{step}" for step in (1, 2, 3, 4))]
_STRENGTHS = {1: 0.26, 2: 0.45, 3: 0.65, 4: 0.86}
# Other variants than the known ones share this one.
_OTHER = variant_style("other")


def color(role_or_variant: str) -> str:
    """The light colour to draw with."""
    if role_or_variant in ROLES:
        return ROLES[role_or_variant][0]
    return variant_style(role_or_variant).light


def css_name(variant: str) -> str:
    """The CSS variable that holds a variant's colour; a name from outside never reaches the style sheet."""
    known = _BORROWED.get(variant, variant)
    return f"--v-{known}" if known in _BY_NAME else "--v-other"


def css_variables() -> dict[str, tuple[str, str]]:
    """Every CSS variable with its light and dark value."""
    table = {f"--{role}": pair for role, pair in ROLES.items()}
    for style in (*_STYLES, _OTHER):
        table[css_name(style.name)] = (style.light, style.dark)
    return table


def shade(name: str) -> tuple[str, str]:
    """The light and dark colour of a cell of the matrix."""
    side, step = name.split("-")
    full = {"slower": ("#d55e00", "#b04a00"), "faster": ("#2a8fd0", "#0a64a0")}[side]
    papers = ROLES["paper"]
    return _mixed(papers[0], full[0], _STRENGTHS[int(step)]), _mixed(papers[1], full[1], _STRENGTHS[int(step)])


def page_variables() -> dict[str, tuple[str, str]]:
    """What the page has beside the drawings: other variables, so that no drawing takes one of their colours."""
    return {f"--{name}": pair for name, pair in SIGNS.items()} | {f"--{name}": shade(name) for name in SHADES}


def _mixed(paper: str, ink: str, share: float) -> str:
    parts = [(int(paper[at : at + 2], 16), int(ink[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


FONTS = ["Inter", "Segoe UI", "Helvetica Neue", "Arial", "Liberation Sans", "DejaVu Sans"]

# Sizes in points at 72 a inch; panels are shown about 1.4 times larger on a desktop.
RC: dict[str, Any] = {
    "svg.fonttype": "none",  # text stays text: sharp, searchable, read aloud, small
    "svg.hashsalt": "raddle",  # the same data gives the same file, byte by byte
    "text.parse_math": False,  # a dollar sign in a version string is a dollar sign
    "font.size": 8.5,
    "axes.titlesize": 9.5,
    "axes.labelsize": 8.5,
    "axes.labelcolor": color("muted"),
    "axes.edgecolor": color("axis"),
    "axes.facecolor": color("paper"),
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": color("grid"),
    "grid.linewidth": 0.7,
    "figure.facecolor": "none",
    "text.color": color("ink"),
    "xtick.color": color("axis"),
    "ytick.color": color("axis"),
    "xtick.labelcolor": color("muted"),
    "ytick.labelcolor": color("muted"),
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.2,
    "lines.solid_capstyle": "round",
    "figure.max_open_warning": 0,
}
