/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of semirings are compiled once for each type of values, in parallel: a file *.typed.cu is
 * included by one that defines GB_TYPE, FP64 and so on (cmake/cuda.cmake), and defines
 * GB_TYPED(name)(ring).
 */
#ifndef GB_CUDA_PRIM_TYPED_CUH
#define GB_CUDA_PRIM_TYPED_CUH

/* Types by name: semirings of INT64 and INT32 compute with unsigned numbers. */
enum { GB_OF_FP64, GB_OF_FP32, GB_OF_INT64, GB_OF_INT32, GB_OF_BOOL };

#define GB_TYPED__(name, type) name##_##type
#define GB_TYPED_(name, type) GB_TYPED__(name, type)
#define GB_TYPED(name) GB_TYPED_(name, GB_TYPE)
/* Declares name_FP64(ring) and so on, and name(ring), which asks all of them; R is a pointer. */
#define GB_DECLARE_TYPED(R, name)                                                                  \
    R name##_FP64(int ring);                                                                       \
    R name##_FP32(int ring);                                                                       \
    R name##_INT64(int ring);                                                                      \
    R name##_INT32(int ring);                                                                      \
    R name##_BOOL(int ring);                                                                       \
    static inline R name(int ring) {                                                               \
        R found = name##_FP64(ring);                                                               \
        if (found == NULL) found = name##_FP32(ring);                                              \
        if (found == NULL) found = name##_INT64(ring);                                             \
        if (found == NULL) found = name##_INT32(ring);                                             \
        return found != NULL ? found : name##_BOOL(ring);                                          \
    }

#endif
