# SPDX-License-Identifier: BSD-3-Clause
"""`raddle` with the MPICH that exists only in the tests of the profile; nothing is preloaded, the program writes."""

from __future__ import annotations

from contextlib import ExitStack
from unittest.mock import patch

from raddle.cli import main
from tests.profile_command.raddle_with_a_fake import HOME, mpi

if __name__ == "__main__":
    known = mpi()
    with ExitStack() as stack:
        stack.enter_context(patch("raddle.belonging.from_path", lambda _: known))
        stack.enter_context(patch("raddle.native.build", lambda *_, **__: HOME / "built"))
        main()
