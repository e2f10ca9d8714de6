# SPDX-License-Identifier: BSD-3-Clause
"""Numbers stand out in a sentence, without trusting the sentence."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from raddle.report.numbers import pretty

# A ratio with its interval, or without one: `0.40x [0.39, 0.41]`, `about 0.40x`. Digits, points, commas, brackets only.
# Not a lattice: `4x4x4x8`.
_RATIO = re.compile(r"(?:about )?\b\d[\d.]*x(?![\d\w])(?: \[[\d., ]+\])?")


def breakable(name: str) -> Markup:
    """A name as HTML that a narrow column breaks behind an underscore, and not within a word."""
    return Markup(str(escape(name)).replace("_", "_<wbr>"))


def emphasised(text: str) -> Markup:
    """The sentence as HTML, escaped first; what is marked afterwards cannot contain markup."""
    return Markup(_RATIO.sub(r"<b>\g<0></b>", str(escape(pretty(text)))))
