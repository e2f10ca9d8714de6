# SPDX-License-Identifier: BSD-3-Clause
"""What `raddle doctor` does: ask an MPI (examine), judge the answers (judge), and say what mends what (catalogue)."""
