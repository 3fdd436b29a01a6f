# SPDX-License-Identifier: Apache-2.0
#
# gblite_dist, matrices over the processes of an MPI program, and its program gblite-dist: where MPI
# and CombBLAS are. Sets gblite_with_dist. Nothing of the other libraries knows of it.
set(gblite_with_dist OFF)
if(GBLITE_DIST STREQUAL "OFF" OR CMAKE_CROSSCOMPILING OR
    (GBLITE_DIST STREQUAL "AUTO" AND (NOT PROJECT_IS_TOP_LEVEL OR GBLITE_SANITIZE
      OR GBLITE_COVERAGE OR GBLITE_FUZZ OR GBLITE_TINY)))
  message(STATUS "Many processes: off")
  return()
endif()
if(CMAKE_CXX_COMPILER)
  find_package(MPI QUIET COMPONENTS C CXX)
  find_path(COMBBLAS_INCLUDE CombBLAS/CombBLAS.h)
  find_library(COMBBLAS_LIBRARY CombBLAS)
  find_library(COMBBLAS_USORT Usortlib)
  find_library(COMBBLAS_GRAPHGEN GraphGenlib)
endif()
if(NOT MPI_C_FOUND OR NOT MPI_CXX_FOUND OR NOT COMBBLAS_INCLUDE OR NOT COMBBLAS_LIBRARY
    OR NOT COMBBLAS_USORT OR NOT COMBBLAS_GRAPHGEN)
  if(GBLITE_DIST STREQUAL "ON")
    message(FATAL_ERROR "GBLITE_DIST is ON, but MPI or CombBLAS was not found (Debian: "
      "scripts/setup.sh dist)")
  endif()
  message(STATUS "Many processes: no MPI or no CombBLAS here")
  return()
endif()
set(gblite_with_dist ON)
message(STATUS "Many processes: MPI ${MPI_C_VERSION} and CombBLAS")

file(GLOB dist_sources CONFIGURE_DEPENDS dist/*.c)
add_library(gblite_dist SHARED ${dist_sources} dist/combblas.cpp)
add_library(gblite::gblite_dist ALIAS gblite_dist)
# CombBLAS wants C++14; its headers, a folder of the system's, warn.
set_target_properties(gblite_dist PROPERTIES CXX_STANDARD 14 LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/gblite.map)
target_include_directories(gblite_dist PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/dist/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(gblite_dist SYSTEM PRIVATE ${COMBBLAS_INCLUDE})
target_link_options(gblite_dist PRIVATE
  "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/gblite.map" LINKER:-z,defs)
target_link_libraries(gblite_dist PUBLIC gblite_io MPI::MPI_C
  PRIVATE MPI::MPI_CXX ${COMBBLAS_LIBRARY} ${COMBBLAS_USORT} ${COMBBLAS_GRAPHGEN} m)

# The program, with options, reports and progress of the program gblite.
if(GBLITE_CLI)
  file(GLOB dist_cli_sources CONFIGURE_DEPENDS dist/cli/*.c)
  set(shared_cli clock content files graph huge markov mcl_matrix names options output progress reading report table tuples)
  list(TRANSFORM shared_cli REPLACE "(.+)" "cli/\\1.c")
  add_executable(gblite_dist_cli ${dist_cli_sources} ${shared_cli})
  set_target_properties(gblite_dist_cli PROPERTIES OUTPUT_NAME gblite-dist)
  target_include_directories(gblite_dist_cli PRIVATE cli)
  target_link_libraries(gblite_dist_cli PRIVATE cli_formats gblite_dist PkgConfig::CJSON m)
  set(dist_pages gblite-dist.1 gblite-dist.bash _gblite-dist)
  list(TRANSFORM dist_pages PREPEND ${PROJECT_BINARY_DIR}/cli/)
  add_custom_command(OUTPUT ${dist_pages}
    COMMAND sh ${PROJECT_SOURCE_DIR}/cli/pages.sh $<TARGET_FILE:gblite_dist_cli>
      ${PROJECT_BINARY_DIR}/cli
    DEPENDS gblite_dist_cli ${page_scripts} VERBATIM)
  add_custom_target(gblite_dist_pages ALL DEPENDS ${dist_pages})
endif()

if(GBLITE_BENCH)
  add_executable(bench_dist bench/dist/main.c bench/harness/timing.c)
  target_include_directories(bench_dist PRIVATE ${PROJECT_SOURCE_DIR}/bench)
  set_target_properties(bench_dist PROPERTIES OUTPUT_NAME dist
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  target_link_libraries(bench_dist PRIVATE gblite_dist m)
endif()

if(NOT GBLITE_TESTS)
  return()
endif()
# Each on 1, 4 and 9 processes; in one build, since what they test is what is shipped.
file(GLOB dist_test_sources CONFIGURE_DEPENDS dist/test/*.c)
add_executable(test_dist ${dist_test_sources})
set_target_properties(test_dist PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
target_compile_options(test_dist PRIVATE -O0)
target_link_libraries(test_dist PRIVATE gblite_dist m)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  return()
endif()
if(GBLITE_BENCH)
  add_test(NAME dist_bench COMMAND bash ${PROJECT_SOURCE_DIR}/dist/test/run.sh
    ${MPIEXEC_EXECUTABLE} 4 $<TARGET_FILE:bench_dist> --repeats 1 rmat:8:6)
endif()
set(dist_runner bash ${PROJECT_SOURCE_DIR}/dist/test/run.sh ${MPIEXEC_EXECUTABLE})
foreach(processes 1 4 9)
  add_test(NAME dist_${processes} COMMAND ${dist_runner} ${processes} $<TARGET_FILE:test_dist>)
endforeach()
if(GBLITE_CLI)
  add_test(NAME dist_programs COMMAND bash ${PROJECT_SOURCE_DIR}/dist/test/programs.sh
    ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:gblite_dist_cli> $<TARGET_FILE:gblite_cli>)
endif()
add_test(NAME dist_ends
  COMMAND bash ${PROJECT_SOURCE_DIR}/dist/test/ends.sh ${MPIEXEC_EXECUTABLE} $<TARGET_FILE:test_dist>)
