# SPDX-License-Identifier: Apache-2.0
#
# What uses the libraries: the program gblite, the examples, bench/compare, bench/rowwise.

if(GBLITE_CLI)
  file(GLOB cli_sources CONFIGURE_DEPENDS cli/*.c)
  find_package(PNG REQUIRED)
  add_executable(gblite_cli ${cli_sources})
  set_target_properties(gblite_cli PROPERTIES OUTPUT_NAME gblite)
  target_link_libraries(gblite_cli PRIVATE gblite_io PNG::PNG PkgConfig::CJSON m)
endif()

if(GBLITE_EXAMPLES)
  file(GLOB example_sources CONFIGURE_DEPENDS examples/*.c)
  foreach(source ${example_sources})
    cmake_path(GET source STEM name)
    add_executable(example_${name} ${source})
    set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name}
      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    target_link_libraries(example_${name} PRIVATE gblite_io m)
  endforeach()
endif()

if(GBLITE_BENCH)
  if(NOT TARGET suitesparse)
    message(FATAL_ERROR "bench/compare needs SuiteSparse:GraphBLAS (Debian: libgraphblas-dev); "
      "install it or configure with -DGBLITE_BENCH=OFF")
  endif()
  file(GLOB compare_sources CONFIGURE_DEPENDS bench/compare*.c)
  add_executable(compare ${compare_sources} bench/bench.c bench/values.c)
  set_target_properties(compare PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  target_compile_definitions(compare PRIVATE
    BENCH_SUITE_FILE="${PROJECT_SOURCE_DIR}/bench/suite.txt")
  target_link_libraries(compare PRIVATE gblite_io suitesparse PkgConfig::CJSON m)

  # One file of it asks the planner's modules, hence src/ and the static libraries.
  file(GLOB rowwise_sources CONFIGURE_DEPENDS bench/rowwise*.c)
  add_executable(rowwise ${rowwise_sources} bench/bench.c bench/values.c)
  set_target_properties(rowwise PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  set_source_files_properties(bench/rowwise_inside.c PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(rowwise PRIVATE
    ROWWISE_SUITE_FILE="${PROJECT_SOURCE_DIR}/bench/rowwise_suite.txt")
  target_link_libraries(rowwise PRIVATE gblite_io_static PkgConfig::CJSON m)
endif()
