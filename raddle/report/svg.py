# SPDX-License-Identifier: BSD-3-Clause
"""From Matplotlib's SVG file to SVG that may stand in a page beside others, in light and in dark."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from raddle.report.style import css_variables

SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_URL = re.compile(r"url\(#([^)]+)\)")
_HEX = re.compile(r"#[0-9a-fA-F]{6}\b")
_FONT = re.compile(r"(font-family|font)\s*:[^;]*;?")
_LONG = re.compile(r"-?\d+\.\d{3,}")
_COORDINATES = {"d", "x", "y", "width", "height", "transform"}
_SIZE = re.compile(r"([\d.]+)px")


def inline_svg(text: str, *, name: str, title: str, description: str) -> str:
    """The drawing as an element for HTML: named for screen readers, ids unique, colours and font those of the page.

    Matplotlib escapes what it draws; the parser undoes that and the serialiser does it again, so text from outside
    stays text. `name` must be a valid id and unique in the page.
    """
    root = ElementTree.fromstring(text)
    _drop(root, "metadata")
    _drop(root, "defs", only_styles=True)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        _rename(element, name)
        _recolor(element)
        _shorten(element)
    box = root.get("viewBox", "0 0 100 100")
    root.attrib.clear()
    root.attrib.update({"class": "plot", "viewBox": box, "role": "img", "aria-labelledby": f"{name}-title {name}-desc"})
    _insert(root, 0, "title", title, f"{name}-title")
    _insert(root, 1, "desc", description, f"{name}-desc")
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def _drop(root: ElementTree.Element, tag: str, *, only_styles: bool = False) -> None:
    """Remove the children with this tag; of <defs> only the style sheet, which would apply to the whole page."""
    for child in list(root):
        if child.tag == f"{{{SVG}}}{tag}" and (not only_styles or child.find(f"{{{SVG}}}style") is not None):
            root.remove(child)


def _rename(element: ElementTree.Element, name: str) -> None:
    """Give ids the panel's name as prefix; a group that was marked `series:...` gets a class instead."""
    identity = element.get("id")
    if identity is not None and identity.startswith("series:"):
        del element.attrib["id"]
        element.set("class", "series")
        element.set("data-variant", identity.removeprefix("series:"))
    elif identity is not None:
        element.set("id", f"{name}-{identity}")
    link = element.attrib.pop(_XLINK, None)
    if link is not None:
        element.set("href", f"#{name}-{link.removeprefix('#')}")
    for key, value in element.attrib.items():
        if "url(#" in value:
            element.set(key, _URL.sub(rf"url(#{name}-\1)", value))


def _recolor(element: ElementTree.Element) -> None:
    """Colours of the light theme become CSS variables; the font becomes the page's, its size and weight stay."""
    style = element.get("style")
    if style is not None:
        style = _FONT.sub(_keep_size, style)
        element.set("style", _HEX.sub(lambda found: _VARIABLES.get(found[0].lower(), found[0]), style))


def _shorten(element: ElementTree.Element) -> None:
    """A hundredth of a point is finer than any screen; six decimals and indentation are half of the file."""
    for key in _COORDINATES & element.attrib.keys():
        element.set(key, " ".join(_LONG.sub(lambda found: f"{float(found[0]):.2f}", element.attrib[key]).split()))
    if element.tag != "text":
        element.text = (element.text or "").strip() or None
    element.tail = (element.tail or "").strip() or None


def _keep_size(found: re.Match[str]) -> str:
    declaration = found[0]
    size = _SIZE.search(declaration)
    weight = "font-weight:600;" if re.search(r"\b(bold|700)\b", declaration) else ""
    return f"{weight}font-size:{size[1]}px;" if size else weight


def _insert(root: ElementTree.Element, place: int, tag: str, text: str, identity: str) -> None:
    element = ElementTree.Element(tag, {"id": identity})
    element.text = text
    root.insert(place, element)


_VARIABLES = {light: f"var({variable})" for variable, (light, _) in css_variables().items()}
