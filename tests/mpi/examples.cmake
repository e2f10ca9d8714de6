# SPDX-License-Identifier: BSD-3-Clause
# The examples do what they say, the same with processes and with endpoints.
set(as_one "ranks, 300 steps: as one rank computes it")
raddle_add_mpi_run(examples.halo.processes PROCESSES 1 2 COMMAND $<TARGET_FILE:halo> EXPECT "[12] ${as_one}")
raddle_add_mpi_run(examples.halo.endpoints PROCESSES 1 2 COMMAND $<TARGET_FILE:halo> 2 EXPECT "[24] ${as_one}")
raddle_add_mpi_run(
  examples.allreduce_openmp
  PROCESSES 1 2
  COMMAND $<TARGET_FILE:allreduce_openmp> 2
  EXPECT "[24] ranks: pi is about 3.14159"
)
