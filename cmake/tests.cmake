# SPDX-License-Identifier: Apache-2.0
#
# The tests, found by their names:
#   test/test_*.c    Criterion programs; those named test_mxm*, test_mxv*, test_tiles* and test_isa*
#                    run once per instruction set of this processor. They link the static
#                    libraries, so that a test of one module may include its internal header
#   test/plain_*.c   programs without Criterion, for ThreadSanitizer
#   test/test_*.sh   called with the program gblite and the folder of test data
#   test/test_cpp.cpp, test/install/   users of the headers and of an installed library
#   test/cuda/test_*.c  the GPU's kernels on the CPU, see cmake/cuda_on_cpu.cmake
#   bench/tiled and bench/outer on their tiny suites, and their pages (test/bench_page.sh);
#   bench/chain, bench/run on theirs, what bench/run writes (test/bench_run.sh), bench/overhead; wrong
#   command lines of all of them (test/bench_usage.sh)
#   test/fuzz_*.c    libFuzzer programs, built with GBLITE_FUZZ, not run by CTest
find_package(PkgConfig REQUIRED)
pkg_check_modules(CRITERION IMPORTED_TARGET criterion)

set(test_data ${PROJECT_SOURCE_DIR}/test/data)
set(test_timeout 300)

file(STRINGS /proc/cpuinfo cpu_flags REGEX "^flags" LIMIT_COUNT 1)
separate_arguments(cpu_flags)
set(avx2_needs avx2 fma bmi1 bmi2 abm popcnt)
set(avx512_needs ${avx2_needs} avx512f avx512dq avx512bw avx512vl avx512cd)
set(testable_sets "")
foreach(isa ${instruction_sets})
  set(missing ${${isa}_needs})
  list(REMOVE_ITEM missing ${cpu_flags})
  if(missing)
    message(STATUS "Tests: this processor cannot run the ${isa} kernels")
  else()
    list(APPEND testable_sets ${isa})
  endif()
endforeach()

function(gb_test_program name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test)
  target_compile_definitions(${name} PRIVATE GBL_TEST_DATA="${test_data}")
  target_link_options(${name} PRIVATE LINKER:--as-needed)
  target_link_libraries(${name} PRIVATE Threads::Threads m)
endfunction()

add_custom_target(plain_tests)
file(GLOB plain_sources CONFIGURE_DEPENDS test/plain_*.c)
foreach(source ${plain_sources})
  cmake_path(GET source STEM name)
  gb_test_program(${name} ${source})
  target_link_libraries(${name} PRIVATE gblite_io)
  add_dependencies(plain_tests ${name})
  add_test(NAME ${name} COMMAND ${name})
endforeach()

if(CRITERION_FOUND)
  file(GLOB support_sources CONFIGURE_DEPENDS test/support/*.c)
  file(GLOB test_sources CONFIGURE_DEPENDS test/test_*.c)
  add_library(test_support INTERFACE)
  if(support_sources)
    add_library(test_support_objects OBJECT ${support_sources})
    target_include_directories(test_support_objects PRIVATE ${PROJECT_SOURCE_DIR}/include
      ${PROJECT_SOURCE_DIR}/test)
    target_link_libraries(test_support_objects PRIVATE PkgConfig::CRITERION)
    target_link_libraries(test_support INTERFACE test_support_objects
      $<TARGET_OBJECTS:test_support_objects>)
    if(TARGET suitesparse)
      target_link_libraries(test_support_objects PRIVATE suitesparse)
    endif()
  endif()
  foreach(source ${test_sources})
    cmake_path(GET source STEM name)
    gb_test_program(${name} ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} PRIVATE test_support gblite_io_static PkgConfig::CRITERION)
    if(TARGET suitesparse)
      target_link_libraries(${name} PRIVATE suitesparse)
    endif()
    if(name STREQUAL "test_explain")
      target_link_libraries(${name} PRIVATE PkgConfig::CJSON)
    endif()
    if(name MATCHES "^test_(mxm|mxv|tiles|isa)")
      foreach(isa ${testable_sets})
        add_test(NAME ${name}.${isa} COMMAND ${name})
        set_tests_properties(${name}.${isa} PROPERTIES ENVIRONMENT GBLITE_ISA=${isa})
      endforeach()
    else()
      add_test(NAME ${name} COMMAND ${name})
    endif()
  endforeach()
else()
  message(WARNING "Criterion is missing (Debian: libcriterion-dev): test_*.c are not built")
endif()

include(cmake/cuda_on_cpu.cmake)

if(GBLITE_CLI)
  file(GLOB script_sources CONFIGURE_DEPENDS test/test_*.sh)
  foreach(source ${script_sources})
    cmake_path(GET source STEM name)
    add_test(NAME ${name} COMMAND bash ${source} $<TARGET_FILE:gblite_cli> ${test_data})
  endforeach()
endif()

if(CMAKE_CXX_COMPILER AND EXISTS ${PROJECT_SOURCE_DIR}/test/test_cpp.cpp)
  gb_test_program(test_cpp test/test_cpp.cpp)
  target_link_libraries(test_cpp PRIVATE gblite_io)
  add_test(NAME test_cpp COMMAND test_cpp)
endif()

# Their results are checked; the suites are small, so that nothing is worth timing.
if(GBLITE_BENCH)
  foreach(name tiled outer)
    add_test(NAME bench_${name} COMMAND ${name} --repeats 1
      --suite ${PROJECT_SOURCE_DIR}/bench/${name}/tiny.txt)
  endforeach()
  # The pages that are made of such results, each in a folder of its own.
  execute_process(COMMAND /usr/bin/python3 -c "import matplotlib" RESULT_VARIABLE no_matplotlib
    OUTPUT_QUIET ERROR_QUIET)
  if(no_matplotlib EQUAL 0)
    foreach(name tiled outer)
      add_test(NAME bench_${name}_page
        COMMAND bash ${PROJECT_SOURCE_DIR}/test/bench_page.sh ${name} ${PROJECT_BINARY_DIR})
    endforeach()
  else()
    message(WARNING "matplotlib is missing (Debian: python3-matplotlib): pages are not tested")
  endif()
  add_test(NAME bench_chain COMMAND chain --repeats 1
    --suite ${PROJECT_SOURCE_DIR}/bench/chain/tiny.txt)
  add_test(NAME bench_overhead COMMAND overhead --repeats 1 --calls 3)
  add_test(NAME bench_run COMMAND run --tiny --output ${PROJECT_BINARY_DIR}/bench)
  add_test(NAME bench_run_results
    COMMAND bash ${PROJECT_SOURCE_DIR}/test/bench_run.sh ${PROJECT_BINARY_DIR})
  add_test(NAME bench_usage
    COMMAND bash ${PROJECT_SOURCE_DIR}/test/bench_usage.sh ${PROJECT_BINARY_DIR}/bench)
endif()

# An installed library must serve users of pkg-config and of find_package. A sanitized or counted
# library would need the same flags in the user's build, so those builds leave this test out.
if(NOT GBLITE_SANITIZE AND NOT GBLITE_COVERAGE AND NOT GBLITE_FUZZ)
  foreach(way pkgconfig cmake)
    add_test(NAME install_${way}
      COMMAND bash ${PROJECT_SOURCE_DIR}/test/install/run.sh ${way} ${PROJECT_BINARY_DIR}
        ${CMAKE_C_COMPILER} ${PROJECT_VERSION})
  endforeach()
endif()

if(GBLITE_FUZZ)
  file(GLOB fuzz_sources CONFIGURE_DEPENDS test/fuzz_*.c)
  foreach(source ${fuzz_sources})
    cmake_path(GET source STEM name)
    gb_test_program(${name} ${source})
    target_link_libraries(${name} PRIVATE gblite_io)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endforeach()
endif()

get_property(all_tests DIRECTORY PROPERTY TESTS)
if(all_tests)
  set_tests_properties(${all_tests} PROPERTIES TIMEOUT ${test_timeout})
  # Criterion runs several processes at once: threads that wait must leave the processors to them.
  set_property(TEST ${all_tests} APPEND PROPERTY ENVIRONMENT OMP_WAIT_POLICY=passive)
  # Choices by the built-in rates, whatever this user has calibrated.
  set_property(TEST ${all_tests} APPEND PROPERTY ENVIRONMENT GBLITE_CONFIG=off)
endif()
