# SPDX-License-Identifier: Apache-2.0
#
# What scripts/gpu_check.sh runs where there is a GPU; CTest does not. Both link the static libraries
# and need nothing on that machine but libc, zlib and, for the bench, cJSON; cuSPARSE is loaded where it is.
#   test/gpu_tests  the tests of test/cuda that do not steer the stand-in, with test/runner in the
#                   place of Criterion and the thirty libraries behind it
#   bench/gpu       products against those of cuSPARSE, and against CUB's sort of all products
#   libgblite_cuda_checked.so  the kernels for compute-sanitizer, which the tests then load: with lines
#                   of the source, and without loads that race on purpose (src/cuda/device/portable.cuh)
gb_cuda_library(gblite_cuda_checked -lineinfo)
set_target_properties(gblite_cuda_checked PROPERTIES EXCLUDE_FROM_ALL ON)
target_compile_definitions(gblite_cuda_checked PRIVATE GB_CUDA_CHECKED=1)
file(GLOB gpu_support CONFIGURE_DEPENDS test/support/*.c)
list(FILTER gpu_support EXCLUDE REGEX "/suitesparse\\.c$")
add_executable(gpu_tests test/cuda/test_cuda_mxm.c test/cuda/test_cuda_rows.c
  test/cuda/test_cuda_left.c test/cuda/test_cuda_tiled.c
  test/cuda/test_cuda_tensor.c test/cuda/test_cuda_slices.c
  test/cuda/test_cuda_dot.c test/cuda/test_cuda_spamm.c
  test/cuda/test_cuda_filter.c
  test/cuda/test_cuda_vectors.c
  test/runner/runner.c ${gpu_support})
set_target_properties(gpu_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
target_compile_definitions(gpu_tests PRIVATE GB_TEST_ON_GPU=1 RUNNER_EXEC=1
  GBL_TEST_DATA="${PROJECT_SOURCE_DIR}/test/data")
target_include_directories(gpu_tests PRIVATE ${PROJECT_SOURCE_DIR}/test/runner
  ${PROJECT_SOURCE_DIR}/test ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(gpu_tests PRIVATE gblite_io_static Threads::Threads m)
# Not linked: loaded from the build folder here, from lib/ where gpu_check.sh has packed it.
add_dependencies(gpu_tests gblite_cuda)
set_target_properties(gpu_tests PROPERTIES BUILD_RPATH ${PROJECT_BINARY_DIR})

if(NOT TARGET PkgConfig::CJSON)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(CJSON IMPORTED_TARGET libcjson)
endif()
if(TARGET PkgConfig::CJSON AND TARGET CUDA::cusparse)
  list(TRANSFORM BENCH_HARNESS PREPEND bench/harness/ OUTPUT_VARIABLE harness)
  add_executable(gpu bench/gpu/main.c bench/gpu/device.c bench/gpu/gblite_inside.c bench/gpu/spamm.c
    bench/gpu/triangles.c bench/gpu/graphs.c bench/gpu/operations.c
    bench/harness/gpu_contender.c bench/peers/cusparse.c bench/peers/cublas.c bench/peers/cub_esc.cu ${harness})
  set_target_properties(gpu PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(gpu PRIVATE ${PROJECT_SOURCE_DIR}/bench)
  set_target_properties(gpu PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench
    BUILD_RPATH ${PROJECT_BINARY_DIR})
  add_dependencies(gpu gblite_cuda)
  target_link_libraries(gpu PRIVATE gblite_io_static CUDA::cudart_static PkgConfig::CJSON
    ${CMAKE_DL_LIBS} m)
  set_source_files_properties(bench/gpu/gblite_inside.c PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(gpu PRIVATE BENCH_FOLDER="${PROJECT_SOURCE_DIR}/bench")
else()
  message(STATUS "CUDA: cuSPARSE or cJSON is missing, so bench/gpu is not built")
endif()
