# SPDX-License-Identifier: BSD-3-Clause
"""Colours: one for each variant, seen on both backgrounds, and told apart by those who lack one kind of cone."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt
import pytest
from matplotlib.colors import to_rgb

from raddle.catalogue import catalogue
from raddle.report.style import ORDER, ROLES, SHADES, SIGNS, css_name, css_variables, shade, variant_style

Color = npt.NDArray[np.float64]

# Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009: severity 1, on linear RGB.
VISIONS = {
    "all cones": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
THEMES = {"light": 0, "dark": 1}


def linear(name: str) -> Color:
    value = np.array(to_rgb(name))
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(rgb: Color) -> Color:
    x, y, z = XYZ @ np.clip(rgb, 0, 1) / np.array([0.9505, 1, 1.089])
    fx, fy, fz = (np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def contrast(one: str, other: str) -> float:
    dark, light = sorted(float(XYZ[1] @ linear(name)) for name in (one, other))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISIONS)
def test_variants_are_told_apart(theme: str, vision: str) -> None:
    seen = {name: lab(VISIONS[vision] @ linear(getattr(variant_style(name), theme))) for name in ORDER}
    for one, other in combinations(seen, 2):
        assert np.linalg.norm(seen[one] - seen[other]) > 14, f"{one} and {other}"


@pytest.mark.parametrize("theme", THEMES)
def test_marks_and_words_are_seen_on_their_background(theme: str) -> None:
    paper = ROLES["paper"][THEMES[theme]]
    for name in ORDER:
        assert contrast(getattr(variant_style(name), theme), paper) >= 3, name
    for background in ("paper", "limit", "oversubscribed"):
        for words in ("ink", "muted"):
            assert contrast(ROLES[words][THEMES[theme]], ROLES[background][THEMES[theme]]) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_numbers_are_read_on_every_shade_of_the_matrix_and_shades_differ(theme: int) -> None:
    for vision in VISIONS.values():
        seen = [lab(vision @ linear(shade(name)[theme])) for name in SHADES]
        paper = lab(vision @ linear(ROLES["limit"][theme]))
        assert all(np.linalg.norm(one - other) > 7 for one, other in pairwise(seen))
        # The two middle ones stand for different directions, and neither is the grey of no difference.
        assert np.linalg.norm(seen[3] - seen[4]) > 20
        assert all(np.linalg.norm(each - paper) > 7 for each in seen)
    for name in SHADES:
        assert contrast(ROLES["ink"][theme], shade(name)[theme]) >= 4.5, name
    for name, pair in SIGNS.items():
        assert contrast(pair[theme], ROLES["paper"][theme]) >= 4.5, name


def test_every_variant_that_can_be_measured_has_looks_of_its_own() -> None:
    assert set(catalogue().variants) <= set(ORDER)


def test_every_variant_has_a_marker_and_a_color_of_its_own() -> None:
    styles = [variant_style(name) for name in ORDER]
    assert len({style.light for style in styles}) == len({style.marker for style in styles}) == len(styles)


@pytest.mark.parametrize("theme", THEMES.values())
def test_a_color_names_one_variable(theme: int) -> None:
    """The replacement in `svg.py` goes from value to name, and reads lower case."""
    values = [pair[theme] for pair in css_variables().values()]
    assert len(set(values)) == len(values)
    assert values == [value.lower() for value in values]


def test_a_variant_that_is_not_known_never_reaches_the_style_sheet() -> None:
    assert css_name("x;} body{display:none") == "--v-other"
    assert variant_style("endpoint-new").marker == "*"
