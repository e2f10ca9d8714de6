# SPDX-License-Identifier: BSD-3-Clause
"""Each rank's own copies of mpi4py's test modules, which keep communicators in their classes."""

from __future__ import annotations

import builtins
import sys
import types
import unittest
from pathlib import Path
from typing import Any


class Modules:
    """One rank's copies of the test modules and of what they share: loop variables, communicators and so on.

    Also of what mpi4py has in Python and keeps a table in: its pkl5 frees the datatypes of all who send at the time.
    """

    _HELPERS = ("arrayimpl", "dlpackimpl", "mpiunittest", "mpitestutil")
    _WITH_TABLES = ("pkl5",)

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self._loaded: dict[str, types.ModuleType] = {}
        self._builtins = {**vars(builtins), "__import__": self._import}

    def load(self, name: str) -> types.ModuleType:
        return self._load(name, Path(sys.path[0]) / f"{name}.py")

    def _load(self, name: str, path: Path) -> types.ModuleType:
        if name not in self._loaded:
            module = self._loaded[name] = types.ModuleType(name + self._suffix)
            module.__dict__.update(__file__=str(path), __builtins__=self._builtins)
            sys.modules[module.__name__] = module  # where pickle looks for its classes
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
        return self._loaded[name]

    def _import(self, name: str, *arguments: Any, **named: Any) -> Any:
        if name in self._HELPERS:
            return self.load(name)
        found = __import__(name, *arguments, **named)
        if name != "mpi4py.util" or not self._suffix:
            return found
        own = types.ModuleType(name)
        own.__dict__.update(vars(found))
        for one in self._WITH_TABLES:
            setattr(own, one, self._load(f"{name}.{one}", Path(found.__path__[0]) / f"{one}.py"))
        return own


class Unloadable(unittest.TestCase):
    """In the place of the tests of a module that cannot be loaded."""

    def __init__(self, module: str, error: BaseException | None) -> None:
        super().__init__("begin")
        self._module, self._error = module, error

    def id(self) -> str:
        return f"{self._module}.(all)"

    def begin(self) -> None:
        assert self._error is not None
        raise self._error
