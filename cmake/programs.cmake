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

# What all programs of bench/ share; bench/gpu too.
set(BENCH_HARNESS timing.c program.c options.c values.c counted.c)

if(GBLITE_BENCH)
  if(NOT TARGET suitesparse)
    message(FATAL_ERROR "The programs of bench/ need SuiteSparse:GraphBLAS (Debian: libgraphblas-dev); "
      "install it or configure with -DGBLITE_BENCH=OFF")
  endif()
  # gb_bench(name libraries...): bench/name/*.c and what all programs share
  set(bench ${PROJECT_SOURCE_DIR}/bench)
  function(gb_bench name)
    file(GLOB sources CONFIGURE_DEPENDS bench/${name}/*.c)
    list(TRANSFORM BENCH_HARNESS PREPEND bench/harness/ OUTPUT_VARIABLE harness)
    add_executable(${name} ${sources} ${harness})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    target_include_directories(${name} PRIVATE ${bench})
    target_compile_definitions(${name} PRIVATE BENCH_FOLDER="${bench}")
    target_link_libraries(${name} PRIVATE ${ARGN} PkgConfig::CJSON m)
  endfunction()
  # gb_bench_peer(name): SuiteSparse takes part
  function(gb_bench_peer name)
    gb_bench(${name} gblite_io suitesparse)
    target_sources(${name} PRIVATE bench/peers/input.c bench/peers/lower.c
      bench/peers/suitesparse.c)
  endfunction()

  gb_bench(chain gblite_io)
  find_package(OpenMP COMPONENTS C)
  if(OpenMP_C_FOUND) # the algorithms by hand
    gb_bench(graphs gblite_io)
    target_link_libraries(graphs PRIVATE OpenMP::OpenMP_C)
  endif()
  gb_bench(mcl gblite_io)
  add_dependencies(mcl gblite_cli)
  gb_bench_peer(compare)
  gb_bench_peer(lists)
  gb_bench_peer(overhead)
  foreach(name tiled outer)
    gb_bench_peer(${name})
    target_sources(${name} PRIVATE bench/harness/parts.c bench/harness/product.c
      bench/peers/race.c)
  endforeach()
  foreach(name run spmm)
    gb_bench_peer(${name})
    target_sources(${name} PRIVATE bench/peers/mkl.c)
    target_link_libraries(${name} PRIVATE ${CMAKE_DL_LIBS})
  endforeach()

  # Kernels that count what they do (bench/vector/counter.h), for plain vectors; one file of the
  # program calls them, hence src/ and the static libraries.
  set(counted mxm_vector vectorwork vectorblock vectorrow vectoresc shortkeys network)
  list(TRANSFORM counted REPLACE "(.+)" "src/cpu/isa/\\1.c")
  add_library(vector_counted OBJECT ${counted})
  target_include_directories(vector_counted PRIVATE ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/src ${bench})
  target_compile_definitions(vector_counted PRIVATE GB_ISA=counted GB_VEC_PLAIN=1)
  target_compile_options(vector_counted PRIVATE -include vector/counter.h -Wno-psabi)
  gb_bench(vector gblite_io_static suitesparse $<TARGET_OBJECTS:vector_counted>)
  target_sources(vector PRIVATE bench/harness/parts.c bench/peers/input.c bench/peers/lower.c
    bench/peers/suitesparse.c)
  set_source_files_properties(bench/vector/counts_inside.c PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)

  # One file of it asks the planner's modules, hence src/ and the static libraries.
  gb_bench(rowwise gblite_io_static)
  set_source_files_properties(bench/rowwise/estimates_inside.c PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
endif()
