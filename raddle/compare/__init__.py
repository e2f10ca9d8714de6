# SPDX-License-Identifier: BSD-3-Clause
"""Comparing two runs, or two MPIs of one run, point by point (docs/use/compare.md)."""
