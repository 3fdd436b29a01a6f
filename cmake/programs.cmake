# SPDX-License-Identifier: Apache-2.0
#
# What uses the libraries: the program gblite, the examples, the programs of bench/.

if(GBLITE_CLI)
  file(GLOB cli_sources CONFIGURE_DEPENDS cli/*.c)
  # Files of other programs, compressed where there are libraries for it; gblite-dist reads them too.
  file(GLOB format_sources CONFIGURE_DEPENDS cli/formats/*.c)
  add_library(cli_formats OBJECT ${format_sources})
  target_include_directories(cli_formats PUBLIC cli)
  target_link_libraries(cli_formats PUBLIC gblite_io ZLIB::ZLIB)
  pkg_check_modules(ZSTD IMPORTED_TARGET libzstd)
  if(ZSTD_FOUND)
    target_compile_definitions(cli_formats PRIVATE GBLITE_ZSTD)
    target_link_libraries(cli_formats PUBLIC PkgConfig::ZSTD)
  endif()
  find_package(BZip2)
  if(BZIP2_FOUND)
    target_compile_definitions(cli_formats PRIVATE GBLITE_BZIP2)
    target_link_libraries(cli_formats PUBLIC BZip2::BZip2)
  endif()
  find_package(PNG REQUIRED)
  add_executable(gblite_cli ${cli_sources})
  set_target_properties(gblite_cli PROPERTIES OUTPUT_NAME gblite)
  target_link_libraries(gblite_cli PRIVATE cli_formats gblite_io PNG::PNG PkgConfig::CJSON m)
  # The program mcl: cli/mcl_program.c.
  add_custom_command(TARGET gblite_cli POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E create_symlink gblite gblite-mcl
    WORKING_DIRECTORY $<TARGET_FILE_DIR:gblite_cli> VERBATIM)
  # Binsparse files: a module that the program loads from where libgblite.so is.
  if(NOT GBLITE_HDF5 STREQUAL "OFF")
    pkg_check_modules(HDF5 IMPORTED_TARGET hdf5)
    if(HDF5_FOUND)
      file(GLOB binsparse_sources CONFIGURE_DEPENDS cli/binsparse/*.c)
      add_library(gblite_binsparse MODULE ${binsparse_sources})
      target_include_directories(gblite_binsparse PRIVATE cli)
      target_link_libraries(gblite_binsparse PRIVATE gblite_io PkgConfig::HDF5 PkgConfig::CJSON)
      target_compile_definitions(gblite_cli PRIVATE GBLITE_HDF5)
      target_link_libraries(gblite_cli PRIVATE ${CMAKE_DL_LIBS})
      add_dependencies(gblite_cli gblite_binsparse)
    elseif(GBLITE_HDF5 STREQUAL "ON")
      message(FATAL_ERROR "GBLITE_HDF5 is ON, but HDF5 was not found (Debian: libhdf5-dev)")
    endif()
  endif()
  # Man page and completions, of what the program says its options are; so it must run here.
  if(NOT CMAKE_CROSSCOMPILING)
    set(cli_pages gblite.1 gblite-mcl.1 gblite.bash _gblite)
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
    if(name MATCHES "^(reliable_paths|semirings)$")
      target_link_libraries(example_${name} PRIVATE semiring)
      target_compile_options(example_${name} PRIVATE -Wno-psabi)
    endif()
  endforeach()
endif()

# What all programs of bench/ share; bench/gpu too.
set(BENCH_HARNESS timing.c program.c options.c values.c counted.c rows.c)

if(GBLITE_BENCH)
  if(NOT TARGET suitesparse)
    message(FATAL_ERROR "The programs of bench/ need SuiteSparse:GraphBLAS (Debian: libgraphblas-dev); "
      "install it or configure with -DGBLITE_BENCH=OFF")
  endif()
  # What programs share is compiled once for all of them.
  set(bench ${PROJECT_SOURCE_DIR}/bench)
  list(TRANSFORM BENCH_HARNESS PREPEND bench/harness/ OUTPUT_VARIABLE harness)
  add_library(bench_harness OBJECT ${harness})
  target_include_directories(bench_harness PUBLIC ${bench} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(bench_harness PUBLIC BENCH_FOLDER="${bench}")
  target_link_libraries(bench_harness PUBLIC PkgConfig::CJSON ${CMAKE_DL_LIBS} m)
  # gb_bench(name sources libraries...)
  function(gb_bench name pattern)
    file(GLOB sources CONFIGURE_DEPENDS ${pattern})
    add_executable(${name} ${sources})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    target_link_libraries(${name} PRIVATE bench_harness gblite_io ${ARGN})
  endfunction()

  # Rows that both libraries do are written once and compiled with the header of each.
  file(GLOB both CONFIGURE_DEPENDS bench/jobs/both/*.c)
  add_library(bench_gblite_side OBJECT ${both})
  target_compile_definitions(bench_gblite_side PRIVATE BOTH_GBLITE)
  target_link_libraries(bench_gblite_side PRIVATE graphblas)
  add_library(bench_suitesparse_side OBJECT ${both})
  target_link_libraries(bench_suitesparse_side PRIVATE suitesparse)
  foreach(side gblite suitesparse)
    target_include_directories(bench_${side}_side PRIVATE ${bench} ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(bench_${side}_side PRIVATE PkgConfig::CJSON)
  endforeach()

  gb_bench(bench bench/jobs/*.c bench_gblite_side bench_suitesparse_side suitesparse)
  gblite_add_semiring(bench bench/jobs/semiring_kernels.c)
  target_sources(bench PRIVATE bench/peers/input.c bench/peers/suitesparse.c)
  find_package(OpenMP COMPONENTS C)
  if(OpenMP_C_FOUND) # the algorithms by hand
    gb_bench(graphs bench/graphs/*.c OpenMP::OpenMP_C)
  endif()
  # How work is divided among threads: measured, and by a team that one thread plays, which stands
  # in the place of core/parallel.c.
  foreach(name scaling scaling_model)
    add_executable(${name} bench/scaling/main.c)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    target_link_libraries(${name} PRIVATE bench_harness gblite_io_static)
  endforeach()
  target_sources(scaling_model PRIVATE bench/scaling/team_inside.c)
  target_include_directories(scaling_model PRIVATE src)
  target_compile_definitions(scaling_model PRIVATE SCALING_MODEL)
  add_executable(taken bench/mcl/taken.c bench/harness/timing.c) # of bench/mcl/race.py
  target_include_directories(taken PRIVATE ${bench})
  target_link_libraries(taken PRIVATE m)
  set_target_properties(taken PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  add_dependencies(taken gblite_cli)
endif()
