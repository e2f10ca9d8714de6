# SPDX-License-Identifier: BSD-3-Clause
"""The doctor is a gate of scripts: it passes nothing that it has not looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import pytest

from raddle.doctor import consultation
from raddle.errors import UserError
from tests.cli import fakes


@pytest.mark.parametrize("as_json", [False, True])
def test_nothing_examined_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    mpis = {name: fakes.mpi(tmp_path, fakes.family(name)) for name in ("alpha", "beta")}

    def examine(*_: Any, **__: Any) -> NoReturn:
        raise UserError("mpicc: command not found")

    monkeypatch.setattr(consultation, "find_mpis", lambda request, say: (mpis, []))
    monkeypatch.setattr(consultation, "_examine", examine)
    with pytest.raises(UserError, match="No MPI could be examined"):
        consultation.consult([], 2, 2, [], measure=False, as_json=as_json)
    said = capsys.readouterr()
    assert said.out == ""
    assert "Beta MPI 1.0 is left out: mpicc: command not found" in said.err
