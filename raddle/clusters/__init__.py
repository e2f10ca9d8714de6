# SPDX-License-Identifier: BSD-3-Clause
"""Slurm and PBS: the job that Raddle runs in, its nodes, and scripts that submit a run as a job."""
