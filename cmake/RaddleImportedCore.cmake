# SPDX-License-Identifier: BSD-3-Clause
# The benchmark core of another build: it knows no MPI, so the builds for several MPIs need not compile it each.

add_library(raddle_bench_core STATIC IMPORTED GLOBAL)
set_target_properties(
  raddle_bench_core
  PROPERTIES IMPORTED_LOCATION "${RADDLE_CORE}/bench/core/${CMAKE_STATIC_LIBRARY_PREFIX}raddle_bench_core.a"
)
target_include_directories(raddle_bench_core INTERFACE "${PROJECT_SOURCE_DIR}/bench")
target_link_libraries(
  raddle_bench_core
  INTERFACE raddle_options raddle_hwloc $<LINK_ONLY:OpenMP::OpenMP_CXX> Threads::Threads
)
