# SPDX-License-Identifier: BSD-3-Clause
"""`raddle try`: one program as processes and with threads as ranks, in turn, and what it gains."""
