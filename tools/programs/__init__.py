# SPDX-License-Identifier: BSD-3-Clause
"""Programs that are not ours, tried with threads as ranks."""
