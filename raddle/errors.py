# SPDX-License-Identifier: BSD-3-Clause
"""Errors that a user can act on."""

from __future__ import annotations


class UserError(Exception):
    """Something is wrong that the user can put right; `hint` says how. Ends the command with status 2."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
