# SPDX-License-Identifier: Apache-2.0
#
# AArch64 on another machine: Debian's gcc 12, and qemu to run the tests (docs/ports.md). QEMU_CPU
# chooses the processor when tests run, for example max,sve-default-vector-length=32.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc-12)
set(CMAKE_CXX_COMPILER NOTFOUND)
set(port_triple aarch64-linux-gnu)
set(port_emulator qemu-aarch64)
set(GBLITE_EMULATED_FEATURES fphp asimdhp sve)
include(${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake)
