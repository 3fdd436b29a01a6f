# SPDX-License-Identifier: Apache-2.0
#
# gblite_add_semiring(TARGET FILE... [GPU]): compiles C files that include gblite_semiring.h into the
# target, on x86-64 for AVX2 and AVX-512 too, of which gbl_Semiring_compiled takes the best that the
# processor has. GPU: by nvcc too, in projects that have enabled CUDA.
function(gblite_add_semiring target)
  cmake_parse_arguments(PARSE_ARGV 1 own "GPU" "" "")
  set(files ${own_UNPARSED_ARGUMENTS})
  target_sources(${target} PRIVATE ${files})
  target_link_libraries(${target} PRIVATE gblite::semiring)
  # Without contraction floats are the same with every set. Vectors stay within a file.
  set_source_files_properties(${files} PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-Wno-psabi")
  if(own_GPU)
    foreach(file ${files})
      cmake_path(GET file STEM name)
      cmake_path(ABSOLUTE_PATH file NORMALIZE)
      file(CONFIGURE OUTPUT ${target}_${name}.cu CONTENT "#include \"${file}\"\n")
      target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}_${name}.cu)
    endforeach()
    target_compile_features(${target} PRIVATE cuda_std_17)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>)
  endif()
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    return()
  endif()
  foreach(level v3 v4)
    add_library(${target}_${level} OBJECT ${files})
    target_compile_definitions(${target}_${level} PRIVATE GBL_KERNEL_SET=1)
    target_compile_options(${target}_${level} PRIVATE -march=x86-64-${level})
    target_include_directories(${target}_${level} PRIVATE
      $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_link_libraries(${target}_${level} PRIVATE gblite::semiring)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${level}>)
  endforeach()
endfunction()
