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
