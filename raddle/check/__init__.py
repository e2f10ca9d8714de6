# SPDX-License-Identifier: BSD-3-Clause
"""`raddle check`: which rules of MPI the threads of a program break."""
