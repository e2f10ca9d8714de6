# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` puts where: the library and its headers, the programs that go with it, and how others find them:
# a CMake package (find_package(raddle)) and a file for pkg-config. All of it may be moved together.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(RaddleManual)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/raddle")
install(
  TARGETS raddle
  EXPORT raddle
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
)
install(TARGETS raddle-bench raddle-proxy raddle-ranks RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/raddle" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT raddle NAMESPACE raddle:: FILE raddleTargets.cmake DESTINATION "${package}")

# All that there is to install, and nothing else.
add_custom_target(raddle-installed)
add_dependencies(raddle-installed raddle raddle-bench raddle-proxy raddle-ranks)
if(TARGET raddle-manual)
  add_dependencies(raddle-installed raddle-manual)
endif()

if(TARGET raddle_fortran)
  install(TARGETS raddle_fortran EXPORT raddle-fortran ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(
    DIRECTORY "$<TARGET_PROPERTY:raddle_fortran,Fortran_MODULE_DIRECTORY>/"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/raddle/fortran"
  )
  install(EXPORT raddle-fortran NAMESPACE raddle:: FILE raddleFortranTargets.cmake DESTINATION "${package}")
  add_dependencies(raddle-installed raddle_fortran)
endif()

# Each finds its MPI where the build found it, unless it is for any of the MPI-5 ABI.
set(stays ON)
if(RADDLE_MPI_ABI)
  set(stays OFF)
endif()
set_target_properties(raddle PROPERTIES INSTALL_RPATH_USE_LINK_PATH ${stays})
set_target_properties(
  raddle-bench
  raddle-proxy
  raddle-ranks
  PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" INSTALL_RPATH_USE_LINK_PATH ${stays}
)

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/raddleConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/raddleConfig.cmake"
  INSTALL_DESTINATION "${package}"
)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/raddleConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/raddleConfig.cmake" "${PROJECT_BINARY_DIR}/raddleConfigVersion.cmake"
  DESTINATION "${package}"
)

set(pkgconfig "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH up "/${pkgconfig}" "/")
configure_file("${CMAKE_CURRENT_LIST_DIR}/raddle.pc.in" "${PROJECT_BINARY_DIR}/raddle.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/raddle.pc" DESTINATION "${pkgconfig}")
if(TARGET raddle_fortran)
  list(TRANSFORM RADDLE_FORTRAN_MODULES PREPEND " -I" OUTPUT_VARIABLE include_modules)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/raddle-fortran.pc.in" "${PROJECT_BINARY_DIR}/raddle-fortran.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/raddle-fortran.pc" DESTINATION "${pkgconfig}")
endif()

set(modules "${CMAKE_INSTALL_DATADIR}/modulefiles/raddle")
file(RELATIVE_PATH up "/${modules}" "/")
configure_file("${PROJECT_SOURCE_DIR}/packaging/modulefile.in" "${PROJECT_BINARY_DIR}/modulefile" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/modulefile" DESTINATION "${modules}" RENAME "${PROJECT_VERSION}")
