# SPDX-License-Identifier: BSD-3-Clause
"""What draws: a file for each kind of panel, and for what panels are made of. None knows a benchmark."""
