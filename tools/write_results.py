# SPDX-License-Identifier: BSD-3-Clause
"""`make results`: makes reports of the runs whose results and environments are kept in docs/results.

Of each run its report.html and tables.csv, as `raddle report` makes them, in results/, which is not kept; and of all
runs the table in docs/results/README.md, whose last column is that of runs.toml. With `--table` only the table; with
`--keep RUN NAME` a run that was made in RUN is kept as NAME, from then on.
"""

from __future__ import annotations

import argparse
import json
import lzma
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # this checkout's report, whichever is installed

from raddle.environment import Environment, read_environment  # noqa: E402
from raddle.errors import UserError  # noqa: E402
from raddle.report.load import load  # noqa: E402
from raddle.report.write import write  # noqa: E402
from raddle.results.rows import COMPRESSED, read_results, results_file  # noqa: E402

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RESULTS = ROOT / "docs" / "results"
_BEGIN, _END = "<!-- Made by tools/write_results.py from here -->\n", "<!-- to here -->\n"
_COLUMNS = ("directory", "made", "machine", "MPIs", "commit", "command", "what it shows")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--table", action="store_true", help="only the table in README.md")
    parser.add_argument("--keep", nargs=2, metavar=("RUN", "NAME"), help="keep the run in directory RUN as NAME")
    parser.add_argument("--out", type=Path, default=ROOT / "results", help="where reports go")
    parser.add_argument("results", type=Path, nargs="?", default=RESULTS, help="another directory of runs")
    arguments = parser.parse_args()
    try:
        if arguments.keep:
            keep(Path(arguments.keep[0]), arguments.results / arguments.keep[1])
        elif not arguments.table:
            for run in runs(arguments.results):
                print(f"{run.name} ...", flush=True)
                (arguments.out / run.name).mkdir(parents=True, exist_ok=True)
                write(load(run), arguments.out / run.name)
        page = arguments.results / "README.md"
        page.write_text(with_table(page.read_text(encoding="utf-8"), arguments.results), encoding="utf-8")
    except UserError as error:
        sys.exit(f"{error}\n{error.hint}")


def runs(results: Path) -> list[Path]:
    """The directories with what `raddle run` has measured, in the order of their names."""
    return sorted(path.parent for path in results.glob(f"*/{COMPRESSED}"))


def keep(run: Path, kept: Path) -> None:
    """Every row and sample, and where they come from; what can be made of them is not kept. Raises UserError."""
    rows = results_file(run)
    read_results(rows)  # whole
    kept.mkdir(exist_ok=True)
    text = lzma.decompress(rows.read_bytes()) if rows.name == COMPRESSED else rows.read_bytes()
    lines = [json.dumps(rounded(json.loads(line)), separators=(",", ":")) for line in text.splitlines()]
    content = "".join(f"{line}\n" for line in lines).encode()
    (kept / COMPRESSED).write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    if run.resolve() != kept.resolve():
        shutil.copyfile(run / "environment.json", kept / "environment.json")


def rounded(value: Any) -> Any:
    """Fractions with six significant digits, in lists and tables too.

    No clock here tells more: a sample of 500 us, the shortest, is read to a few ns. More digits double the files.
    """
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return {key: rounded(one) for key, one in value.items()} if isinstance(value, dict) else value


def with_table(page: str, results: Path) -> str:
    """The page, its table made anew. Raises UserError if there is no place for it, or a run without its words."""
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise UserError(
            f"{results / 'README.md'} has no place for the table.", hint=f"Between {_BEGIN.strip()} and so on."
        )
    return f"{before}{begin}{table(results, **told(results))}{end}{after}"


def told(results: Path) -> dict[str, Any]:
    """What runs.toml says."""
    return tomllib.loads((results / "runs.toml").read_text(encoding="utf-8"))


def table(results: Path, shows: Mapping[str, str], lost: Sequence[str] = ()) -> str:
    """A row for each run, in the order of `shows`; commits that are `lost` are said to be."""
    there = {path.parent.name for path in results.glob("*/environment.json")}
    if there != set(shows):
        names = ", ".join(sorted(there ^ set(shows)))
        raise UserError(f"{results / 'runs.toml'} and the directories differ: {names}", hint="Say what each run shows.")
    lines = [f"| {' | '.join(_COLUMNS)} |", f"|{'---|' * len(_COLUMNS)}"]
    for name, text in shows.items():
        environment = read_environment(results / name)
        if environment is None:
            raise UserError(f"{results / name / 'environment.json'} cannot be read.", hint="It is that of a run.")
        lines.append(f"| [{name}]({name}/) | {' | '.join(_about(environment, lost))} | {text} |")
    return "".join(f"{line}\n" for line in lines)


def _about(environment: Environment, lost: Sequence[str]) -> list[str]:
    host = environment.host
    mpis = ", ".join(f"{mpi.title} {mpi.version}" for mpi in environment.mpis)
    # "-dirty" stays: such a commit alone does not make the run again.
    commit, _, dirty = environment.commit.partition("-")
    return [
        environment.created.replace("T", " ")[:16],
        f"{host.cpu}, {len(host.allowed_cpus)} CPUs, {host.memory_gib:.0f} GiB",
        mpis,
        "-".join(filter(None, [commit[:12], dirty])) + (", not in the history" if commit[:12] in lost else ""),
        "`" + command(environment).replace("|", r"\|") + "`",  # else it would end the cell
    ]


def command(environment: Environment) -> str:
    """What was typed, without where the results went; with the seed, which makes the order of launches the same."""
    words = list(environment.command)
    words[0] = "raddle" if Path(words[0]).name == "raddle" else words[0]
    if "--out" in words:
        at = words.index("--out")
        del words[at : at + 2]
    if words[0] == "raddle" and "--seed" not in words:
        words += ["--seed", str(environment.seed)]
    return shlex.join(words)


if __name__ == "__main__":
    main()
