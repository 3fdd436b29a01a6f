# SPDX-License-Identifier: Apache-2.0
#
# libgraphblas.so.9 and .10: SuiteSparse:GraphBLAS's symbols on gblite (compat/suitesparse), in a
# folder of their own that no program finds by accident, and gblite-suitesparse, which runs a program
# on them. Release 10 adds symbols to those of 9: the two differ in the version that they say, and in
# the struct of iterators.
set(compat_dir ${PROJECT_SOURCE_DIR}/compat/suitesparse)
set(compat_made ${PROJECT_BINARY_DIR}/compat)
set(compat_folder ${CMAKE_INSTALL_LIBDIR}/gblite-suitesparse)
file(MAKE_DIRECTORY ${compat_made})
file(GLOB compat_sources CONFIGURE_DEPENDS ${compat_dir}/*.c)
file(GLOB compat_headers CONFIGURE_DEPENDS include/graphblas/*.h)
file(GLOB compat_names CONFIGURE_DEPENDS include/*.h)

# Predefined objects and forwarding functions, from the table and gblite's own headers.
find_program(AWK awk REQUIRED)
set(compat_awk ${compat_dir}/names.awk ${compat_dir}/names.table)
add_custom_command(OUTPUT ${compat_made}/objects.c ${compat_made}/calls.c
  ${compat_made}/compat_values.h
  COMMAND ${AWK} -v want=values -f ${compat_awk} > ${compat_made}/compat_values.h
  COMMAND ${CMAKE_C_COMPILER} -E -P -I ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/include/gblite.h -o ${compat_made}/gblite.i
  COMMAND ${AWK} -v want=objects -f ${compat_awk} ${compat_made}/gblite.i > ${compat_made}/objects.c
  COMMAND ${AWK} -v want=calls -f ${compat_awk} ${compat_made}/gblite.i
    ${compat_headers} ${compat_sources} > ${compat_made}/calls.c
  DEPENDS ${compat_awk} ${compat_names} ${compat_headers} ${compat_sources} VERBATIM)

set(compat_own ${compat_dir}/library.c ${compat_dir}/iterator.c)
set(compat_common ${compat_sources} ${compat_made}/objects.c ${compat_made}/calls.c)
list(REMOVE_ITEM compat_common ${compat_own})
add_library(compat_objects OBJECT ${compat_common})
set_target_properties(compat_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)

function(gb_compat_settings target)
  target_include_directories(${target} PRIVATE ${compat_dir} ${compat_made}
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE -fno-strict-aliasing)
  target_link_libraries(${target} PRIVATE gblite Threads::Threads m)
endfunction()
gb_compat_settings(compat_objects)

function(gb_compat_library target version date)
  string(REPLACE "." ";" parts ${version})
  list(GET parts 0 major)
  list(GET parts 1 minor)
  list(GET parts 2 patch)
  add_library(${target} SHARED ${compat_own} $<TARGET_OBJECTS:compat_objects>)
  gb_compat_settings(${target})
  target_compile_definitions(${target} PRIVATE COMPAT_MAJOR=${major} COMPAT_MINOR=${minor}
    COMPAT_PATCH=${patch} "COMPAT_DATE=\"${date}\"")
  target_link_options(${target} PRIVATE
    "LINKER:--version-script=${compat_dir}/libgraphblas.map")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME graphblas VERSION ${version}
    SOVERSION ${major} LINK_DEPENDS ${compat_dir}/libgraphblas.map
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/gblite-suitesparse-${major}
    INSTALL_RPATH "$ORIGIN/..")
  install(TARGETS ${target} LIBRARY DESTINATION ${compat_folder} NAMELINK_SKIP)
endfunction()

gb_compat_library(graphblas_9 9.4.5 "Feb 20, 2025")
gb_compat_library(graphblas_10 10.5.1 "Sept 12, 2026")

configure_file(${compat_dir}/gblite-suitesparse.in ${PROJECT_BINARY_DIR}/gblite-suitesparse.sh @ONLY)
install(PROGRAMS ${PROJECT_BINARY_DIR}/gblite-suitesparse.sh RENAME gblite-suitesparse
  TYPE BIN)
