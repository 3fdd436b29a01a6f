# SPDX-License-Identifier: Apache-2.0
#
# The instruction sets that the kernels of products are compiled for: those of this processor's architecture, or
# what GBLITE_ISAS picks of them. Sets instruction_sets, their names, the plainest first; NAME_flags,
# what the compiler is told; NAME_needs, the words that must stand among the flags of /proc/cpuinfo
# for the set to run here; testable_sets, those that do, and best_testable_set. When kernels are
# chosen at run time, src/cpu/registry.c asks the processor itself.
set(instruction_sets "")

# gb_instruction_set(NAME ARCHITECTURES FLAGS flag... NEEDS word...)
function(gb_instruction_set name architectures)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(${architectures})$")
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 isa "" "" "FLAGS;NEEDS")
  set(instruction_sets ${instruction_sets} ${name} PARENT_SCOPE)
  set(${name}_flags ${isa_FLAGS} PARENT_SCOPE)
  set(${name}_needs ${isa_NEEDS} PARENT_SCOPE)
endfunction()

if(CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN" OR NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  message(FATAL_ERROR "gblite needs a processor of 64 bits that stores the lowest byte first; the "
    "compiler makes code for ${CMAKE_SYSTEM_PROCESSOR}, ${CMAKE_C_BYTE_ORDER}, with "
    "${CMAKE_SIZEOF_VOID_P} bytes in a pointer")
endif()

gb_instruction_set(portable ".*")
gb_instruction_set(avx2 "x86_64|AMD64"
  FLAGS -mavx2 -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt
  NEEDS avx2 fma bmi1 bmi2 abm popcnt)
gb_instruction_set(avx512 "x86_64|AMD64"
  FLAGS ${avx2_flags} -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512cd
    -mprefer-vector-width=512
  NEEDS ${avx2_needs} avx512f avx512dq avx512bw avx512vl avx512cd)
gb_instruction_set(sve "aarch64|arm64"
  FLAGS -march=armv8-a+sve
  NEEDS fphp asimdhp sve)
# gcc before 14 has no intrinsics for it.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "riscv64")
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -march=rv64gcv)
  check_c_source_compiles("#include <riscv_vector.h>
    int main(void) { return (int)__riscv_vcpop_m_b8(__riscv_vlm_v_b8(0, 1), 1); }" compiler_has_rvv)
  unset(CMAKE_REQUIRED_FLAGS)
  if(compiler_has_rvv)
    gb_instruction_set(rvv "riscv64" FLAGS -march=rv64gcv NEEDS v)
  else()
    message(STATUS "This compiler has no intrinsics of RVV 1.0: portable kernels alone")
    add_compile_definitions(GB_WITHOUT_RVV=1) # core/arch/riscv64.h
  endif()
endif()

# An emulator's processor has what the toolchain file says. In `isa: rv64imafdcv_zba` each letter is
# a word.
if(CMAKE_CROSSCOMPILING)
  set(cpu_flags ${GBLITE_EMULATED_FEATURES})
else()
  file(STRINGS /proc/cpuinfo cpu_flags REGEX "^(flags|Features|isa)" LIMIT_COUNT 1)
  if(cpu_flags MATCHES "rv64([a-z]+)")
    string(REGEX REPLACE "(.)" "\\1 " cpu_flags ${CMAKE_MATCH_1})
  endif()
  separate_arguments(cpu_flags)
endif()
set(testable_sets "")
foreach(isa ${instruction_sets})
  set(missing ${${isa}_needs})
  list(REMOVE_ITEM missing ${cpu_flags})
  if(missing)
    message(STATUS "This processor cannot run the ${isa} kernels")
  else()
    list(APPEND testable_sets ${isa})
  endif()
endforeach()
list(GET testable_sets -1 best_testable_set)

if(GBLITE_ISAS)
  set(wanted_sets ${GBLITE_ISAS})
  list(TRANSFORM wanted_sets REPLACE "^best$" ${best_testable_set})
  set(unknown_sets ${wanted_sets})
  list(REMOVE_ITEM unknown_sets ${instruction_sets})
  if(unknown_sets)
    list(JOIN instruction_sets ", " names)
    message(FATAL_ERROR "GBLITE_ISAS names '${unknown_sets}'; choose of ${names} and best, with ';' "
      "between them, or leave it empty for all")
  endif()
  foreach(isa ${instruction_sets})
    if(NOT isa IN_LIST wanted_sets)
      list(REMOVE_ITEM instruction_sets ${isa})
      list(REMOVE_ITEM testable_sets ${isa})
      string(TOUPPER ${isa} upper)
      add_compile_definitions(GB_WITHOUT_${upper}=1) # core/arch.h
    endif()
  endforeach()
  list(JOIN instruction_sets ", " names)
  if(NOT testable_sets)
    message(FATAL_ERROR "GBLITE_ISAS leaves ${names}, of which this processor runs none; add best")
  endif()
  list(GET testable_sets -1 best_testable_set)
  message(STATUS "Kernels for ${names} alone")
endif()
