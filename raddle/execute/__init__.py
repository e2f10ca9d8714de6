# SPDX-License-Identifier: BSD-3-Clause
"""One launch as a subprocess: its lines, its time limit, its end, and what it left behind."""
