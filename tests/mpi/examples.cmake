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
foreach(way shared endpoints)
  raddle_add_mpi_run(
    examples.exchange.${way}
    PROCESSES 1
    COMMAND $<TARGET_FILE:exchange> ${way} 1000 10 2000
    EXPECT "exchange: 2000 rounds of 1000 B, ${way}: well"
  )
endforeach()
raddle_add_mpi_run(
  examples.exchange.usage
  PROCESSES 1
  COMMAND $<TARGET_FILE:exchange> shared 1
  EXPECT "usage: exchange"
  ONCE
)

set(as_one "ranks, 200 steps: as one rank computes it")
foreach(direct 0 1)
  raddle_add_mpi_run(
    examples.halo_partitioned.processes.direct-${direct}
    PROCESSES 1 2 3
    COMMAND $<TARGET_FILE:halo_partitioned> 2
    ENVIRONMENT RADDLE_PART_DIRECT=${direct}
    EXPECT "[123] ${as_one}"
  )
  raddle_add_mpi_run(
    examples.halo_partitioned.endpoints.direct-${direct}
    PROCESSES 1 2
    COMMAND $<TARGET_FILE:halo_partitioned> 2 2
    ENVIRONMENT RADDLE_PART_DIRECT=${direct}
    EXPECT "[24] ${as_one}"
  )
endforeach()

set(alone "each where it would be alone")
raddle_add_mpi_run(
  examples.particles.processes
  PROCESSES 1 2 3 4
  COMMAND $<TARGET_FILE:particles>
  EXPECT "particles: [1234] ranks, [^\n]*: ${alone}"
)
raddle_add_mpi_run(
  examples.particles.endpoints
  PROCESSES 1 2
  COMMAND $<TARGET_FILE:particles> 2
  EXPECT "particles: [24] ranks, [^\n]*: ${alone}"
)
foreach(algorithm nbx pex nary)
  raddle_add_mpi_run(
    examples.particles.${algorithm}
    PROCESSES 3
    COMMAND $<TARGET_FILE:particles> 0 ${algorithm}
    EXPECT "last by ${algorithm}: ${alone}"
    ONCE
  )
endforeach()

# Whatever ranks are, and however many there are.
set(as_one "ranks: 20000 numbers, 2617 different: as one rank counts them")
raddle_add_mpi_run(
  examples.hash_table.processes
  PROCESSES 1 2 3 4
  COMMAND $<TARGET_FILE:hash_table>
  EXPECT "hash_table: [1234] ${as_one}"
)
raddle_add_mpi_run(
  examples.hash_table.endpoints
  PROCESSES 1 2
  COMMAND $<TARGET_FILE:hash_table> 3
  EXPECT "hash_table: [36] ${as_one}"
)
raddle_add_mpi_run(
  examples.hash_table.between-nodes
  PROCESSES 2
  COMMAND $<TARGET_FILE:hash_table> 2
  ENVIRONMENT RADDLE_NODE=rank
  EXPECT "hash_table: 4 ${as_one}"
  TIMEOUT 120
)

# Where there is no thread for a rank it is said; the others do not wait for it.
set(too_few "OpenMP gives 1 threads, and 2 are needed")
foreach(name halo halo_partitioned particles hash_table)
  set(arguments 2)
  if(name STREQUAL "halo_partitioned")
    set(arguments 2 2)
  endif()
  raddle_add_mpi_run(
    examples.${name}.too-few-threads
    PROCESSES 2
    COMMAND $<TARGET_FILE:${name}> ${arguments}
    ENVIRONMENT OMP_THREAD_LIMIT=1
    EXPECT "${name}: ${too_few}"
    TRIES 3
    TIMEOUT 20
    ONCE
  )
endforeach()

# Grids that ranks divide, that they do not, and of which some get nothing. Blocks that change places must be found: in the
# first exchange by the look at the spectrum, in a later one (the second comes after that look) by the way back.
if(TARGET fft)
  set(right "forward: [^\n]*: right\n[^\n]*there and back[^\n]*: right")
  foreach(grid 16x16x16 13x7x10 3x2x5 34x1x1)
    set(fft $<TARGET_FILE:fft>)
    set(of --grid ${grid} --repeats 2)
    set(once ONCE)
    if(grid STREQUAL "16x16x16")
      set(once "")
    endif()
    raddle_add_mpi_run(
      examples.fft.process.${grid}
      PROCESSES 1 2 3 4
      COMMAND ${fft} process ${of}
      EXPECT "fft: process,[^\n]* [1234] parts: .*${right}"
      ${once}
    )
    raddle_add_mpi_run(
      examples.fft.master.${grid}
      PROCESSES 1 2
      COMMAND ${fft} master --threads 2 ${of}
      EXPECT "fft: master,[^\n]* [12] parts: .*${right}"
      ${once}
    )
    foreach(version thread endpoint)
      raddle_add_mpi_run(
        examples.fft.${version}.${grid}
        PROCESSES 1 2
        COMMAND ${fft} ${version} --threads 2 ${of}
        EXPECT "fft: ${version},[^\n]* [24] parts: .*${right}"
        ${once}
        ${once}
      )
    endforeach()
  endforeach()
  foreach(version master thread endpoint)
    raddle_add_mpi_run(
      examples.fft.fault.there.${version}
      PROCESSES 2
      COMMAND ${fft} ${version} --threads 2 --grid 13x7x10 --fault 1
      EXPECT "forward: [^\n]*: WRONG\n[^\n]*there and back[^\n]*: right.*launcher: "
      ONCE
    )
    raddle_add_mpi_run(
      examples.fft.fault.back.${version}
      PROCESSES 2
      COMMAND ${fft} ${version} --threads 2 --grid 13x7x10 --fault 2
      EXPECT "forward: [^\n]*: right\n[^\n]*there and back[^\n]*: WRONG.*launcher: "
      ONCE
    )
  endforeach()
  raddle_add_mpi_run(examples.fft.usage PROCESSES 1 COMMAND ${fft} process --grid 4x4 EXPECT "usage: fft VERSION")
endif()
