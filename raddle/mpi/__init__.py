# SPDX-License-Identifier: BSD-3-Clause
"""The MPIs on this machine: what each family needs (family), getting one (install), finding them (find)."""
