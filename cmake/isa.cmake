# SPDX-License-Identifier: Apache-2.0
#
# The instruction sets that src/cpu/isa is compiled for. Sets instruction_sets, the names of those
# for this processor's architecture, the plainest first; NAME_flags, what the compiler is told;
# NAME_needs, the words that must stand among the flags of /proc/cpuinfo for the set to run here;
# testable_sets, those that do, and best_testable_set. When kernels are chosen at run time, src/backend/processor.c asks the processor itself.
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

gb_instruction_set(portable ".*")
gb_instruction_set(avx2 "x86_64|AMD64"
  FLAGS -mavx2 -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt
  NEEDS avx2 fma bmi1 bmi2 abm popcnt)
gb_instruction_set(avx512 "x86_64|AMD64"
  FLAGS ${avx2_flags} -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512cd
    -mprefer-vector-width=512
  NEEDS ${avx2_needs} avx512f avx512dq avx512bw avx512vl avx512cd)

file(STRINGS /proc/cpuinfo cpu_flags REGEX "^flags" LIMIT_COUNT 1)
separate_arguments(cpu_flags)
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
