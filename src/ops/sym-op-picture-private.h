/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-kernel.h"
#include "worker/sym-pictures-protocol.h"

G_BEGIN_DECLS

/* Files of pictures: which format they are in, and what symscope-pictures makes of them. */

/* ---- sym-op-picture-format.c ---- */

/* The format by the first bytes.  FALSE with an error that names what else they are, if that is
 * known, and the formats that are read. */
gboolean sym_op_picture_recognise (const guint8 *bytes,
                                   gsize size,
                                   SymPicturesFormat *format,
                                   GError **error);

/* ---- sym-op-picture-client.c ---- */

/* Output 0 is the pixels of operand 0, bytes [n] of a file: uint8 [height, width, channels]. */
gboolean sym_op_picture_decode (SymKernel *kernel, SymPicturesChannels channels, GError **error);

/* Output 0 is a file [n] of the pixels of operand 0, uint8 [height, width, 3] with blue first. */
gboolean sym_op_picture_encode (SymKernel *kernel, SymPicturesFormat format, GError **error);

G_END_DECLS
