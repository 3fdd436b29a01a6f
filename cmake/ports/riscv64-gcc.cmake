# SPDX-License-Identifier: Apache-2.0
#
# The same by Debian's gcc 12, which has no intrinsics of RVV: the portable kernels.
include(${CMAKE_CURRENT_LIST_DIR}/riscv64.cmake)
set(CMAKE_C_COMPILER riscv64-linux-gnu-gcc-12)
unset(CMAKE_C_COMPILER_TARGET)
set(GBLITE_EMULATED_FEATURES "")
