# SPDX-License-Identifier: Apache-2.0
#
# What the toolchain files share. Compiler and libc are those that Debian installs for cross
# compiling; zlib and cJSON are in the folder that GBLITE_SYSROOT names (scripts/test_ports.sh fills
# it). Programs of the other architecture run in qemu, which finds their libc below /usr/TRIPLE.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GBLITE_SYSROOT)
set(CMAKE_FIND_ROOT_PATH ${GBLITE_SYSROOT} /usr/${port_triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE ${port_triple})
set(ENV{PKG_CONFIG_LIBDIR} ${GBLITE_SYSROOT}/usr/lib/${port_triple}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${GBLITE_SYSROOT})
set(CMAKE_CROSSCOMPILING_EMULATOR "${port_emulator};-L;/usr/${port_triple}")
