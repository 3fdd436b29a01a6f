# SPDX-License-Identifier: Apache-2.0
#
# RISC-V of 64 bits on another machine: Debian's clang 16 with the libraries of its gcc 12, and qemu
# to run the tests (docs/ports.md). QEMU_CPU chooses the processor when tests run, for example
# rv64,v=true,vlen=256,vext_spec=v1.0; without `v=true` it has the portable kernels alone.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER clang-16)
set(CMAKE_C_COMPILER_TARGET riscv64-linux-gnu)
set(CMAKE_CXX_COMPILER NOTFOUND)
set(port_triple riscv64-linux-gnu)
set(port_emulator qemu-riscv64)
set(GBLITE_EMULATED_FEATURES v)
include(${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake)
