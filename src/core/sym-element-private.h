/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-element.h"

G_BEGIN_DECLS

/* The floats of at most 16 bits, by their bits.  @dtype is one of them. */
double sym_element_decode (SymDType dtype, guint16 bits);
guint16 sym_element_encode (SymDType dtype, double value, SymCastFlags flags);

/* In bulk between these and float32. */
void sym_element_widen_float16 (const void *from, void *to, gsize n);
void sym_element_narrow_float16 (const void *from, void *to, gsize n);
void sym_element_widen_bfloat16 (const void *from, void *to, gsize n);
void sym_element_narrow_bfloat16 (const void *from, void *to, gsize n);

G_END_DECLS
