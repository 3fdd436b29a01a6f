# SPDX-License-Identifier: Apache-2.0
#
# The tests, found by their names:
#   test/*/test_*.c  Criterion programs; those of kernels (kernel_tests below) run once per instruction
#                    set of this processor. They link gblite_for_tests, which has all symbols of the
#                    libraries, so that a test of one module may include its internal header
#   test/cpu/simd_set.c  vector operations of each set but the portable one: test_simd_NAME
#   test/mxm/compiled_*.c  kernels that a user compiles, for each set: test_compiled_semiring_NAME and
#                    test_compiled_operations_NAME
#   test/runner/     in the place of Criterion, on a GPU's machine, in an emulator, sanitized and tiny
#   test/threads/plain_*.c  programs without Criterion, for ThreadSanitizer
#   test/cli/test_*.sh, test/sources/test_*.sh  called with the program gblite and the folder of test data
#   test/layers/     breaks each rule of scripts/check_layers.sh
#   test/toy/        a method for test_toy_method alone, one more row of the table of methods
#   test/test_cpp.cpp, test/install/   users of the headers and of an installed library
#   test/graphblas/  users of GraphBLAS.h: beside another library, and what it declares
#                    (test_graphblas_names.sh)
#   test/cuda/test_*.c  the GPU's kernels on the CPU, see cmake/cuda_on_cpu.cmake
#   test/cuda_library/  libraries that are wrong in the place of libgblite_cuda.so
#   the jobs of bench/bench on tiny suites, what `bench run` writes (test/bench/bench_run.sh), results made
#   into pages (test/bench/bench_page.sh); bench/graphs, mcl and scaling; wrong command lines of all of them
#   (test/bench/bench_usage.sh)
#   scripts/check_docs.py  links and pictures of the pages, and their C
#   test/pages/type_pages.py  types every command of the pages against an installed library
#   test/sources/library_size.sh  the shared library of a Release build, stripped, stays below 6 MB
#   test/fuzz/fuzz_*.c  libFuzzer programs, with GBLITE_FUZZ; without, replay.c feeds them test/files, also changed
# Labels: `slow`, what takes more than test_slow seconds; `other_isa`, kernels of a set that is not
# the best one here; `full`, those of them that need not run in sanitized and tiny builds; `sources`,
# what looks at sources, headers and pages, and finds the same in every build.
# scripts/test.sh says which runs leave out what. Long tests start first (test_seconds).
find_package(PkgConfig REQUIRED)
# Criterion starts a program for each test: emulators cannot, sanitizers take 0.1 s to start, and
# tiny tests less than starting.
if(CMAKE_CROSSCOMPILING OR GBLITE_SANITIZE OR GBLITE_TINY)
  add_library(test_runner STATIC test/runner/runner.c)
  target_include_directories(test_runner PUBLIC test/runner)
  add_library(PkgConfig::CRITERION ALIAS test_runner)
  set(CRITERION_FOUND ON)
else()
  pkg_check_modules(CRITERION IMPORTED_TARGET criterion)
endif()

set(test_data ${PROJECT_SOURCE_DIR}/test/data)
set(test_timeout 300)
set(kernel_tests bitwise columns dot estimate groups oracle outer panel random reduce rowwise select spamm
  spmm suitesparse tiled tiled_inside vector)
list(JOIN kernel_tests "|" kernel_tests)
set(kernel_tests "^test_(mxm_(${kernel_tests})|mxv_(order|tiles)|heavy_rows|triangle_sum|tiles.*|isa.*)$")
set(every_build_tests "^test_(mxm_oracle|mxm_bitwise|isa.*|tiles)$") # with every set of every build
set(source_tests "^(layers|docs_links|docs_site|test_(api_page|cli_pages|graphblas_names|header_errors))$")
# Seconds on two processors, of those that take long.
set(test_slow 4)
set(test_seconds test_cuda_rows=10 test_cuda_mxm=8 bench_page=12
  test_cli=16 test_cli_graphs=6 test_mxm_memory=16 test_mxm_oracle=14 test_mxv_tiles=12
  test_mxm_tiled_inside=12 test_mxm_sizes=10 test_mxm_outer=10 test_mxm_chain=9 test_build=9
  test_pool=9 test_mxm_columns=4 test_mxm_dot=4 test_mxm_suitesparse=7 test_mxm_spmm=4
  test_mxv_order=4 test_mxm_overflow=7 test_io_limits=7 test_cuda_device=6 test_ewise=6 test_dense=5 test_mxv=6
  test_cuda_slices=5 test_cuda_tiled=6 test_cuda_outer=4 test_brutal=6 test_mxm_cost=4 test_mxm_tiled=6 test_mxm_choice=5 test_mxm_estimate=4
  test_mxm_reduce=4 test_cuda_loaded=5 test_cuda_left=5 test_mxm_rowwise=5 test_mxm_random=5 test_mxm_spamm_calls=5
  test_cuda_ladder=5 test_cuda_filter=4 test_cuda_frames=4 test_mxm_bitwise=5 test_pending=5 test_machine=5 bench_usage=5 install_cmake=5
  docs_site=4 docs_pages=90 docs_typed=140 install_pkgconfig=5 test_cuda_standin=5)

# A fast linker, where there is one: 0.05 s a program instead of 0.2, some 500 times in
# scripts/test.sh. What is shipped is linked by the usual one.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=gold)
check_c_source_compiles("int main(void) { return 0; }" GBLITE_TESTS_BY_GOLD)
unset(CMAKE_REQUIRED_LINK_OPTIONS)

function(gb_test_program name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test)
  target_compile_definitions(${name} PRIVATE GBL_TEST_DATA="${test_data}")
  target_link_options(${name} PRIVATE LINKER:--as-needed
    $<$<BOOL:${GBLITE_TESTS_BY_GOLD}>:-fuse-ld=gold>)
  target_link_libraries(${name} PRIVATE Threads::Threads m)
endfunction()

add_custom_target(plain_tests)
file(GLOB plain_sources CONFIGURE_DEPENDS test/threads/plain_*.c)
if(GBLITE_SANITIZE MATCHES "address") # its allocator's locks do not survive a fork: a child hangs in it
  list(FILTER plain_sources EXCLUDE REGEX "plain_forked")
endif()
foreach(source ${plain_sources})
  cmake_path(GET source STEM name)
  gb_test_program(${name} ${source})
  target_link_libraries(${name} PRIVATE gblite_io)
  add_dependencies(plain_tests ${name})
  add_test(NAME ${name} COMMAND ${name})
endforeach()

# In the place of libgblite_cuda.so, each but `right` wrong in one way.
set(planted_right PLANTED_EXTRA=0)
set(planted_other_version PLANTED_VERSION="99.0.0")
set(planted_other_layout PLANTED_EXTRA=8)
set(planted_stranger PLANTED_NAME=somebody_else)
set(library_folder ${PROJECT_BINARY_DIR}/test/cuda_library)
add_custom_target(planted_libraries ALL)
foreach(name right other_version other_layout stranger)
  add_library(planted_${name} MODULE test/cuda_library/planted.c)
  set_target_properties(planted_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${library_folder})
  target_include_directories(planted_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(planted_${name} PRIVATE ${planted_${name}})
  add_dependencies(planted_libraries planted_${name})
endforeach()

# The large cross products run once in full, with the best set of kernels; sanitized and tiny builds,
# and tests of the other sets and of the GPU's kernels on the CPU, run samples of them
# (test/support/checks.c).
set(test_sample ${GBLITE_TEST_SAMPLE})
set(small_sample ${GBLITE_TEST_SAMPLE})
if(NOT test_sample)
  set(test_sample 1)
  set(small_sample 3)
  if(GBLITE_SANITIZE OR GBLITE_TINY)
    set(test_sample 13)
    set(small_sample 13)
  endif()
endif()

if(CRITERION_FOUND)
  # Linking a shared library to eighty programs takes a tenth of linking the static ones.
  add_library(gblite_for_tests SHARED $<TARGET_OBJECTS:gblite_objects>
    $<TARGET_OBJECTS:loader_objects> $<TARGET_OBJECTS:gblite_io_objects> ${kernel_files}
    test/matrix/check.c)
  # Not beside libgblite_cuda.so, which would be found there: tests name the one that they want.
  set_target_properties(gblite_for_tests PROPERTIES LINKER_LANGUAGE C
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
  target_include_directories(gblite_for_tests PUBLIC ${PROJECT_SOURCE_DIR}/include
    PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/test)
  target_link_libraries(gblite_for_tests PRIVATE ZLIB::ZLIB ${base_libraries})

  file(GLOB support_sources CONFIGURE_DEPENDS test/support/*.c)
  file(GLOB test_sources CONFIGURE_DEPENDS test/*/test_*.c)
  list(FILTER test_sources EXCLUDE REGEX "/test/cuda/")
  if(NOT TARGET suitesparse)
    list(FILTER test_sources EXCLUDE REGEX "suitesparse")
  endif()
  if(GBLITE_SANITIZE OR GBLITE_TINY) # whose memory and limits are others
    list(FILTER test_sources EXCLUDE REGEX "memory_promise")
  endif()
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(FILTER test_sources EXCLUDE REGEX "_avx[0-9]+")
  endif()
  add_library(test_support INTERFACE)
  if(support_sources)
    add_library(test_support_objects OBJECT ${support_sources})
    target_include_directories(test_support_objects PRIVATE ${PROJECT_SOURCE_DIR}/include
      ${PROJECT_SOURCE_DIR}/test)
    target_link_libraries(test_support_objects PRIVATE PkgConfig::CRITERION)
    # The oracle takes most of the time of most tests, and is not what sanitizers are to look at.
    target_compile_options(test_support_objects PRIVATE -O2)
    if(GBLITE_SANITIZE)
      target_compile_options(test_support_objects PRIVATE -fno-sanitize=all)
    endif()
    target_link_libraries(test_support INTERFACE test_support_objects
      $<TARGET_OBJECTS:test_support_objects>)
    if(TARGET suitesparse)
      target_link_libraries(test_support_objects PRIVATE suitesparse)
    endif()
  endif()
  # Their vectors, wider than registers, stay within a file.
  set_source_files_properties(test/cpu/test_simd.c test/cpu/test_simd_plain.c
    test/cpu/test_veclayer.c PROPERTIES COMPILE_OPTIONS -Wno-psabi)
  foreach(source ${test_sources})
    cmake_path(GET source STEM name)
    gb_test_program(${name} ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    # What computes is in the libraries and in test/support; compiling a test takes longer than it.
    # A test's own arrays are watched, but its arithmetic only where it is that of a kernel.
    target_compile_options(${name} PRIVATE -O0)
    if(GBLITE_SANITIZE AND NOT name MATCHES "^test_simd")
      target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
    endif()
    set(tested gblite_for_tests)
    if(name STREQUAL "test_toy_method")
      set(tested gblite_io_static)
    endif()
    target_link_libraries(${name} PRIVATE test_support ${tested} ZLIB::ZLIB
      PkgConfig::CRITERION)
    if(TARGET suitesparse)
      target_link_libraries(${name} PRIVATE suitesparse)
    endif()
    if(name STREQUAL "test_explain")
      target_link_libraries(${name} PRIVATE PkgConfig::CJSON)
    endif()
    if(name MATCHES "${kernel_tests}")
      foreach(isa ${testable_sets})
        add_test(NAME ${name}.${isa} COMMAND ${name})
        set_tests_properties(${name}.${isa} PROPERTIES ENVIRONMENT GBLITE_ISA=${isa})
        if(NOT isa STREQUAL best_testable_set)
          set_property(TEST ${name}.${isa} APPEND PROPERTY LABELS other_isa)
          if(NOT name MATCHES "${every_build_tests}")
            set_property(TEST ${name}.${isa} APPEND PROPERTY LABELS full)
          endif()
        endif()
      endforeach()
    else()
      add_test(NAME ${name} COMMAND ${name})
    endif()
  endforeach()
  # Vector operations of the other sets; those of the portable kernels are test_simd.c.
  foreach(isa ${testable_sets})
    if(NOT isa STREQUAL "portable")
      gb_test_program(test_simd_${isa} test/cpu/simd_set.c)
      target_include_directories(test_simd_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/src)
      target_compile_options(test_simd_${isa} PRIVATE ${${isa}_flags} -O1 -Wno-psabi)
      target_link_libraries(test_simd_${isa} PRIVATE test_support gblite_for_tests
        PkgConfig::CRITERION)
      if(TARGET suitesparse)
        target_link_libraries(test_simd_${isa} PRIVATE suitesparse)
      endif()
      add_test(NAME test_simd_${isa} COMMAND test_simd_${isa})
    endif()
  endforeach()
  # A user's kernels for each set. Of intrinsics of AVX-512 g++ 12 thinks that they read garbage.
  set_source_files_properties(test/mxm/compiled_kernels.cpp PROPERTIES
    COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
  foreach(isa ${testable_sets})
    foreach(name compiled_semiring compiled_operations)
      set(program test_${name}_${isa})
      gb_test_program(${program} test/mxm/${name}.c)
      target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/src)
      target_compile_options(${program} PRIVATE ${${isa}_flags} -O1 -Wno-psabi)
      target_link_libraries(${program} PRIVATE test_support gblite_for_tests PkgConfig::CRITERION)
      if(CMAKE_CXX_COMPILER)
        target_sources(${program} PRIVATE test/mxm/compiled_kernels.cpp)
        set_target_properties(${program} PROPERTIES CXX_STANDARD 17)
        target_compile_definitions(${program} PRIVATE TEST_CPP_KERNELS=1)
      endif()
      add_test(NAME ${program} COMMAND ${program})
    endforeach()
  endforeach()
  # Its table of methods comes before the library's, which then stays in the archive.
  target_sources(test_toy_method PRIVATE test/toy/toy_method.c src/mxm/methods/methods.c)
  target_compile_options(test_toy_method PRIVATE "-DGB_MORE_METHODS(METHOD)=METHOD(toy)")
  target_compile_definitions(test_device_library PRIVATE TEST_LIBRARIES="${library_folder}")
  add_dependencies(test_device_library planted_libraries)
else()
  message(WARNING "Criterion is missing (Debian: libcriterion-dev): test_*.c are not built")
endif()

include(cmake/cuda_on_cpu.cmake)

if(GBLITE_CLI)
  file(GLOB script_sources CONFIGURE_DEPENDS test/cli/test_*.sh test/sources/test_*.sh)
  foreach(source ${script_sources})
    cmake_path(GET source STEM name)
    add_test(NAME ${name} COMMAND bash ${source} $<TARGET_FILE:gblite_cli> ${test_data})
  endforeach()
  set_property(TEST test_graphblas_names test_zero_arguments test_cli_larger APPEND PROPERTY ENVIRONMENT
    GBLITE_SANITIZE=${GBLITE_SANITIZE} GBLITE_COMPILER_ID=${CMAKE_C_COMPILER_ID})
endif()

if(CMAKE_CXX_COMPILER AND EXISTS ${PROJECT_SOURCE_DIR}/test/test_cpp.cpp)
  gb_test_program(test_cpp test/test_cpp.cpp)
  target_link_libraries(test_cpp PRIVATE gblite_io)
  add_test(NAME test_cpp COMMAND test_cpp)
endif()

# Two GraphBLAS libraries in one program; test/graphblas/compare.c.
if(TARGET suitesparse)
  foreach(library gblite suitesparse)
    add_library(answers_of_${library} OBJECT test/graphblas/answers.c)
    target_compile_definitions(answers_of_${library} PRIVATE ANSWERS=answers_of_${library})
  endforeach()
  target_link_libraries(answers_of_gblite PRIVATE graphblas)
  target_link_libraries(answers_of_suitesparse PRIVATE suitesparse)
  gb_test_program(test_graphblas test/graphblas/compare.c)
  target_link_libraries(test_graphblas PRIVATE answers_of_gblite answers_of_suitesparse gblite
    suitesparse)
  add_test(NAME test_graphblas COMMAND test_graphblas)
endif()

# Their results are checked; the suites are small, so that nothing is worth timing.
if(GBLITE_BENCH)
  set(tiny ${PROJECT_SOURCE_DIR}/bench/suites)
  add_test(NAME bench_semiring COMMAND bench semiring --repeats 1
    --suite ${tiny}/semiring_tiny.txt)
  add_test(NAME bench_chain COMMAND bench chain --repeats 1 --suite ${tiny}/chain_tiny.txt)
  add_test(NAME bench_lists COMMAND bench lists --repeats 1 --suite ${tiny}/lists_tiny.txt)
  add_test(NAME bench_spmm COMMAND bench spmm --repeats 1 --columns 1 --columns 9
    --suite ${tiny}/spmm_tiny.txt)
  add_test(NAME bench_spamm COMMAND bench spamm --repeats 1 --size 128 --search --errors)
  add_test(NAME bench_overhead COMMAND bench overhead --repeats 1 --calls 3)
  add_test(NAME bench_compare COMMAND bench compare --repeats 1 er:8:4 rmats:7:6)
  add_test(NAME bench_compare_rect COMMAND bench compare --repeats 1 --only mxm --only boolean
    --only mxv --only push rect:40:90:3)
  add_test(NAME bench_hyper COMMAND bench hyper --repeats 1 20000:100000)
  foreach(job run rowwise tiled outer panel vector)
    add_test(NAME bench_${job} COMMAND bench ${job} --tiny --output ${PROJECT_BINARY_DIR}/bench)
  endforeach()
  if(TARGET graphs)
    add_test(NAME bench_graphs COMMAND graphs --repeats 1 grid:30:20 rmats:8:8 er:9:2)
  endif()
  foreach(name scaling scaling_model)
    add_test(NAME bench_${name} COMMAND ${name} --repeats 1 --threads 16 rmats:9:8)
    set_tests_properties(bench_${name} PROPERTIES FAIL_REGULAR_EXPRESSION "nan|inf|\\?")
  endforeach()
  add_test(NAME bench_mcl COMMAND /usr/bin/python3 ${PROJECT_SOURCE_DIR}/bench/mcl/race.py
    --build ${PROJECT_BINARY_DIR} --repeats 1 --suite ${PROJECT_SOURCE_DIR}/bench/mcl/tiny.txt)
  # Results are made into pages, in a folder of the build; without matplotlib they are not.
  execute_process(COMMAND /usr/bin/python3 -c "import matplotlib" RESULT_VARIABLE no_matplotlib
    OUTPUT_QUIET ERROR_QUIET)
  if(no_matplotlib EQUAL 0)
    add_test(NAME bench_page COMMAND bash ${PROJECT_SOURCE_DIR}/test/bench/bench_page.sh
      ${PROJECT_BINARY_DIR})
  else()
    message(WARNING "matplotlib is missing (Debian: python3-matplotlib): pages are not tested")
  endif()
  add_test(NAME bench_run_results
    COMMAND bash ${PROJECT_SOURCE_DIR}/test/bench/bench_run.sh ${PROJECT_BINARY_DIR})
  add_test(NAME bench_usage
    COMMAND bash ${PROJECT_SOURCE_DIR}/test/bench/bench_usage.sh ${PROJECT_BINARY_DIR}/bench)
endif()

# An installed library must serve users of pkg-config and of find_package. A sanitized or counted
# library would need the same flags in the user's build, so those builds leave this test out. Nor has
# the check of layers anything that could be sanitized.
if(NOT GBLITE_SANITIZE AND NOT GBLITE_COVERAGE AND NOT GBLITE_FUZZ AND NOT CMAKE_CROSSCOMPILING)
  add_test(NAME layers COMMAND bash ${PROJECT_SOURCE_DIR}/test/layers/run.sh)
  find_program(docs_python python3) # pages: links, pictures, and their C; Python's is in python/tests
  if(docs_python)
    set(check_docs ${docs_python} -B ${PROJECT_SOURCE_DIR}/scripts/check_docs.py)
    add_test(NAME docs_links COMMAND ${check_docs} links)
    if(NOT GBLITE_TINY) # which chooses other methods than the pages tell of
      add_test(NAME docs_code COMMAND ${check_docs} code ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
    endif()
    if(GBLITE_CLI AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT GBLITE_TINY)
      add_test(NAME docs_typed COMMAND ${docs_python} -B
        ${PROJECT_SOURCE_DIR}/test/pages/type_pages.py ${PROJECT_BINARY_DIR})
    endif()
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND EXISTS /usr/share/mkdocs/themes/material
     AND EXISTS /usr/share/fonts/opentype/inter)
    add_test(NAME docs_site COMMAND /usr/bin/mkdocs build -q --strict
      -f ${PROJECT_SOURCE_DIR}/site/mkdocs.yml -d ${PROJECT_BINARY_DIR}/site)
    add_test(NAME docs_pages COMMAND /usr/bin/python3 -B # says so where there is no chromium
      ${PROJECT_SOURCE_DIR}/site/check_pages.py ${PROJECT_BINARY_DIR}/site # of 73, of each kind
      index.html algorithms/triangles.html headers/gblite_chain.html python_reference.html
      benchmarks.html tutorial.html)
    set_tests_properties(docs_site PROPERTIES FIXTURES_SETUP site)
    set_tests_properties(docs_pages PROPERTIES FIXTURES_REQUIRED site)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    message(STATUS "Site: mkdocs-material is not here (scripts/setup.sh site), it is not made")
  endif()
  foreach(way pkgconfig cmake)
    add_test(NAME install_${way}
      COMMAND bash ${PROJECT_SOURCE_DIR}/test/install/run.sh ${way} ${PROJECT_BINARY_DIR}
        ${CMAKE_C_COMPILER} ${PROJECT_VERSION})
  endforeach()
endif()

# As it is shipped; every other configuration has a size of its own.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT GBLITE_SANITIZE AND NOT GBLITE_COVERAGE
    AND NOT GBLITE_FUZZ AND NOT GBLITE_TINY)
  add_test(NAME library_size
    COMMAND bash ${PROJECT_SOURCE_DIR}/test/sources/library_size.sh $<TARGET_FILE:gblite> 6000000)
endif()

# Fuzz targets: by libFuzzer in a build for it (scripts/fuzz.sh), else a short run of each on test/files,
# as they are and changed.
file(GLOB fuzz_sources CONFIGURE_DEPENDS test/fuzz/fuzz_*.c)
file(GLOB fuzz_files CONFIGURE_DEPENDS test/files/*)
file(GLOB fuzz_seeds_mmio CONFIGURE_DEPENDS ${test_data}/mm/*.mtx)
set(fuzz_changes 100)
foreach(source ${fuzz_sources})
  cmake_path(GET source STEM name)
  string(REPLACE "fuzz_" "" kind ${name})
  if(NOT GBLITE_FUZZ)
    list(APPEND source test/fuzz/replay.c)
  endif()
  if(kind MATCHES "^(forms|clusters)$") # readers of the program
    if(NOT GBLITE_CLI)
      continue()
    endif()
    list(APPEND source ${cli_sources})
    list(FILTER source EXCLUDE REGEX "cli/gblite\\.c$") # has main
  endif()
  gb_test_program(${name} ${source})
  target_link_libraries(${name} PRIVATE gblite_io)
  if(kind MATCHES "^(forms|clusters)$")
    target_include_directories(${name} PRIVATE cli)
    target_link_libraries(${name} PRIVATE cli_formats PNG::PNG PkgConfig::CJSON m)
  endif()
  if(GBLITE_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    add_test(NAME ${name} COMMAND ${name} ${fuzz_changes} ${fuzz_files} ${fuzz_seeds_${kind}})
  endif()
endforeach()

get_property(all_tests DIRECTORY PROPERTY TESTS)
foreach(pair ${test_seconds})
  string(REGEX MATCH "^(.*)=(.*)$" pair ${pair})
  set(seconds_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
set(quick_programs "")
foreach(test ${all_tests})
  string(REGEX REPLACE "\\..*" "" name ${test})
  set(seconds ${seconds_${name}})
  if(seconds)
    set_tests_properties(${test} PROPERTIES COST ${seconds})
  endif()
  if(name MATCHES "${source_tests}")
    set_property(TEST ${test} APPEND PROPERTY LABELS sources)
  endif()
  get_property(labels TEST ${test} PROPERTY LABELS)
  set(sample ${test_sample})
  if(other_isa IN_LIST labels OR name MATCHES "^test_cuda_")
    set(sample ${small_sample})
  endif()
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT GBLITE_TEST_SAMPLE=${sample})
  if(seconds GREATER test_slow)
    set_property(TEST ${test} APPEND PROPERTY LABELS slow)
  else()
    string(REGEX REPLACE "^bench_" "" measured ${name})
    string(REGEX REPLACE "^bench_.*" "bench" driver ${name})
    foreach(program ${name} ${measured} ${driver} ${name}_package) # of tests in C, of bench/, of Python
      if(TARGET ${program})
        list(APPEND quick_programs ${program})
      endif()
    endforeach()
  endif()
endforeach()
if(all_tests)
  set_tests_properties(${all_tests} PROPERTIES TIMEOUT ${test_timeout})
  # Criterion runs several processes at once: SuiteSparse's threads that wait must leave the
  # processors to them.
  set_property(TEST ${all_tests} APPEND PROPERTY ENVIRONMENT OMP_WAIT_POLICY=passive)
  # Memory of the oracle's dense matrices stays with the process: fresh pages took a third of the
  # time of some tests.
  set_property(TEST ${all_tests} APPEND PROPERTY ENVIRONMENT MALLOC_MMAP_THRESHOLD_=33554432
    MALLOC_TRIM_THRESHOLD_=268435456)
  # AddressSanitizer's malloc refuses blocks that no machine has, as the system's does.
  set_property(TEST ${all_tests} APPEND PROPERTY ENVIRONMENT
    ASAN_OPTIONS=allocator_may_return_null=1)
  # Choices by the built-in rates, whatever this user has calibrated.
  set_property(TEST ${all_tests} APPEND PROPERTY ENVIRONMENT GBLITE_CONFIG=off)
endif()

# What `scripts/test.sh quick` builds: the programs of the tests that are not slow, and what test
# scripts call.
get_property(all_programs DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER all_programs INCLUDE REGEX "^(example_.*|gblite_cli|graphs|run)$")
list(REMOVE_DUPLICATES quick_programs)
add_custom_target(quick_tests DEPENDS ${quick_programs} ${all_programs} planted_libraries)

# test/compat: libgraphblas.so as programs use it that were linked with SuiteSparse:GraphBLAS. It is
# loaded without a header, so calls have no prototypes.
if(GBLITE_SUITESPARSE AND NOT GBLITE_SANITIZE)
  add_executable(compat_program test/compat/program.c test/compat/arrays.c)
  target_compile_options(compat_program PRIVATE -Wno-strict-prototypes)
  target_link_libraries(compat_program PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
  foreach(major 9 10)
    add_test(NAME compat_program_${major}
      COMMAND compat_program $<TARGET_FILE:graphblas_${major}> ${major})
    add_test(NAME compat_names_${major} COMMAND ${PROJECT_SOURCE_DIR}/test/compat/names.sh
      $<TARGET_FILE:graphblas_${major}> ${compat_dir}/names.table ${compat_dir}/names.awk
      ${PROJECT_SOURCE_DIR}/docs/conformance.md)
    set_tests_properties(compat_program_${major} compat_names_${major} PROPERTIES
      TIMEOUT ${test_timeout})
  endforeach()
endif()
