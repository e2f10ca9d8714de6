# SPDX-License-Identifier: BSD-3-Clause
"""`make lint` and `make format`: every checker over every source, all of them also when one complains."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import tidy

SOURCE = Path(__file__).resolve().parents[1]
TOOLS = Path(sys.executable).parent


def main() -> None:
    fix = "--fix" in sys.argv[1:]
    results = [check(name, run) for name, run in (formatters(fix) if fix else checkers()).items()]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


def check(name: str, run: Callable[[], bool]) -> bool:
    print(f"== {name}", flush=True)
    return run()


def formatters(fix: bool) -> dict[str, Callable[[], bool]]:
    """What may change a file; otherwise each says which it would change."""
    cpp, cmake = sources("*.c", "*.cpp", "*.h", "*.hpp"), sources("CMakeLists.txt", "*.cmake")
    return {
        "ruff format": lambda: tool("ruff", "format", "--quiet", *([] if fix else ["--diff"])),
        "ruff check": lambda: tool("ruff", "check", "--quiet", *(["--fix"] if fix else [])),
        "clang-format": lambda: tool("clang-format", *(["-i"] if fix else ["--dry-run", "-Werror"]), *cpp),
        "gersemi": lambda: tool("gersemi", "--quiet", *(["-i"] if fix else ["--check", "--diff"]), *cmake),
    }


def checkers() -> dict[str, Callable[[], bool]]:
    return {
        **formatters(fix=False),
        "mypy": lambda: tool("mypy", "--no-error-summary"),
        "clang-tidy": lambda: tidy.check_all(sources("*.c", "*.cpp"), TOOLS / "clang-tidy"),
    }


def tool(name: str, *arguments: str) -> bool:
    return subprocess.run([TOOLS / name, *arguments], cwd=SOURCE, check=False).returncode == 0


def sources(*patterns: str) -> list[str]:
    """The files that git tracks or would track, so a forgotten `git add` is no way around the checks."""
    wanted = [pattern if pattern.startswith("*") else f"*{pattern}" for pattern in patterns]
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *wanted]
    listed = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if (SOURCE / name).exists()]


if __name__ == "__main__":
    main()
