/* SPDX-License-Identifier: Apache-2.0
 *
 * Tier 3, utilities: life of the library, settings, progress, texts of errors. Included by
 * gblite.h, whose common rules hold here.
 */
#ifndef GBLITE_CONTEXT_H
#define GBLITE_CONTEXT_H

#include "gblite_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------- life -- */

/* gbl_init: Makes the library ready; all settings get their defaults.
 * gbl_init_with_allocator: The same with an allocator of the user's. gblite addition.
 * gbl_finalize: Ends the use of the library, after which gbl_init may be called again.
 * With GBL_NONBLOCKING an operation is done when it returns, except for work that gbl_O_wait
 * finishes, deferred products of gbl_mxm, gbl_mxv and gbl_vxm, and calls of eWise, apply and assign
 * that change values in place, which run in one pass. With GBL_BLOCKING all of it is done:
 * setElement and removeElement write the arrays of the object, and a product that ran on the GPU is
 * on the host. The value of an entry that exists, and any element of a dense vector, are written in
 * O(log n); a new or a removed entry of rows moves all entries and row pointers behind it, O(n +
 * m), so a matrix is better made by build, or with GBL_NONBLOCKING. The functions replace those of
 * the C library and must be thread safe; without a realloc (NULL) arrays grow by copies, which may
 * exceed GBL_MEMORY_LIMIT. GBL_INVALID_VALUE: the library is (finalize: is not) initialised, the
 * mode is neither, or GBLITE_ISA or GBLITE_MEMORY_LIMIT in the environment makes no sense;
 * GBL_NULL_POINTER: malloc without free, or the reverse. */
gbl_Info gbl_init(gbl_Mode mode);
gbl_Info gbl_init_with_allocator(gbl_Mode mode, void *(*user_malloc)(size_t),
                                 void *(*user_realloc)(void *, size_t), void (*user_free)(void *));
gbl_Info gbl_finalize(void);
/* gbl_getVersion: The version of the C API that the names follow. */
gbl_Info gbl_getVersion(unsigned int *version, unsigned int *subversion);

/* ----------------------------------------------------------------------------- settings -- */

/* Fields of objects, and how to read and set all fields: gblite_fields.h. */
typedef enum {
    /* of descriptors: those of gbl_Desc_Field */
    GBL_OUTP_FIELD = 0,
    GBL_MASK_FIELD = 1,
    GBL_INP0_FIELD = 2,
    GBL_INP1_FIELD = 3,
    /* of the library */
    GBL_NAME = 10,              /* get, string; of objects too */
    GBL_LIBRARY_VER_MAJOR = 11, /* get */
    GBL_LIBRARY_VER_MINOR = 12, /* get */
    GBL_LIBRARY_VER_PATCH = 13, /* get */
    GBL_API_VER_MAJOR = 14,     /* get */
    GBL_API_VER_MINOR = 15,     /* get */
    GBL_API_VER_PATCH = 16,     /* get */
    GBL_BLOCKING_MODE = 17,     /* get, a gbl_Mode */
    /* of objects */
    GBL_STORAGE_ORIENTATION_HINT = 100, /* a gbl_Orientation; of the library too */
    GBL_EL_TYPE_CODE = 102,             /* get, a gbl_Type_Code */
    GBL_INP0_TYPE_CODE = 103,
    GBL_INP1_TYPE_CODE = 104,
    GBL_OUTP_TYPE_CODE = 105,
    GBL_EL_TYPE_STRING = 106, /* get, string: the GBL_NAME of the type */
    GBL_INP0_TYPE_STRING = 107,
    GBL_INP1_TYPE_STRING = 108,
    GBL_OUTP_TYPE_STRING = 109,
    GBL_SIZE = 110,                 /* get, size_t: bytes of a value */
    GBL_NTHREADS = 7100,            /* gblite addition: threads of one call; see below */
    GBL_MEMORY_LIMIT = 7101,        /* gblite addition: bytes beyond a product's result; 0 = none */
    GBL_POOL_LIMIT = 7102,          /* gblite addition: bytes of freed blocks kept for reuse */
    GBL_BYTES_IN_USE = 7103,        /* gblite addition: get; bytes held by objects and workspace */
    GBL_BLOCKS_IN_USE = 7104,       /* gblite addition: get; their blocks; exact between calls */
    GBL_PLACE = 7105,               /* gblite addition: where gbl_mxm runs, a gbl_Place */
    GBL_DEVICE_MEMORY_LIMIT = 7106, /* gblite addition: bytes on the GPU; 0 = what it has */
    GBL_DEVICE_BYTES_IN_USE = 7107, /* gblite addition: get */
    GBL_DEVICE_BYTES_PEAK = 7108,   /* gblite addition: the most in use since it was set, to 0 */
    GBL_BYTES_PEAK = 7109,          /* gblite addition: the most in use since it was set, to 0 */
    GBL_POOL_BYTES = 7110,          /* gblite addition: get; bytes of freed blocks kept for reuse */
    GBL_FRESH_BYTES = 7111,         /* gblite addition: get; bytes that no kept block could serve */
    GBL_DEADLINE = 7112,            /* gblite addition: seconds that a call may take; 0 = any */
    GBL_SYMMETRIC = 7113,           /* gblite addition: of matrices; gblite_fields.h */
    GBL_CUDA_STREAM = 7114,         /* gblite addition: set; a cudaStream_t; 0 = the library's */
    GBL_BY_POSITION = 7115,         /* gblite addition: get; gblite_fields.h */
    GBL_TRACE = 7116                /* gblite addition: of the library; see below */
} gbl_Field;
/* GBL_NTHREADS: a call runs on so many threads at most, 1 to 1024: its caller, and workers of the
 * library, which all callers share. 0 sets the default: GBLITE_THREADS in the environment, or the
 * first number of OMP_NUM_THREADS, or else the processors that the calling thread may run on.
 * Workers are made when a call first wants them; where the system refuses some, calls run on the
 * existing ones, and reading the field gives their number, until it is set again. gbl_finalize ends
 * them. A child made by fork() has none of its parent's and makes its own; functions that the
 * library calls must not fork. Other threads of the parent may be in the library: objects that they
 * read, convert or copy are whole in the child, and deferred products that they execute are
 * executed anew. An object that one of them was writing by an operation, setElement or
 * removeElement is lost: calls on it return GBL_INVALID_OBJECT with its name and size, and it can
 * be freed (its arrays stay allocated). What build, resize, clear or free was changing, and the
 * second output of a call, must not be used. */
/* GBL_TRACE: what each call that has an explanation (gblite_explain.h) writes to stderr: 0 nothing,
 * 1 a line, 2 the whole text, 3 an object of JSON on a line. gbl_init sets it as GBLITE_TRACE in
 * the environment says (0, 1, 2, json). Set it when no other call runs. */
/* GBL_DEADLINE: a real number, of the library and of descriptors; that of a descriptor holds for
 * calls that it is passed to. A call that is not done by then returns GBL_CANCELLED, its outputs
 * unchanged (arrays of yours that it fills may be partly written), mostly within 50 ms: long passes
 * look at the clock as they go. To its end goes what writes into its output in place, a product of
 * a sparse vector by rows, and passes of a second and more that one thread makes over one row. A
 * GPU ends its kernels. A deferred product that is cancelled stays deferred. */
/* gblite addition. A requested device that is not possible for a product of matrices (mxm) is an
 * error that says why; AUTO takes the CPU then. Other operations, mxv and vxm among them, run on
 * the GPU where it is requested, or alone holds an operand, and has kernels and memory, else on the
 * CPU (docs/cuda.md). DEFAULT is what the environment variable GBLITE_PLACE (cpu, gpu, auto) says,
 * or CPU without it. */
typedef enum {
    GBL_PLACE_DEFAULT = 0,
    GBL_PLACE_CPU = 1,
    GBL_PLACE_GPU = 2,
    GBL_PLACE_AUTO = 3
} gbl_Place;

/* GBL_CUDA_STREAM: work on the GPU follows what the stream holds, and what comes later in the
 * stream follows that work; side streams are joined to it. The stream, of the device that
 * GBLITE_DEVICE names, stays the program's: it must live until another is set or gbl_finalize,
 * which forgets it. For CUDA's default streams give cudaStreamLegacy (1) or cudaStreamPerThread
 * (2). */
extern gbl_Global const GBL_GLOBAL;
/* gbl_Global_set_INT64: Sets a field of the library to a wide number. gblite addition.
 * gbl_Global_get_INT64: The value of a field that is a number, as a wide one. gblite addition.
 * Errors: those of gbl_O_set_INT32 and gbl_O_get_INT32 in gblite_fields.h. */
gbl_Info gbl_Global_set_INT64(gbl_Global g, int64_t value, gbl_Field field);
gbl_Info gbl_Global_get_INT64(gbl_Global g, int64_t *value, gbl_Field field);

/* gbl_Global_set_FP64: Sets a field of the library that is a real number: GBL_DEADLINE.
 * gblite addition.
 * gbl_Global_get_FP64: Its value. gblite addition. Errors: those of gbl_Global_set_INT64. */
gbl_Info gbl_Global_set_FP64(gbl_Global g, double value, gbl_Field field);
gbl_Info gbl_Global_get_FP64(gbl_Global g, double *value, gbl_Field field);

/* gbl_cuda_allocator: Memory of the GPU comes from functions of the program, a pool that it shares
 * with other libraries for example. gblite addition.
 * `allocate` returns `bytes` of device memory, at a multiple of 256, for use in the order of
 * `stream` (a cudaStream_t), or NULL where it has none: then copies that are not in use go, and it
 * is asked again. `release` gets the block back, with its size, in the order of the stream. Both
 * get `state`, run under a lock of the GPU, and must not call gblite. NULL, NULL: the library's own
 * pool. gbl_finalize forgets them. Other GPUs of an approximate product use pools of their own.
 * Errors: GBL_NULL_POINTER for one without the other, GBL_INVALID_VALUE while something is on the
 * GPU, GBL_PANIC before gbl_init. Cost: O(1). Any thread may call it. */
typedef void *(*gbl_cuda_allocate)(void *state, size_t bytes, void *stream);
typedef void (*gbl_cuda_release)(void *state, void *block, size_t bytes, void *stream);
gbl_Info gbl_cuda_allocator(gbl_cuda_allocate allocate, gbl_cuda_release release, void *state);

/* gbl_trim: Gives freed blocks that are kept for reuse back to the system. gblite addition.
 * Freed blocks of 256 KB and more are kept for later calls, since fresh memory is slow to touch:
 * within GBL_POOL_LIMIT (a quarter of the memory that the process may use, unless it is set), and
 * only as many as two kinds of calls in turns needed recently. What has not been used for 10 to 20
 * seconds, or while 16 to 32 times as many bytes were handed out, goes back to the system during
 * later calls of the library. gbl_trim gives blocks back now, those freed first before others,
 * until at most keep_bytes remain; gbl_finalize gives back all of them. Cost: about 0.2 ms per MB,
 * less with huge pages, and later calls pay for fresh memory instead. Errors: GBL_PANIC before
 * gbl_init. Any number of threads may call it, also while others run operations. */
gbl_Info gbl_trim(uint64_t keep_bytes);

/* gbl_parallel: Calls part(context, k) once for each k in [0, n), on up to GBL_NTHREADS threads.
 * gblite addition. For code around the library, so that it needs no second set of threads. The
 * caller and the library's idle workers take parts as they come, in no order; parts must not wait
 * for each other, and calls of the library inside a part run on its thread alone where n > 1.
 * Returns when all parts are done; what they wrote can be read then. Any number of threads may call
 * at once. Takes about 0.2 us, and 10 us where workers must be woken. Without gbl_init the caller
 * does it all. */
void gbl_parallel(gbl_Index n, void (*part)(void *context, gbl_Index k), void *context);

/* gbl_call_begin: From here on the calls of this thread are one for GBL_DEADLINE and progress.
 * gblite addition. The deadline is that of the library. For functions of your own that take long;
 * readers of gblite_io.h do so.
 * gbl_call_end: Ends what gbl_call_begin began. gblite addition. Pairs may nest.
 * gbl_call_state: Whether the call is to end: GBL_CANCELLED, else GBL_SUCCESS. gblite addition.
 * Between the two, also inside gbl_parallel.
 * gbl_call_part: The same, and tells progress what part of the call is done. gblite addition. In
 * (0, 1]; what is less than before is left out, so that threads need no order. */
void gbl_call_begin(void);
void gbl_call_end(void);
gbl_Info gbl_call_state(void);
gbl_Info gbl_call_part(double done);

/* ------------------------------------------------------------------ progress and errors -- */

/* gbl_set_progress: A function that is called now and then during products, calibration and other
 * calls that take long. gblite addition. It gets the part done, in [0, 1] (0 of a "call" that does
 * not know it), and returns false to cancel: the operation then returns GBL_CANCELLED. It is
 * called by one thread at a time, which may be any thread of the operation; a report that comes
 * while another thread's is being made is left out. It may call the library: operations inside it
 * report nothing, and gbl_set_progress holds from the next report on. Elsewhere gbl_set_progress
 * waits for the end of a report. NULL turns it off. Needs no gbl_init.
 */
typedef bool (*gbl_Progress)(void *context, const char *what, double done);
gbl_Info gbl_set_progress(gbl_Progress callback, void *context);

/* gbl_last_error: The text of the calling thread's last error, whatever the object.
 * gblite addition. Never NULL; valid until the thread's next error. It names the argument, what was
 * wrong and what would be right. Reporting an error allocates nothing. */
const char *gbl_last_error(void);
/* gbl_fail: Sets that text, as printf would, and returns code. gblite addition.
 * For libraries built on gblite. object: the output of the failed call, whose gbl_O_error then
 * returns the text, or NULL. */
gbl_Info gbl_fail(gbl_Info code, const void *object, const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
