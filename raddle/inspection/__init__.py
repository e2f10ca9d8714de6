# SPDX-License-Identifier: BSD-3-Clause
"""Asks an MPI by raddle-inspect: what it says of itself, and trials of what it may do wrong."""
