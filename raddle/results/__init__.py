# SPDX-License-Identifier: BSD-3-Clause
"""What a run has measured: its launches as they came, and a row for each point."""
