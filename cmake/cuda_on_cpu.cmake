# SPDX-License-Identifier: Apache-2.0
#
# The GPU's kernels on the CPU: src/cuda/*/*.cu compiled as C++ against test/cuda_on_cpu, and the tests
# that run there, test/cuda/test_*.c. Always with AddressSanitizer, which watches what the kernels do
# to "device" memory; with GBLITE_TINY small rows cross the borders of all classes. Builds with another
# sanitizer do without.
if(NOT CMAKE_CXX_COMPILER OR NOT CRITERION_FOUND OR GBLITE_FUZZ
    OR (GBLITE_SANITIZE AND NOT GBLITE_SANITIZE MATCHES "address"))
  return()
endif()

gb_cuda_sources(wrappers cpp)
file(GLOB standin_sources CONFIGURE_DEPENDS test/cuda_on_cpu/*.cpp)
add_library(cuda_on_cpu OBJECT ${wrappers} ${standin_sources})
set_target_properties(cuda_on_cpu PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS ON
  POSITION_INDEPENDENT_CODE ON)
target_include_directories(cuda_on_cpu PRIVATE ${PROJECT_SOURCE_DIR}/test/cuda_on_cpu
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
# Accesses are checked by calls, which compile in two thirds of the time of code in place. The
# stand-in itself is not what is watched: it tells AddressSanitizer of its fibers, and that is all.
target_compile_options(cuda_on_cpu PRIVATE -fsanitize=address -fno-omit-frame-pointer -Og -g1
  -fno-sanitize=undefined
  $<$<CXX_COMPILER_ID:GNU>:--param=asan-instrumentation-with-call-threshold=0>
  "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -asan-instrumentation-with-call-threshold=0>")
set_source_files_properties(test/cuda_on_cpu/block.cpp test/cuda_on_cpu/fiber.cpp
  test/cuda_on_cpu/history.cpp PROPERTIES COMPILE_OPTIONS
  "-O2;$<$<CXX_COMPILER_ID:GNU>:--param=asan-instrument-reads=0;--param=asan-instrument-writes=0;\
--param=asan-memintrin=0;--param=asan-stack=0>")
# It stands before AddressSanitizer's checks, and is told of the accesses by their calls.
set_source_files_properties(test/cuda_on_cpu/global.cpp PROPERTIES COMPILE_OPTIONS
  "-O2;-fno-sanitize=address")

# The whole library, with these kernels in the place of the loader, and the generators.
add_library(gblite_on_cpu STATIC $<TARGET_OBJECTS:gblite_objects> ${kernel_files}
  $<TARGET_OBJECTS:cuda_on_cpu> $<TARGET_OBJECTS:gblite_io_objects> test/matrix/check.c)
target_include_directories(gblite_on_cpu PUBLIC ${PROJECT_SOURCE_DIR}/include
  PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/test)
target_link_options(gblite_on_cpu PUBLIC -fsanitize=address)
target_link_libraries(gblite_on_cpu PUBLIC Threads::Threads ZLIB::ZLIB m)

file(GLOB cuda_test_sources CONFIGURE_DEPENDS test/cuda/test_*.c)
if(GBLITE_TINY) # of the stand-in itself, which no size changes
  list(FILTER cuda_test_sources EXCLUDE REGEX "test_cuda_standin")
endif()
foreach(source ${cuda_test_sources})
  cmake_path(GET source STEM name)
  gb_test_program(${name} ${source})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE test_support gblite_on_cpu PkgConfig::CRITERION)
  if(TARGET suitesparse)
    target_link_libraries(${name} PRIVATE suitesparse)
  endif()
  add_test(NAME ${name} COMMAND ${name})
endforeach()

# A program's own semirings, compiled for the host and for the stand-in.
if(TARGET test_cuda_compiled)
  target_sources(test_cuda_compiled PRIVATE test/cuda/compiled_kinds.cpp)
  set_target_properties(test_cuda_compiled PROPERTIES CXX_STANDARD 17)
  target_include_directories(test_cuda_compiled PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/test/cuda_on_cpu>)
  target_compile_definitions(test_cuda_compiled PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:GB_CUDA_ON_CPU=1>)
  target_compile_options(test_cuda_compiled PRIVATE -Wno-psabi
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address>)
endif()

# Operations that have kernels, a small sample of the cases of their tests, where the GPU is asked
# for; what it refuses runs on the host, and nothing here tells. test_cuda_operations and
# test_cuda_written look where operations run.
gb_test_program(test_cuda_frames test/ops/test_apply.c test/ops/test_ewise.c
  test/ops/test_transpose.c test/ops/test_assign.c)
set_target_properties(test_cuda_frames PROPERTIES LINKER_LANGUAGE CXX)
target_include_directories(test_cuda_frames PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(test_cuda_frames PRIVATE test_support gblite_on_cpu PkgConfig::CRITERION)
if(TARGET suitesparse)
  target_link_libraries(test_cuda_frames PRIVATE suitesparse)
endif()
add_test(NAME test_cuda_frames COMMAND ${CMAKE_COMMAND} -E env GBLITE_PLACE=gpu
  GBLITE_TEST_SAMPLE=127 $<TARGET_FILE:test_cuda_frames>)

# The same kernels as a library of their own, which the loader loads as it would libgblite_cuda.so:
# tests that do not steer the stand-in run on it as they do on a GPU.
add_library(cuda_on_cpu_library MODULE $<TARGET_OBJECTS:cuda_on_cpu> src/cuda/device/library.c)
set(map ${PROJECT_SOURCE_DIR}/cmake/gblite_cuda.map)
set_target_properties(cuda_on_cpu_library PROPERTIES LINK_DEPENDS ${map} LINKER_LANGUAGE CXX
  PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/cuda_library)
target_include_directories(cuda_on_cpu_library PRIVATE ${PROJECT_SOURCE_DIR}/src
  ${PROJECT_SOURCE_DIR}/include)
target_link_options(cuda_on_cpu_library PRIVATE -fsanitize=address
  "LINKER:--version-script=${map}")
target_link_libraries(cuda_on_cpu_library PRIVATE Threads::Threads m)

gb_test_program(test_cuda_loaded test/cuda/test_cuda_left.c)
add_dependencies(test_cuda_loaded cuda_on_cpu_library)
target_include_directories(test_cuda_loaded PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(test_cuda_loaded PRIVATE GB_TEST_ON_GPU=1)
target_link_options(test_cuda_loaded PRIVATE -fsanitize=address)
target_link_libraries(test_cuda_loaded PRIVATE test_support gblite_io_static PkgConfig::CRITERION)
if(TARGET suitesparse)
  target_link_libraries(test_cuda_loaded PRIVATE suitesparse)
endif()
add_test(NAME test_cuda_loaded COMMAND test_cuda_loaded)
set_tests_properties(test_cuda_loaded PROPERTIES
  ENVIRONMENT GBLITE_CUDA_LIBRARY=$<TARGET_FILE:cuda_on_cpu_library>)

# A rehearsal of scripts/gpu_check.sh, all of it: its programs with this library for kernels, peers
# that multiply on the host, and tools that only start what they are to watch.
if(TARGET PkgConfig::CJSON AND NOT GBLITE_TINY AND NOT GBLITE_SANITIZE)
  gb_gpu_tests(rehearsed_tests)
  gb_gpu_bench(rehearsed_bench bench/gpu/rehearsed.c)
  foreach(name rehearsed_tests rehearsed_bench)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
    target_link_options(${name} PRIVATE -fsanitize=address)
    add_dependencies(${name} cuda_on_cpu_library)
  endforeach()
  add_test(NAME gpu_check_rehearsal COMMAND ${PROJECT_SOURCE_DIR}/test/rehearsal/rehearse.sh
    $<TARGET_FILE:rehearsed_tests> $<TARGET_FILE:rehearsed_bench>
    $<TARGET_FILE:cuda_on_cpu_library> ${PROJECT_BINARY_DIR}/test/rehearsal)
endif()
