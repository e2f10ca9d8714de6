# SPDX-License-Identifier: BSD-3-Clause
"""From what the user asked for to the launches that measure it: points, launches, blocks."""
