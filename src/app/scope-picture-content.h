/* SPDX-License-Identifier: MIT */
#pragma once

#include <gdk/gdk.h>

#include "draw/sym-draw.h"

G_BEGIN_DECLS

/* A picture on the clipboard as SVG, which is written when somebody wants it, in a thread. */
#define SCOPE_TYPE_PICTURE_CONTENT (scope_picture_content_get_type ())
G_DECLARE_FINAL_TYPE (ScopePictureContent,
                      scope_picture_content,
                      SCOPE,
                      PICTURE_CONTENT,
                      GdkContentProvider)

GdkContentProvider *scope_picture_content_new (SymPicture *picture);

G_END_DECLS
