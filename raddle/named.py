# SPDX-License-Identifier: BSD-3-Clause
"""Catalogues of sentences: enumerations whose members are their names and carry what else is known of them."""

from __future__ import annotations

from enum import Enum


class Named(str, Enum):
    """A member is its name (`Notice.STEAL == "steal"`). A class below annotates what else its members are given, in
    that order."""

    def __new__(cls, name: str, *told: object) -> Named:
        member = str.__new__(cls, name)
        member._value_ = name
        for field, value in zip(cls.__annotations__, told, strict=True):
            setattr(member, field, value)
        return member

    def __str__(self) -> str:
        return str.__str__(self)
