# SPDX-License-Identifier: Apache-2.0
#
# Whether src/cuda is compiled: sets gblite_with_cuda. AUTO takes nvcc where it is and the build is
# an ordinary one; sanitizers and counters are for code of the host.
set(gblite_with_cuda OFF)
if(GBLITE_CUDA STREQUAL "OFF" OR
    (GBLITE_CUDA STREQUAL "AUTO" AND (GBLITE_SANITIZE OR GBLITE_COVERAGE OR GBLITE_FUZZ)))
  message(STATUS "CUDA: off, CPU kernels only")
else()
  # Machine code for A100 and H100/H200, and PTX for what comes later.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
  endif()
  check_language(CUDA)
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
