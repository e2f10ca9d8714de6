# SPDX-License-Identifier: BSD-3-Clause
"""What docs/reference.md, docs/command.md and the manual pages are made of: the sources themselves."""
