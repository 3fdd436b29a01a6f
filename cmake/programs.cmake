# SPDX-License-Identifier: Apache-2.0
#
# What uses the libraries: the program gblite, the examples, the programs of bench/.

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
    message(FATAL_ERROR "The programs of bench/ need SuiteSparse:GraphBLAS (Debian: libgraphblas-dev); "
      "install it or configure with -DGBLITE_BENCH=OFF")
  endif()
  # gb_bench(name libraries...): bench/name*.c and what the programs share
  function(gb_bench name)
    file(GLOB sources CONFIGURE_DEPENDS bench/${name}*.c)
    add_executable(${name} ${sources} bench/bench.c bench/program.c bench/options.c
      bench/values.c bench/counted.c)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    target_link_libraries(${name} PRIVATE ${ARGN} PkgConfig::CJSON m)
  endfunction()

  gb_bench(compare gblite_io suitesparse)
  target_compile_definitions(compare PRIVATE
    BENCH_SUITE_FILE="${PROJECT_SOURCE_DIR}/bench/suite.txt")

  # One file of it asks the planner's modules, hence src/ and the static libraries.
  gb_bench(rowwise gblite_io_static)
  set_source_files_properties(bench/rowwise_inside.c PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(rowwise PRIVATE
    ROWWISE_SUITE_FILE="${PROJECT_SOURCE_DIR}/bench/rowwise_suite.txt")

  # Inputs for both sides and products by SuiteSparse are those of compare.
  foreach(name tiled outer)
    gb_bench(${name} gblite_io suitesparse)
    target_sources(${name} PRIVATE bench/parts.c bench/product.c bench/compare_data.c
      bench/compare_product.c)
  endforeach()
  target_sources(tiled PRIVATE bench/compare_lower.c)
  target_compile_definitions(tiled PRIVATE
    TILED_SUITE_FILE="${PROJECT_SOURCE_DIR}/bench/tiled_suite.txt")
  target_compile_definitions(outer PRIVATE
    OUTER_SUITE_FILE="${PROJECT_SOURCE_DIR}/bench/outer_suite.txt")

  gb_bench(run gblite_io suitesparse ${CMAKE_DL_LIBS})
  target_sources(run PRIVATE bench/compare_data.c bench/compare_lower.c bench/compare_product.c)
  target_compile_definitions(run PRIVATE
    BENCH_SUITE_FILE="${PROJECT_SOURCE_DIR}/bench/suite.txt"
    RUN_TINY_FILE="${PROJECT_SOURCE_DIR}/bench/run_tiny.txt"
    RUN_RESULTS_DIR="${PROJECT_SOURCE_DIR}/bench/results"
    RUN_PEERS_DIR="${PROJECT_SOURCE_DIR}/build-peers")

  gb_bench(chain gblite_io)
  target_compile_definitions(chain PRIVATE
    CHAIN_SUITE_FILE="${PROJECT_SOURCE_DIR}/bench/chain_suite.txt")

  gb_bench(overhead gblite_io suitesparse)
  target_sources(overhead PRIVATE bench/compare_data.c)
endif()
