# SPDX-License-Identifier: BSD-3-Clause
"""`make programs`: tries programs that are not ours as processes and as ranks of threads, and keeps what was found.

Each of programs.toml is brought by the name that its registry has it under, built for each MPI that it can run on, and
given to `raddle try`. What comes of it goes to docs/results/programs, which
tools/write_tables.py makes the tables of docs/evidence/programs.md of.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE.parent)]  # this checkout's raddle, whichever is installed

from programs import bring  # noqa: E402
from programs.program import Program, listed  # noqa: E402
from raddle.errors import UserError  # noqa: E402
from raddle.mpi.find import Mpi, find  # noqa: E402

KEPT = ROOT / "docs" / "results" / "programs"
WORK = ROOT / "build" / "programs"


def main() -> None:
    options = argparse.ArgumentParser(description="Tries programs that are not ours as ranks of threads.")
    options.add_argument("--blocks", type=int, default=12, help="runs of each shape (default: 12)")
    options.add_argument("--mpi", action="append", help="only with this one; repeat it")
    options.add_argument("programs", nargs="*", help="names in programs.toml (default: all)")
    given = options.parse_args()
    known = listed()
    if unknown := sorted(set(given.programs) - set(known)):
        sys.exit(f"programs.toml has no {', '.join(unknown)}; it has {', '.join(known)}")
    for name in given.programs or known:
        program = known[name]
        for mpi in program.mpis:
            if given.mpi and mpi not in given.mpi:
                continue
            # One that cannot be had or built keeps no other from being tried.
            try:
                _try(program, find([mpi])[0], bring.bring(program, WORK / name), given.blocks)
            except (UserError, OSError, subprocess.CalledProcessError) as error:
                print(f"{name} with {mpi}: {error}", file=sys.stderr)


def _try(program: Program, mpi: Mpi, source: Path, blocks: int) -> None:
    place = WORK / program.name / mpi.name
    place.mkdir(parents=True, exist_ok=True)
    path = bring.build(program, mpi, source, place)
    out, kept = place / "tried", KEPT / f"{program.name}-{mpi.name}"
    shutil.rmtree(out, ignore_errors=True)
    words = [str(Path(sys.executable).with_name("raddle")), "try", "--mpi", mpi.selection, "--time-limit", "60"]
    words += ["--blocks", str(blocks), "--out", str(out), *program.options()]
    words += ["--", "mpiexec", "-n", str(program.ranks), str(path), *program.words(source)]
    # Open MPI asks who is root.
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    env = {**os.environ, **as_root, **program.environment(source)}
    print(f"{program.name} with {mpi.title} ...", flush=True)
    done = subprocess.run(words, cwd=source, env=env, stderr=subprocess.PIPE, text=True, check=False)
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    if not (out / "trial.json").exists():
        said = next((line for line in done.stderr.splitlines() if line.startswith("Error: ")), done.stderr)
        print(said, flush=True)
        refused = {"mpi": mpi.title, "said": _anywhere(said.removeprefix("Error: "))}
        (kept / "refused.json").write_text(json.dumps(refused) + "\n", "utf-8")
        return
    for name, to in (("trial.json", kept), ("report.md", kept), ("environment.json", KEPT)):
        (to / name).write_text(_anywhere((out / name).read_text("utf-8")), "utf-8")
    rows = out / "results.jsonl"
    if rows.exists():
        (kept / "results.jsonl.xz").write_bytes(lzma.compress(rows.read_bytes(), preset=9 | lzma.PRESET_EXTREME))


def _anywhere(text: str) -> str:
    """Without the places where this checkout and what it brought happen to be."""
    return text.replace(f"{WORK}/", "").replace(f"{ROOT}/", "").replace(str(Path.home()), "~")


if __name__ == "__main__":
    main()
