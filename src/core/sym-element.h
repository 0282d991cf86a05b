/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-dtype.h"

G_BEGIN_DECLS

/* Elements of tensors as numbers.  They lie packed, as in a SymTensor: little-endian, those of less
 * than a byte from its low bits on (ONNX's order), at any alignment.  Strings are no numbers: no
 * function here takes them. */

/* What ONNX's Cast can be told about floats of 8 bits.  Without flags it is Cast's default. */
typedef enum {
  SYM_CAST_DEFAULT = 0,
  SYM_CAST_UNSATURATED =
      1 << 0, /* saturate=0: beyond the range lies Inf, or NaN where there is none */
  SYM_CAST_E8M0_DOWN = 1 << 1, /* round_mode of powers of two: "down" or "nearest", not "up" */
  SYM_CAST_E8M0_NEAREST = 1 << 2,
} SymCastFlags;

/* Whether elements of @dtype are numbers: not so strings and SYM_DTYPE_UNKNOWN. */
gboolean sym_dtype_is_numeric (SymDType dtype);

/* Element @i.  As double all are exact but 64-bit integers, which round; of a complex number it is
 * the real part.  As integer, floats are converted as sym_convert_elements does. */
double sym_element_get_double (SymDType dtype, const void *elements, gsize i);
gint64 sym_element_get_int (SymDType dtype, const void *elements, gsize i);
void sym_element_set_double (SymDType dtype, void *elements, gsize i, double value);
void sym_element_set_int (SymDType dtype, void *elements, gsize i, gint64 value);

/* The imaginary part of a complex number, 0 of all others. */
double sym_element_get_imaginary (SymDType dtype, const void *elements, gsize i);

/* Appends the shortest text that reads back as the same element: 0.1, -3, True, nan, (1+2j). */
void sym_element_append_text (GString *out, SymDType dtype, const void *elements, gsize i);

/* Converts @n elements as ONNX Cast-25 does; the two places must not overlap.  To floats: to
 * nearest, ties to even; beyond the range Inf, or for 8 bits and fewer the largest number. Integers
 * to integers: the low bits.  Floats to integers: towards zero; where ONNX leaves open what NaN and
 * numbers beyond the range become, it is what C programs get on x86-64.  To bool: whether it is not
 * zero.  Of complex numbers, others get the real part.  Unused bits of the last byte become 0. */
void
sym_convert_elements (SymDType from_dtype, const void *from, SymDType to_dtype, void *to, gsize n);
void sym_cast_elements (SymDType from_dtype,
                        const void *from,
                        SymDType to_dtype,
                        void *to,
                        gsize n,
                        SymCastFlags flags);

G_END_DECLS
