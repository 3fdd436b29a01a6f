# SPDX-License-Identifier: Apache-2.0
#
# What uses the libraries: the program gblite, the examples, the programs of bench/.

if(GBLITE_CLI)
  file(GLOB cli_sources CONFIGURE_DEPENDS cli/*.c)
  find_package(PNG REQUIRED)
  add_executable(gblite_cli ${cli_sources})
  set_target_properties(gblite_cli PROPERTIES OUTPUT_NAME gblite)
  target_link_libraries(gblite_cli PRIVATE gblite_io PNG::PNG PkgConfig::CJSON m)
  # Binsparse files.
  if(NOT GBLITE_HDF5 STREQUAL "OFF")
    pkg_check_modules(HDF5 IMPORTED_TARGET hdf5)
    if(HDF5_FOUND)
      file(GLOB binsparse_sources CONFIGURE_DEPENDS cli/binsparse/*.c)
      target_sources(gblite_cli PRIVATE ${binsparse_sources})
      target_include_directories(gblite_cli PRIVATE cli)
      target_compile_definitions(gblite_cli PRIVATE GBLITE_HDF5)
      target_link_libraries(gblite_cli PRIVATE PkgConfig::HDF5)
    elseif(GBLITE_HDF5 STREQUAL "ON")
      message(FATAL_ERROR "GBLITE_HDF5 is ON, but HDF5 was not found (Debian: libhdf5-dev)")
    endif()
  endif()
  # Man page and completions, of what the program says its options are; so it must run here.
  if(NOT CMAKE_CROSSCOMPILING)
    set(cli_pages gblite.1 gblite.bash _gblite)
    list(TRANSFORM cli_pages PREPEND ${PROJECT_BINARY_DIR}/cli/)
    file(GLOB page_scripts CONFIGURE_DEPENDS cli/page*)
    add_custom_command(OUTPUT ${cli_pages}
      COMMAND sh ${PROJECT_SOURCE_DIR}/cli/pages.sh $<TARGET_FILE:gblite_cli>
        ${PROJECT_BINARY_DIR}/cli
      DEPENDS gblite_cli ${page_scripts} VERBATIM)
    add_custom_target(gblite_cli_pages ALL DEPENDS ${cli_pages})
  endif()
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
  # What programs share is compiled once for all of them.
  set(bench ${PROJECT_SOURCE_DIR}/bench)
  list(TRANSFORM BENCH_HARNESS PREPEND bench/harness/ OUTPUT_VARIABLE harness)
  add_library(bench_harness OBJECT ${harness})
  add_library(bench_peers OBJECT bench/peers/input.c bench/peers/lower.c bench/peers/suitesparse.c)
  target_include_directories(bench_harness PUBLIC ${bench} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(bench_harness PUBLIC BENCH_FOLDER="${bench}")
  target_link_libraries(bench_harness PUBLIC PkgConfig::CJSON m)
  target_include_directories(bench_peers PRIVATE ${bench} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(bench_peers PRIVATE suitesparse PkgConfig::CJSON)
  # gb_bench(name libraries...): bench/name/*.c
  function(gb_bench name)
    file(GLOB sources CONFIGURE_DEPENDS bench/${name}/*.c)
    add_executable(${name} ${sources})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    target_link_libraries(${name} PRIVATE bench_harness ${ARGN})
  endfunction()
  # gb_bench_peer(name): SuiteSparse takes part
  function(gb_bench_peer name)
    gb_bench(${name} bench_peers gblite_io suitesparse)
  endfunction()

  gb_bench(chain gblite_io)
  find_package(OpenMP COMPONENTS C)
  if(OpenMP_C_FOUND) # the algorithms by hand
    gb_bench(graphs gblite_io)
    target_link_libraries(graphs PRIVATE OpenMP::OpenMP_C)
  endif()
  gb_bench(mcl gblite_io)
  add_dependencies(mcl gblite_cli)
  gb_bench_peer(spamm)
  target_link_libraries(spamm PRIVATE ${CMAKE_DL_LIBS})
  gb_bench_peer(compare)
  gb_bench_peer(hyper)
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
  set(counted vector/mxm_vector vector/vectorwork vector/vectorblock vector/vectorrow
    vector/vectoresc vector/vectormask rowwise/shortkeys simd/network)
  list(TRANSFORM counted REPLACE "(.+)" "src/cpu/\\1.c")
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
