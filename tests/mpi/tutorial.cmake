# SPDX-License-Identifier: BSD-3-Clause
# The program of docs/use/tutorial.md computes what one thread alone computes, by each of its steps, on its own and within
# raddle-bench, which notices where it does not.

set(as_one "of [^\n]* us: as one thread alone computes it")
set(tutorial $<TARGET_FILE:tutorial>)
raddle_add_mpi_run(
  examples.tutorial.slow
  PROCESSES 3
  COMMAND ${tutorial} slow 1 60
  EXPECT "slow: 3 processes of 1 threads, 60 steps in time ${as_one}"
)
foreach(
  step
  slow
  lanes
  endpoints
  partitioned
  sparse
)
  raddle_add_mpi_run(
    examples.tutorial.${step}
    PROCESSES 2
    COMMAND ${tutorial} ${step} 2 101
    EXPECT "${step}: 2 processes of 2 threads, 101 steps in time ${as_one}"
  )
endforeach()
raddle_add_mpi_run(
  examples.tutorial.too-few-threads
  PROCESSES 2
  COMMAND ${tutorial} endpoints 2 10
  ENVIRONMENT OMP_THREAD_LIMIT=1
  EXPECT "tutorial: OpenMP gives 1 threads, and 2 are needed"
  TRIES 3
  TIMEOUT 20
  ONCE
)

raddle_bench_plan(plan tutorial-one-bit SETS "tutorial|thread|node|\"step\": \"slow\"")
raddle_add_mpi_run(
  validation-catches-corruption.tutorial
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:bench-one-bit> --level multiple --plan ${plan}
  EXPECT "\"code\":\"validation\".*bytes arrived wrong.*\"rows\":0,\"errors\":1"
)
raddle_bench_plan(plan tutorial-lanes-elsewhere SETS "tutorial|thread|node|\"step\": \"lanes\"")
raddle_add_mpi_run(
  tutorial.each-step-has-its-variant
  ONCE
  PROCESSES 2
  COMMAND $<TARGET_FILE:raddle-bench> --level multiple --plan ${plan}
  EXPECT "variant-unavailable.*step lanes is for variant lane"
)
raddle_add_mpi_run(examples.tutorial.usage ONCE PROCESSES 1 COMMAND ${tutorial} fast EXPECT "usage: tutorial slow")
