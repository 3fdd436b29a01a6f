# SPDX-License-Identifier: Apache-2.0
#
# The libraries, the first two shared and static from the same objects:
#   gblite       libc and pthread only; the kernels of products, a folder of src/cpu for
#                each method, are compiled once per instruction set
#   gblite_io    files and generators, on top of gblite's public header; needs zlib too
#   graphblas    a folder of headers: programs written for the GraphBLAS C API, on gblite
#   gblite_cuda  src/cuda, with CUDA's runtime inside; a module that gblite loads when something
#                first wants a GPU, and works without (src/kernel_api/loader.c)

file(GLOB library_sources CONFIGURE_DEPENDS
  src/core/*.c src/semiring/*.c src/matrix/*.c src/kernel_api/*.c src/mxm/*.c src/mxm/*/*.c
  src/ops/*.c src/graph/*.c src/lazy/*.c src/api/*.c
  src/cpu/*.c src/cpu/common/*.c src/cpu/mxv/*.c src/cpu/ops/*.c)
# Programs that have the device linked in leave the loader out (cmake/cuda_on_cpu.cmake).
set(loader_source ${PROJECT_SOURCE_DIR}/src/kernel_api/loader.c)
list(REMOVE_ITEM library_sources ${loader_source})
file(GLOB kernel_sources CONFIGURE_DEPENDS src/cpu/*/*.c)
list(FILTER kernel_sources EXCLUDE REGEX "src/cpu/(common|mxv|ops)/")
file(GLOB io_sources CONFIGURE_DEPENDS src/io/*.c)

# Structs of a hundred bytes are cleared by plain stores: gcc's choice, `rep stos`, takes longer to
# begin than they take, and a call on few entries clears several.
include(CheckCCompilerFlag)
set(clear_by_stores "-mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign")
check_c_compiler_flag("${clear_by_stores}" GBLITE_CLEARS_BY_STORES)

# Sums of rows in SELL slices are scalars side by side: packed into vectors, which nothing fills at once,
# they take longer and half as much room again.
set_source_files_properties(src/cpu/mxv/sell.c PROPERTIES
  COMPILE_OPTIONS "-fno-tree-vectorize;-fno-tree-slp-vectorize")

function(gb_add_objects name)
  add_library(${name} OBJECT ${ARGN})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  # Nobody replaces our functions at load time, so calls inside the library may be inlined.
  target_compile_options(${name} PRIVATE -fno-semantic-interposition
    "$<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${GBLITE_CLEARS_BY_STORES}>>:${clear_by_stores}>")
endfunction()

# The kernels once per instruction set. Sanitized builds watch the memory of all sets and the
# arithmetic of the best one; it is the same source, and takes most of the time of compiling it.
list(GET instruction_sets -1 best_set)
foreach(isa ${instruction_sets})
  gb_add_objects(kernels_${isa} ${kernel_sources})
  target_include_directories(kernels_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(kernels_${isa} PRIVATE GB_ISA=${isa})
  # Vectors wider than the set's registers are passed between inlined functions alone; where clang
  # does not unroll what gcc does, the loop is as right.
  target_compile_options(kernels_${isa} PRIVATE ${${isa}_flags} -Wno-psabi
    $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
  if(GBLITE_SANITIZE AND NOT isa STREQUAL best_set)
    target_compile_options(kernels_${isa} PRIVATE -fno-sanitize=undefined)
  endif()
  # What is fuzzed reads files and multiplies nothing; instrumented kernels take minutes to build.
  if(GBLITE_FUZZ)
    target_compile_options(kernels_${isa} PRIVATE -fno-sanitize=all)
  endif()
endforeach()

# What checks arguments, passes calls on and explains has no loops to unroll: -O3 only makes it
# larger, by 80 KB. Setting and extracting elements is all that some programs do.
set(plain_code ${library_sources})
list(FILTER plain_code INCLUDE REGEX "src/(api|lazy/operations|ops/(op|hyper|hyper_lists)|graph/chain|mxm/(chain|explain|machine|calibrate))[/.]")
list(FILTER plain_code EXCLUDE REGEX "api_element\\.c$")
set_source_files_properties(${plain_code} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)

# Loops over values end with fewer than a vector has lanes; written out, these ends take 66 KB. Only
# the last of many vectors has one. A parameter of gcc's, which clang takes and does not know.
set(rolled_ends --param=max-completely-peel-times=1)
check_c_compiler_flag(${rolled_ends} GBLITE_ROLLS_ENDS)
if(GBLITE_ROLLS_ENDS AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  set(loops_over_values ${library_sources})
  list(FILTER loops_over_values INCLUDE REGEX "src/semiring/")
  set_source_files_properties(${loops_over_values} PROPERTIES COMPILE_OPTIONS ${rolled_ends})
endif()

gb_add_objects(gblite_objects ${library_sources})
target_include_directories(gblite_objects PRIVATE ${PROJECT_SOURCE_DIR}/src)
gb_add_objects(loader_objects ${loader_source})
target_include_directories(loader_objects PRIVATE ${PROJECT_SOURCE_DIR}/src)
gb_add_objects(gblite_io_objects ${io_sources})
target_link_libraries(gblite_io_objects PRIVATE ZLIB::ZLIB)

# gb_add_library(name objects...): the targets name (shared) and name_static.
function(gb_add_library name)
  set(objects ${ARGN})
  list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  add_library(${name} SHARED ${objects})
  add_library(${name}_static STATIC ${objects})
  add_library(gblite::${name} ALIAS ${name})
  add_library(gblite::${name}_static ALIAS ${name}_static)
  set(map ${PROJECT_SOURCE_DIR}/cmake/gblite.map)
  target_link_options(${name} PRIVATE "LINKER:--version-script=${map}")
  # Its workers sleep in it, also after a program that forgot gbl_finalize has closed it.
  target_link_options(${name} PRIVATE LINKER:-z,nodelete)
  if(NOT GBLITE_SANITIZE AND NOT GBLITE_FUZZ)
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${map}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name})
  foreach(target ${name} ${name}_static)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
    target_include_directories(${target} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endforeach()
endfunction()

list(TRANSFORM instruction_sets PREPEND kernels_ OUTPUT_VARIABLE kernel_objects)
# As sources of other libraries.
list(TRANSFORM kernel_objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE kernel_files)
gb_add_library(gblite gblite_objects loader_objects ${kernel_objects})
gb_add_library(gblite_io gblite_io_objects)

set(base_libraries Threads::Threads m ${CMAKE_DL_LIBS})
foreach(kind "" _static)
  target_link_libraries(gblite${kind} PRIVATE ${base_libraries})
  target_link_libraries(gblite_io${kind} PUBLIC gblite${kind} PRIVATE ZLIB::ZLIB ${base_libraries})
endforeach()

# gblite_semiring.h: kernels of the user's own semirings, from the bodies of the library's.
add_library(semiring INTERFACE)
add_library(gblite::semiring ALIAS semiring)
target_include_directories(semiring INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/gblite/kernel>)
target_link_libraries(semiring INTERFACE gblite)
include(cmake/gblite_add_semiring.cmake)

# GraphBLAS.h: the standard's names for gblite.
add_library(graphblas INTERFACE)
add_library(gblite::graphblas ALIAS graphblas)
target_link_libraries(graphblas INTERFACE gblite)
target_include_directories(graphblas INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include/graphblas>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/gblite>)

# src/cuda as a module of this name; more: options for nvcc.
function(gb_cuda_library name)
  gb_cuda_sources(cuda_sources cu)
  set(map ${PROJECT_SOURCE_DIR}/cmake/gblite_cuda.map)
  add_library(${name} MODULE ${cuda_sources} ${PROJECT_SOURCE_DIR}/src/cuda/device/library.c)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C CUDA_RUNTIME_LIBRARY None
    LINK_DEPENDS ${map})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/src)
  # No contraction, as on the host; no C++ runtime is needed by users of the library.
  target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;${ARGN};\
-Xcompiler=-Wall,-Wextra,-fno-exceptions,-fno-rtti,-fno-threadsafe-statics,-fvisibility=hidden>")
  if(GBLITE_WERROR)
    target_compile_options(${name} PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Werror>")
  endif()
  target_link_options(${name} PRIVATE "LINKER:--version-script=${map}" LINKER:-z,defs)
  target_link_libraries(${name} PRIVATE
    ${CUDAToolkit_LIBRARY_DIR}/libcudart_static.a Threads::Threads m ${CMAKE_DL_LIBS} rt)
endfunction()

if(gblite_with_cuda)
  gb_cuda_library(gblite_cuda)
endif()
