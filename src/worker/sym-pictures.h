/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/sym-pictures-protocol.h"

G_BEGIN_DECLS

/* symscope-pictures' parts. */

/* ---- sym-pictures-decode.c ---- */

/* Answers with the pixels, or with a failure.  FALSE when nobody listens. */
gboolean sym_pictures_decode (const SymPicturesDecode *request, const guint8 *bytes, gsize size);

/* ---- sym-pictures-encode.c ---- */

/* Answers with the file, or with a failure.  The pixels are turned around in their place. */
gboolean sym_pictures_encode (const SymPicturesEncode *request, guint8 *pixels);

/* ---- sym-pictures.c ---- */

/* Once all libraries have been loaded, and before anything is read of a picture. */
void sym_pictures_give_up_rights (void);

G_END_DECLS
