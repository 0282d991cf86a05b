/* SPDX-License-Identifier: MIT */
#include "core/sym-child-talk.h"
#include "core/sym-kernel-wait.h"
#include "ops/sym-op-kernel.h"
#include "ops/sym-op-picture-private.h"

/* Each picture has a process of its own, so that none sees another, and what a hostile one has done
 * to it ends with it. */

/* How long the process may be silent.  It ends by itself before that, but where it has to share the
 * processor. */
#define SILENT_SECONDS 120
#define MAX_WRITTEN (G_GUINT64_CONSTANT (1) << 32)

static SymChild *
start (SymKernel *kernel, GError **error)
{
  g_autofree char *program = NULL;

  if (!sym_kernel_may_wait (kernel))
    {
      sym_kernel_fail (error, "pictures are only read and written while a model runs");
      return NULL;
    }
  program = sym_child_find ("symscope-pictures", "SYMSCOPE_PICTURES", SYM_OPS_LIBEXECDIR);
  return sym_child_new (program, "the reader and writer of pictures", -1, error);
}

static SymChildTalk
begin (SymChild *child, SymKernel *kernel)
{
  return (SymChildTalk){ child, sym_kernel_get_cancellable (kernel), SILENT_SECONDS, 0 };
}

/* The rest of the answer is output 0. */
static gboolean
receive_output (const SymChildTalk *talk,
                SymKernel *kernel,
                const SymShape *shape,
                guint64 size,
                GError **error)
{
  SymArray *y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_UINT8, shape, error);

  return y != NULL && sym_child_talk_receive (talk, y->data, size, error);
}

/* ---- Reading ---- */

static gboolean
receive_pixels (const SymChildTalk *talk, SymKernel *kernel, guint n_channels, GError **error)
{
  SymPicturesSize size;
  guint64 n, left;

  if (!sym_child_talk_expect (talk, SYM_PICTURES_PIXELS, G_MAXUINT64, &left, error))
    return FALSE;
  if (left < sizeof size)
    return sym_child_refuse (talk->child, error);
  if (!sym_child_talk_receive (talk, &size, sizeof size, error))
    return FALSE;
  left -= sizeof size;
  n = (guint64) size.height * size.width;
  if (size.channels != n_channels || n == 0 || n > SYM_PICTURES_MAX_PIXELS ||
      left != n * n_channels)
    return sym_child_refuse (talk->child, error);
  return receive_output (talk, kernel, &SYM_SHAPE (size.height, size.width, n_channels), left,
                         error);
}

gboolean
sym_op_picture_decode (SymKernel *kernel, SymPicturesChannels channels, GError **error)
{
  const SymArray *bytes = sym_kernel_need_input (kernel, 0, error);
  g_autoptr (SymChild) child = NULL;
  SymChildTalk talk;
  SymPicturesDecode head = { .channels = channels };
  SymPicturesFormat format;
  gsize size;

  if (bytes == NULL)
    return FALSE;
  if (bytes->dtype != SYM_DTYPE_UINT8)
    return sym_op_refuse_dtype (kernel, bytes->dtype, error);
  if (bytes->shape.rank != 1)
    return sym_kernel_fail (error, "the bytes must have 1 axis, not %d", bytes->shape.rank);
  size = sym_array_get_n_elements (bytes);
  if (size > SYM_PICTURES_MAX_FILE)
    return sym_kernel_fail (error,
                            "the picture has %" G_GSIZE_FORMAT " bytes, and at most %d are read",
                            size, SYM_PICTURES_MAX_FILE);
  if (!sym_op_picture_recognise (bytes->data, size, &format, error))
    return FALSE;
  head.format = format;
  child = start (kernel, error);
  if (child == NULL)
    return FALSE;
  talk = begin (child, kernel);
  return sym_child_talk_send (&talk, SYM_PICTURES_DECODE, &head, sizeof head, bytes->data, size,
                              error) &&
         receive_pixels (&talk, kernel, channels == SYM_PICTURES_GRAY ? 1 : 3, error);
}

/* ---- Writing ---- */

static gboolean
read_size (const SymArray *pixels, SymPicturesEncode *head, GError **error)
{
  g_autofree char *shape = sym_op_format_shape (&pixels->shape);
  gint64 height, width;

  if (pixels->shape.rank != 3 || pixels->shape.dims[2] != 3)
    return sym_kernel_fail (error, "the pixels must be [height,width,3], not %s", shape);
  height = pixels->shape.dims[0];
  width = pixels->shape.dims[1];
  if (height == 0 || width == 0)
    return sym_kernel_fail (error, "there are no pixels in %s, and no file of none", shape);
  if (height > SYM_PICTURES_MAX_PIXELS / width)
    return sym_kernel_fail (error, "the picture has %s pixels, and at most %d are written", shape,
                            SYM_PICTURES_MAX_PIXELS);
  head->height = (guint32) height;
  head->width = (guint32) width;
  return TRUE;
}

gboolean
sym_op_picture_encode (SymKernel *kernel, SymPicturesFormat format, GError **error)
{
  const SymArray *pixels = sym_kernel_need_input (kernel, 0, error);
  g_autoptr (SymChild) child = NULL;
  SymChildTalk talk;
  SymPicturesEncode head = { .format = format };
  guint64 size;

  if (pixels == NULL)
    return FALSE;
  if (pixels->dtype != SYM_DTYPE_UINT8)
    return sym_op_refuse_dtype (kernel, pixels->dtype, error);
  if (!read_size (pixels, &head, error))
    return FALSE;
  child = start (kernel, error);
  if (child == NULL)
    return FALSE;
  talk = begin (child, kernel);
  return sym_child_talk_send (&talk, SYM_PICTURES_ENCODE, &head, sizeof head, pixels->data,
                              sym_array_get_n_elements (pixels), error) &&
         sym_child_talk_expect (&talk, SYM_PICTURES_FILE, MAX_WRITTEN, &size, error) &&
         receive_output (&talk, kernel, &SYM_SHAPE ((SymDim) size), size, error);
}
