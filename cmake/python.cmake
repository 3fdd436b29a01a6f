# SPDX-License-Identifier: Apache-2.0
#
# The Python package, complete in the folder python/gblite of the build, from where tests import it
# and wheels are made (python/pyproject.toml). It wants cffi when it is built, and numpy and cffi
# when it is used; no compiled part knows of Python, so one package serves all versions.
#   libgblite_python.so  gblite, gblite_io and the algorithms of examples/ in one library
#   _ffi.py              its declarations (python/make_ffi.py)
# Distributions that have the library set GBLITE_PYTHON_SHARED, so that libgblite_python.so is those
# algorithms alone, and GBLITE_PYTHON_FOLDER, where `cmake --install` puts the package then.
# AUTO leaves it out where there is no Python with cffi, and in builds for sanitizers and counters.
if(GBLITE_PYTHON STREQUAL "OFF" OR (GBLITE_PYTHON STREQUAL "AUTO" AND
    (GBLITE_SANITIZE OR GBLITE_COVERAGE OR GBLITE_FUZZ OR GBLITE_TINY OR NOT PROJECT_IS_TOP_LEVEL)))
  return()
endif()
if(DEFINED Python3_EXECUTABLE) # a build of a wheel says which
  set(python_program ${Python3_EXECUTABLE})
else()
  find_program(python_program python3 HINTS /usr/bin)
endif()
function(gb_python_has result)
  list(TRANSFORM ARGN PREPEND "import " OUTPUT_VARIABLE imports)
  set(status 1)
  if(python_program)
    execute_process(COMMAND ${python_program} -c "${imports}" RESULT_VARIABLE status
      OUTPUT_QUIET ERROR_QUIET)
  endif()
  string(COMPARE EQUAL "${status}" 0 found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

gb_python_has(python_can_build cffi)
if(NOT python_can_build)
  if(GBLITE_PYTHON STREQUAL "ON")
    message(FATAL_ERROR "GBLITE_PYTHON=ON needs python3 with cffi (Debian: python3-cffi)")
  endif()
  message(STATUS "Python: no python3 with cffi here, the package is not built")
  return()
endif()

set(package ${PROJECT_BINARY_DIR}/python/gblite)
set(python_c python/algorithms.c python/searches.c python/arrays.c python/dense.c
  python/matrices.c python/tuples.c)
option(GBLITE_PYTHON_SHARED "libgblite_python.so needs libgblite_io.so instead of having it inside" OFF)
set(GBLITE_PYTHON_FOLDER "" CACHE STRING
  "Folder below the prefix that the Python package is installed into; empty: it is not")
if(GBLITE_PYTHON_SHARED)
  add_library(gblite_python SHARED ${python_c})
  target_link_libraries(gblite_python PRIVATE gblite_io)
  # Python finds the functions of the libraries through this one, which calls few of them itself.
  target_link_options(gblite_python PRIVATE LINKER:--no-as-needed)
else()
  add_library(gblite_python SHARED ${python_c} $<TARGET_OBJECTS:gblite_objects>
    $<TARGET_OBJECTS:loader_objects> $<TARGET_OBJECTS:gblite_io_objects> ${kernel_files})
endif()
set(map ${PROJECT_SOURCE_DIR}/cmake/gblite_python.map)
set_target_properties(gblite_python PROPERTIES LINKER_LANGUAGE C LINK_DEPENDS ${map}
  LIBRARY_OUTPUT_DIRECTORY ${package})
target_include_directories(gblite_python PRIVATE include examples)
target_compile_options(gblite_python PRIVATE -fno-semantic-interposition)
target_link_options(gblite_python PRIVATE "LINKER:--version-script=${map}" LINKER:-z,nodelete
  LINKER:-z,defs)
target_link_libraries(gblite_python PRIVATE ZLIB::ZLIB ${base_libraries})

file(GLOB public_headers CONFIGURE_DEPENDS include/*.h)
add_custom_command(OUTPUT ${package}/_ffi.py
  COMMAND ${python_program} ${PROJECT_SOURCE_DIR}/python/make_ffi.py ${CMAKE_C_COMPILER}
    ${PROJECT_SOURCE_DIR}/include ${package}/_ffi.py
  DEPENDS python/make_ffi.py python/interface.h ${public_headers} VERBATIM)
set(package_files ${package}/_ffi.py)
file(GLOB python_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/python/gblite
  python/gblite/*.py python/gblite/*.pyi python/gblite/py.typed)
foreach(source ${python_sources})
  add_custom_command(OUTPUT ${package}/${source}
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/python/gblite/${source} ${package}
    DEPENDS python/gblite/${source} VERBATIM)
  list(APPEND package_files ${package}/${source})
endforeach()
add_custom_target(python_package ALL DEPENDS gblite_python ${package_files})
# Semiring.compile makes kernels of the headers: include and kernel beside the modules.
file(MAKE_DIRECTORY ${package})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include ${package}/include SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src ${package}/kernel SYMBOLIC)
function(gb_install_headers folder)
  install(FILES ${public_headers} DESTINATION ${folder}/include COMPONENT python)
  install(DIRECTORY src/core src/semiring src/kernel_api src/cpu DESTINATION ${folder}/kernel
    COMPONENT python FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
endfunction()
if(SKBUILD) # pip says where, and what it is called
  install(TARGETS gblite_python LIBRARY DESTINATION gblite COMPONENT python)
  install(FILES ${package_files} DESTINATION gblite COMPONENT python)
  gb_install_headers(gblite)
elseif(GBLITE_PYTHON_FOLDER)
  set(info ${PROJECT_BINARY_DIR}/python/gblite-${PROJECT_VERSION}.dist-info)
  add_custom_command(OUTPUT ${info}/METADATA ${info}/entry_points.txt
    COMMAND ${python_program} ${PROJECT_SOURCE_DIR}/python/make_info.py ${PROJECT_VERSION} ${info}
    DEPENDS python/make_info.py python/pyproject.toml python/README.md VERBATIM)
  add_custom_target(python_info ALL DEPENDS ${info}/METADATA ${info}/entry_points.txt)
  set_target_properties(gblite_python PROPERTIES INSTALL_RPATH "")
  install(TARGETS gblite_python LIBRARY DESTINATION ${GBLITE_PYTHON_FOLDER}/gblite)
  install(FILES ${package_files} DESTINATION ${GBLITE_PYTHON_FOLDER}/gblite)
  gb_install_headers(${GBLITE_PYTHON_FOLDER}/gblite)
  install(DIRECTORY ${info} DESTINATION ${GBLITE_PYTHON_FOLDER})
endif()

gb_python_has(python_can_test cffi numpy scipy pytest)
if(GBLITE_TESTS AND python_can_test)
  add_test(NAME python COMMAND ${python_program} -B -m pytest -q -p no:cacheprovider
    --doctest-modules --doctest-ignore-import-errors ${package} ${PROJECT_SOURCE_DIR}/python/tests)
  set_tests_properties(python PROPERTIES
    ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python;GBLITE_CONFIG=off")
endif()
