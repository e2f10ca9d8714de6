# SPDX-License-Identifier: BSD-3-Clause
"""`raddle profile`: where the time of a program's threads goes inside its MPI."""
