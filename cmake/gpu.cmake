# SPDX-License-Identifier: Apache-2.0
#
# What scripts/gpu_check.sh runs where there is a GPU; CTest does not. Both link the static libraries
# and need nothing on that machine but libc, zlib and, for the bench, cJSON; cuSPARSE is loaded where it is.
#   test/gpu_tests  the tests of test/cuda that do not steer the stand-in, with test/runner in the
#                   place of Criterion and the thirty libraries behind it
#   bench/gpu       products against those of cuSPARSE, and against CUB's sort of all products
#   libgblite_cuda_checked.so  the kernels for compute-sanitizer, which the tests then load: with lines
#                   of the source, and without loads that race on purpose (src/cuda/device/portable.cuh)
# test/rehearsal runs all of it on the stand-in (cmake/cuda_on_cpu.cmake).
if(NOT TARGET PkgConfig::CJSON AND (GBLITE_TESTS OR GBLITE_GPU_CHECK))
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(CJSON IMPORTED_TARGET libcjson)
endif()

function(gb_gpu_tests name)
  file(GLOB support CONFIGURE_DEPENDS test/support/*.c)
  list(FILTER support EXCLUDE REGEX "/suitesparse\\.c$")
  set(sources mxm rows left tiled tensor slices dot spamm filter vectors)
  list(TRANSFORM sources REPLACE "(.+)" "test/cuda/test_cuda_\\1.c")
  add_executable(${name} ${sources} test/runner/runner.c ${support})
  target_compile_definitions(${name} PRIVATE GB_TEST_ON_GPU=1 RUNNER_EXEC=1
    GBL_TEST_DATA="${PROJECT_SOURCE_DIR}/test/data")
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test/runner
    ${PROJECT_SOURCE_DIR}/test ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE gblite_io_static Threads::Threads m)
endfunction()

# The peers are given.
function(gb_gpu_bench name)
  set(sources main document products gblite_inside spamm graphs operations)
  list(TRANSFORM sources REPLACE "(.+)" "bench/gpu/\\1.c")
  list(TRANSFORM BENCH_HARNESS PREPEND bench/harness/ OUTPUT_VARIABLE harness)
  add_executable(${name} ${sources} bench/peers/checksum.c ${harness} ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/bench)
  target_link_libraries(${name} PRIVATE gblite_io_static PkgConfig::CJSON ${CMAKE_DL_LIBS} m)
  set_source_files_properties(bench/gpu/gblite_inside.c PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${name} PRIVATE BENCH_FOLDER="${PROJECT_SOURCE_DIR}/bench")
endfunction()

if(NOT gblite_with_cuda OR NOT GBLITE_GPU_CHECK)
  return()
endif()
gb_cuda_library(gblite_cuda_checked -lineinfo)
set_target_properties(gblite_cuda_checked PROPERTIES EXCLUDE_FROM_ALL ON)
target_compile_definitions(gblite_cuda_checked PRIVATE GB_CUDA_CHECKED=1)

# Not linked: loaded from the build folder here, from lib/ where gpu_check.sh has packed it.
gb_gpu_tests(gpu_tests)
set_target_properties(gpu_tests PROPERTIES BUILD_RPATH ${PROJECT_BINARY_DIR}
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
add_dependencies(gpu_tests gblite_cuda)

if(TARGET PkgConfig::CJSON AND TARGET CUDA::cusparse)
  gb_gpu_bench(gpu bench/peers/device.c bench/peers/cusparse.c bench/peers/cublas.c
    bench/peers/cub_esc.cu)
  set_target_properties(gpu PROPERTIES LINKER_LANGUAGE CXX BUILD_RPATH ${PROJECT_BINARY_DIR}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  add_dependencies(gpu gblite_cuda)
  target_link_libraries(gpu PRIVATE CUDA::cudart_static)
else()
  message(STATUS "CUDA: cuSPARSE or cJSON is missing, so bench/gpu is not built")
endif()
