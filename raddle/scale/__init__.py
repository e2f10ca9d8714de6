# SPDX-License-Identifier: BSD-3-Clause
"""Sparse exchanges on machines larger than this one: a model, and a simulation to hold it against."""
