# SPDX-License-Identifier: Apache-2.0
#
# Whether src/cuda is compiled: sets gblite_with_cuda. AUTO takes nvcc where it is and the build is
# an ordinary one; sanitizers and counters are for code of the host.
set(gblite_with_cuda OFF)

# Machine code for A100, H100/H200, B100/B200 and RTX 50, those of them that nvcc has, and PTX of the
# last one for what comes later.
function(gb_cuda_architectures result)
  set(found "")
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch OUTPUT_VARIABLE known
    RESULT_VARIABLE status ERROR_QUIET)
  foreach(number 80 90 100 120)
    if(known MATCHES "compute_${number}[\r\n]")
      list(APPEND found ${number}-real)
    endif()
  endforeach()
  if(NOT status EQUAL 0 OR found STREQUAL "")
    set(found 80-real 90-real) # an nvcc that does not tell
  endif()
  list(POP_BACK found last)
  string(REPLACE "-real" "" last ${last})
  set(${result} ${found} ${last} PARENT_SCOPE)
endfunction()

# The sources of src/cuda as files of the build folder with this extension, each of which includes
# one: *.typed.cu for each type of values, with GB_TYPE defined, so that semirings compile in
# parallel. nvcc gets .cu, and the C++ compiler of cmake/cuda_on_cpu.cmake .cpp.
function(gb_cuda_sources result extension)
  set(made "")
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/src/cuda/*/*.cu)
  foreach(source ${sources})
    string(REGEX REPLACE "^cuda/(.*)/([^.]*).*$" "\\1_\\2" name ${source})
    set(types "")
    if(source MATCHES "\\.typed\\.cu$")
      set(types FP64 FP32 INT64 INT32 BOOL)
    else()
      list(APPEND made ${PROJECT_BINARY_DIR}/cuda/${name}.${extension})
      file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/cuda/${name}.${extension}
        CONTENT "#include \"${source}\"\n")
    endif()
    foreach(type ${types})
      list(APPEND made ${PROJECT_BINARY_DIR}/cuda/${name}_${type}.${extension})
      file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/cuda/${name}_${type}.${extension}
        CONTENT "#define GB_TYPE ${type}\n#include \"${source}\"\n")
    endforeach()
  endforeach()
  set(${result} ${made} PARENT_SCOPE)
endfunction()

if(GBLITE_CUDA STREQUAL "OFF" OR
    (GBLITE_CUDA STREQUAL "AUTO" AND (GBLITE_SANITIZE OR GBLITE_COVERAGE OR GBLITE_FUZZ)))
  message(STATUS "CUDA: off, CPU kernels only")
else()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER AND NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    gb_cuda_architectures(CMAKE_CUDA_ARCHITECTURES)
  endif()
  if(CMAKE_CUDA_COMPILER AND CMAKE_CXX_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(gblite_with_cuda ON)
    message(STATUS "CUDA: ${CMAKE_CUDA_COMPILER_VERSION}, for ${CMAKE_CUDA_ARCHITECTURES}")
  elseif(GBLITE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "GBLITE_CUDA=ON needs nvcc and a C++ compiler; put nvcc on PATH or set "
      "CMAKE_CUDA_COMPILER")
  else()
    message(STATUS "CUDA: no nvcc here, CPU kernels only")
  endif()
endif()
