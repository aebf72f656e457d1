//===- npy.h - NumPy .npy files for tools and tests -------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes .npy files, versions 1 to 3, little-endian. Ownership and
// errors as in runtime.h. bf16, which NumPy does not name, is the two-byte void
// type "V2" that ml_dtypes writes. Floats of 8 bits and fewer are written as "V1",
// integers of 4 and 2 bits as those of 8. A file does not say which of them it holds:
// it is read as KILN_DTYPE_U8 or KILN_DTYPE_I8, and kiln_npy_reads_as says what that
// may stand for.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_NPY_H
#define KILN_NPY_H

#include "kiln/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_npy kiln_npy;

/// Reads a whole file; Fortran order is converted to row-major. Errors:
/// KILN-E0002 and E0004 (file), E0611 (malformed or unsupported), E0700.
KILN_API kiln_status *kiln_npy_read(const char *path, kiln_npy **out);
/// The same of the contents of a file; `where` is for messages.
KILN_API kiln_status *kiln_npy_parse(const char *where, const void *bytes, size_t size,
                                     kiln_npy **out);
KILN_API void kiln_npy_free(kiln_npy *array);

/// The array as a tensor whose name is NULL. It belongs to the array; data may
/// be written to and is aligned to 64 bytes.
KILN_API const kiln_tensor *kiln_npy_tensor(const kiln_npy *array);

/// Whether elements of the type `stored`, as read from a file, may be those of `wanted`:
/// the same, or the byte that a number of 8 bits and fewer has.
KILN_API int kiln_npy_reads_as(kiln_dtype stored, kiln_dtype wanted);

/// Writes a tensor, name ignored. A file already there is replaced only when
/// all is written. Errors: KILN-E0003, E0701.
KILN_API kiln_status *kiln_npy_write(const char *path, const kiln_tensor *tensor);

#ifdef __cplusplus
}
#endif

#endif // KILN_NPY_H
