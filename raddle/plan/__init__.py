# SPDX-License-Identifier: BSD-3-Clause
"""From what the user asked for to the launches that measure it: points, launches, blocks."""

FILE = "plan.json"  # in the directory of a run; also what tells that a directory is one
