# SPDX-License-Identifier: BSD-3-Clause
"""The page of `raddle doctor --html`: all that was found, nothing from elsewhere, nothing of the user's."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from raddle.doctor import consultation
from raddle.doctor.catalogue import Finding, Severity
from raddle.doctor.document import Examined
from raddle.doctor.judge import judge
from raddle.doctor_page.page import render
from raddle.errors import UserError
from raddle.inspection.facts import Job
from raddle.mpi.family import family
from raddle.verbs.doctor import doctor
from tests.cli import fakes
from tests.doctor import cases

JOB = Job(processes=2, threads=2)


class Links(HTMLParser):
    """All that a page refers to, and what it may be referred to by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("href", "src"):
                self.targets.append(value or "")
            if name == "id":
                self.anchors.append(value or "")


def examined(title: str, **changes: object) -> Examined:
    facts = cases.facts(title=title, **changes)
    return Examined(facts, list(judge(facts, JOB, cases.machine(), family("mpich"))))


def wrong() -> Examined:
    return examined(
        "Bad <MPI>",
        trials=cases.trial("spawn", "crash", "segmentation fault"),
        environment={"MPICH_X": "<script>"},
        cvars={"MPIR_CVAR_CH4_NUM_VCIS": 4},
    )


def page(*found: Examined, accepted: tuple[str, ...] = ()) -> str:
    return render(cases.machine(), JOB, found, accepted)


def text(of: str) -> str:
    of = of.replace("<wbr>", "")
    return " ".join(unescape(re.sub(r"<(style|script)>.*?</\1>|<[^>]*>", " ", of, flags=re.DOTALL)).split())


def test_each_mpi_has_all_that_was_found_of_it() -> None:
    found = [examined("MPICH"), wrong()]
    told = text(page(*found))
    for one in found:
        assert f"{one.facts.title} 5.0.2" in told
        for diagnosis in one.diagnoses:
            assert " ".join(diagnosis.seen.split()) in told
            if diagnosis.severity is not Severity.OK:
                assert " ".join(diagnosis.do.split()) in told
    assert "mpiexec -n 2 PROGRAM, two threads each" in told
    assert "spawn crash it crashed (segmentation fault)" in told
    assert "MPIR_CVAR_CH4_NUM_VCIS 4 1" in told


def test_mpis_are_side_by_side() -> None:
    made = page(examined("MPICH"), wrong())
    row = re.search(r'<tr><th scope="row">(?:[^<]|<wbr>)*spawn(?:[^<]|<wbr>)*</th>(.*?)</tr>', made)
    assert row
    assert re.findall(r'class="state (\w+)"', row[1]) == ["none", "wrong"]


def test_nothing_comes_from_elsewhere_and_all_links_lead_somewhere() -> None:
    links = Links(page(examined("MPICH"), wrong()))
    assert {target for target in links.targets if not target.startswith("#")} == {"data:,"}
    assert {target[1:] for target in links.targets if target.startswith("#")} <= set(links.anchors)
    assert len(links.anchors) == len(set(links.anchors))


def test_what_it_shows_is_trusted_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OMPI_MCA_x", f"{tmp_path}/secret<b>")
    monkeypatch.setenv("SOME_TOKEN", "hidden-token")
    made = page(wrong())
    assert "Bad &lt;MPI&gt;" in made
    assert "&lt;script&gt;" in made
    assert "~/secret&lt;b&gt;" in made
    assert str(tmp_path) not in made
    assert "hidden-token" not in made


def test_what_is_accepted_is_marked() -> None:
    bad = next(one for one in wrong().diagnoses if one.severity is Severity.WRONG)
    assert "accepted" not in text(page(wrong())).split()
    assert f"{bad.finding} wrong accepted" in text(page(wrong(), accepted=(str(bad.finding),)))
    assert str(bad.finding) in [str(one) for one in Finding]


def test_the_command_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import typer  # noqa: PLC0415

    mpis = {"alpha": fakes.mpi(tmp_path, fakes.family("alpha"))}
    monkeypatch.setattr(consultation, "find_mpis", lambda request, say: (mpis, []))
    monkeypatch.setattr(consultation, "_examine", lambda *_, **__: wrong())
    with pytest.raises(typer.Exit) as ended:
        doctor(mpi=None, processes=2, threads=2, measure=False, accept=None, html=tmp_path / "new" / "page.html")
    assert ended.value.exit_code == 1
    assert "Bad &lt;MPI&gt; 5.0.2" in (tmp_path / "new" / "page.html").read_text(encoding="utf-8")
    assert f"Page: {tmp_path}/new/page.html" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(UserError, match="is a directory"):
        doctor(mpi=None, processes=2, threads=2, measure=False, accept=None, html=tmp_path)
