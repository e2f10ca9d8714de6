# SPDX-License-Identifier: BSD-3-Clause
"""The manual: raddle(1) and a page for each verb, raddle(7), and in section 3 a page for each part of the C interface,
and one for each function that leads there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from reference.command import Option, Verb
from reference.header import Declared, Section
from reference.roff import Page
from reference.settings import FUNCTIONS, Setting

_ENVIRONMENT = "Variables that begin with RADDLE_ are described in `raddle`(7)."


def pages(
    version: str,
    settings: Sequence[Setting],
    sections: Sequence[Section],
    overview: Sequence[str],
    verbs: Sequence[Verb],
    groups: Mapping[str, str],
    help_text: str,
) -> dict[str, str]:
    """The text of each page, by its path below a directory of manuals."""
    by_page: dict[str, list[Verb]] = {}
    for verb in verbs:
        by_page.setdefault(verb.words.split()[0], []).append(verb)
    made = {"man1/raddle.1": _command(version, by_page, groups, help_text)}
    for word, its in by_page.items():
        made[f"man1/raddle-{word}.1"] = _verb_page(version, word, its, groups.get(word, ""))
    for section in sections:
        made[f"man3/{_name(section)}.3"] = _part(version, section, sections)
    made["man7/raddle.7"] = _overview(version, settings, sections, overview)
    leading = {f"man3/{name}.3": f".so man3/{_name(one)}.3\n" for one in sections for name in one.names}
    return {path: page.text() for path, page in made.items()} | leading


def _name(section: Section) -> str:
    return f"raddle_{section.slug}"


def _command(version: str, by_page: Mapping[str, list[Verb]], groups: Mapping[str, str], help_text: str) -> Page:
    page = Page("raddle", 1, version, _begun_small(help_text))
    page.heading("synopsis")
    page.code("raddle VERB [OPTIONS] ...")
    page.heading("description")
    page.paragraphs(["Begin with `raddle run --quick`; it ends with a report. Each verb has a page of its own."])
    page.heading("verbs")
    page.items((f"raddle-{word}(1)", groups.get(word) or f"{its[0].first}.") for word, its in by_page.items())
    page.heading("options")
    page.items([("--version", "Show the version and exit."), ("-h, --help", "Say what there is, also behind a verb.")])
    page.heading("environment")
    page.paragraphs([_ENVIRONMENT])
    page.see([*((f"raddle-{word}", 1) for word in by_page), ("raddle", 7)])
    return page


def _verb_page(version: str, word: str, verbs: Sequence[Verb], group: str) -> Page:
    page = Page(f"raddle-{word}", 1, version, _begun_small(group or verbs[0].first))
    if not group:
        _verb(page, verbs[0], page.heading)
    else:
        page.heading("synopsis")
        page.code("\n".join(verb.synopsis for verb in verbs))
        for verb in verbs:
            page.heading(f"raddle {verb.words}")
            page.paragraphs(verb.paragraphs)
            _details(page, verb, page.subheading)
    page.see([("raddle", 1), ("raddle", 7)])
    return page


def _verb(page: Page, verb: Verb, heading: Callable[[str], None]) -> None:
    page.heading("synopsis")
    page.code(verb.synopsis)
    page.heading("description")
    page.paragraphs(verb.paragraphs)
    _details(page, verb, heading)


def _details(page: Page, verb: Verb, heading: Callable[[str], None]) -> None:
    if verb.arguments:
        heading("Arguments")
        page.items((one.names, one.text) for one in verb.arguments)
    for panel, options in verb.panels().items():
        heading(panel or "Options")
        page.items(_option(option) for option in options)
    if verb.examples:
        heading("Examples")
        page.paragraphs(verb.examples)
    if verb.exit_status:
        heading("Exit status")
        page.paragraphs([verb.exit_status])


def _option(option: Option) -> tuple[str, str]:
    default = f" Default: {option.default}." if option.default else ""
    return " ".join(filter(None, [option.names, option.value])), option.text + default


def _part(version: str, section: Section, sections: Iterable[Section]) -> Page:
    page = Page(_name(section), 3, version, _begun_small(section.title), [_name(section), *section.names])
    page.heading("synopsis")
    page.code("#include <raddle/raddle.h>")
    for one in section.declared:
        page.code(one.code)
    if section.paragraphs != [f"{section.title}."]:
        page.heading("description")
        page.paragraphs(section.paragraphs)
    page.heading("functions and types")
    for one in section.declared:
        _declared(page, one)
    page.see([*((_name(other), 3) for other in sections if other is not section), ("raddle", 7)])
    return page


def _declared(page: Page, one: Declared) -> None:
    page.subheading(", ".join(one.names))
    page.paragraphs(one.paragraphs)
    page.items(
        (each.name, f"[{each.direction}] {each.text}" if each.direction else each.text) for each in one.parameters
    )
    lines = {"Needs": one.requires, "Returns": one.returns, "Source": one.source}
    page.paragraphs(f"{word}: {said}" for word, said in lines.items() if said)


def _overview(version: str, settings: Sequence[Setting], sections: Sequence[Section], overview: Sequence[str]) -> Page:
    page = Page(
        "raddle", 7, version, "lanes, endpoints, partitioned and sparse communication for threads of MPI programs"
    )
    page.heading("description")
    page.paragraphs(
        [
            "Raddle measures what threads cost a hybrid MPI program, and takes the cost away. It is the command "
            "`raddle`(1), and the library libraddle, which is linked before the MPI or preloaded by `raddle-exec`(1).",
            *overview,
        ]
    )
    page.heading("environment")
    page.paragraphs(
        ["Read once, at the first call into Raddle. An unknown name or value is an error that lists what is valid."]
    )
    page.items((one.name, f"{one.valid}; default: {one.by_default}. {one.sentence()}") for one in settings)
    page.heading("info keys")
    page.paragraphs(["Each is a setting for one call, and overrides the environment variable of the same name."])
    for hints, functions in FUNCTIONS.items():
        page.subheading(f"Of {functions}")
        page.items((one.key, f"{one.valid_of_key}; as {one.name}.") for one in settings if one.hints == hints)
    page.see([("raddle", 1), *((_name(section), 3) for section in sections)])
    return page


def _begun_small(text: str) -> str:
    """As it stands behind a name."""
    return (text[0].lower() + text[1:]).removesuffix(".")
