# SPDX-License-Identifier: Apache-2.0
#
# make install: libraries, headers, program with man page and completions, pkg-config files, CMake
# package.
include(CMakePackageConfigHelpers)

set(GBLITE_ZSH_FOLDER ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
  "Where the completion for zsh is installed")
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gblite)
file(GLOB public_headers CONFIGURE_DEPENDS include/*.h)
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# GraphBLAS.h in a folder of its own: users of another GraphBLAS library must not find it.
file(GLOB standard_headers CONFIGURE_DEPENDS include/graphblas/*.h)
install(FILES ${standard_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gblite)
# What gblite_semiring.h is made of.
install(DIRECTORY src/core src/semiring src/kernel_api src/cpu src/cuda
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gblite/kernel
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.cuh")
install(FILES cmake/gblite_add_semiring.cmake DESTINATION ${package_dir})
install(TARGETS gblite gblite_static gblite_io gblite_io_static graphblas semiring
  EXPORT gbliteTargets)
if(gblite_with_cuda)
  install(TARGETS gblite_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(gblite_with_dist) # without a CMake package: that of gblite must not want MPI
  install(TARGETS gblite_dist LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES dist/include/gblite_dist.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  if(TARGET gblite_dist_cli)
    install(TARGETS gblite_dist_cli)
    set(pages ${PROJECT_BINARY_DIR}/cli)
    install(FILES ${pages}/gblite-dist.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${pages}/gblite-dist.bash RENAME gblite-dist
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${pages}/_gblite-dist DESTINATION ${GBLITE_ZSH_FOLDER})
  endif()
endif()
install(EXPORT gbliteTargets NAMESPACE gblite:: DESTINATION ${package_dir})
if(GBLITE_CLI)
  install(TARGETS gblite_cli)
  if(TARGET gblite_binsparse)
    install(TARGETS gblite_binsparse LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
  install(FILES $<TARGET_FILE_DIR:gblite_cli>/gblite-mcl TYPE BIN)
  if(cli_pages) # not where the program cannot run
    set(pages ${PROJECT_BINARY_DIR}/cli)
    install(FILES ${pages}/gblite.1 ${pages}/gblite-mcl.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${pages}/gblite.bash RENAME gblite
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${pages}/_gblite DESTINATION ${GBLITE_ZSH_FOLDER})
  endif()
endif()

configure_package_config_file(cmake/gbliteConfig.cmake.in gbliteConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(gbliteConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gbliteConfig.cmake
  ${PROJECT_BINARY_DIR}/gbliteConfigVersion.cmake DESTINATION ${package_dir})

# The prefix is found from where the .pc file lies, so an installed tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE pc_prefix)
set(pc_libs_private pthread m ${CMAKE_DL_LIBS})
list(TRANSFORM pc_libs_private PREPEND -l)
list(JOIN pc_libs_private " " pc_libs_private)
set(pc_libraries gblite gblite_io gblite_graphblas gblite_semiring)
if(gblite_with_dist)
  list(APPEND pc_libraries gblite_dist)
endif()
foreach(library ${pc_libraries})
  configure_file(cmake/${library}.pc.in ${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# CMake writes to the list of what was installed, which an installation by root has made root's own:
# replaced by a new file, it does not keep the owner of the folder from installing elsewhere.
if(PROJECT_IS_TOP_LEVEL)
  install(CODE "file(REMOVE \"${PROJECT_BINARY_DIR}/install_manifest.txt\")")
endif()
