# SPDX-License-Identifier: BSD-3-Clause
"""All errors look alike: a sentence that says what is wrong, and below it what to do; whoever finds it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Raddle

PACKAGE = Path(__file__).parents[2] / "raddle"
# Names that a sentence may begin with as they are.
NAMES = ("ip ", "libraddle ", "scontrol ", "srun ")


def text(node: ast.expr) -> str:
    """The words of an f-string or of a string, with {} for what is put in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return "{}"


def errors() -> Iterator[tuple[str, str, str]]:
    """Where each is raised, its message and its hint."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "UserError":
                hint = next((text(word.value) for word in node.keywords if word.arg == "hint"), "")
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", text(node.args[0]), hint


def test_every_error_is_a_sentence() -> None:
    found = list(errors())
    assert len(found) > 150
    odd = [
        f"{place}: {message}"
        for place, message, _ in found
        if (message[0].islower() and not message.startswith(NAMES)) or not message.endswith((".", "?", "{}"))
    ]
    assert odd == []


def test_every_hint_is_a_sentence_or_ends_with_a_command() -> None:
    odd = [
        f"{place}: {hint}"
        for place, _, hint in errors()
        if hint and ((hint[0].islower()) or not (hint.endswith((".", "{}", "?")) or ": " in hint))
    ]
    assert odd == []


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["exce"], "No such command 'exce'. Did you mean 'exec'?", "All options: raddle --help"),
        (["exec"], "Missing argument '-- COMMAND...'.", "All options: raddle exec --help"),
        (["exec", "--mpi"], "Option '--mpi' requires an argument.", "All options: raddle exec --help"),
        (["run", "--nonsense"], "No such option: --nonsense", "All options: raddle run --help"),
        (["mpi", "nonsense"], "No such command 'nonsense'.", "All options: raddle mpi --help"),
        (["exec", "--", "true"], "'true' is no launcher of MPI programs.", "Begin the command with mpiexec"),
    ],
)
def test_what_the_command_line_gets_wrong_is_told_as_all_else(
    tmp_path: Path, words: list[str], message: str, hint: str
) -> None:
    done = Raddle(tmp_path)(*words)
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert lines[0].startswith(f"Error: {message}")
    assert lines[1].startswith(hint)
    assert len(lines) == 2
