# SPDX-License-Identifier: BSD-3-Clause
"""What docs/use/reference.md, docs/use/command.md and the manual pages are made of: the sources themselves."""
