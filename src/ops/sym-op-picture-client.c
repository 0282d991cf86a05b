/* SPDX-License-Identifier: MIT */
#include "core/sym-child.h"
#include "core/sym-kernel-wait.h"
#include "ops/sym-op-kernel.h"
#include "ops/sym-op-picture-private.h"

/* Each picture has a process of its own, so that none sees another, and what a hostile one has done
 * to it ends with it. */

/* How long the process may be silent.  It ends by itself before that, but where it has to share the
 * processor. */
#define SILENT_SECONDS 120
#define PIECE_BYTES (4 << 20)
#define MAX_MESSAGE 4096
#define MAX_WRITTEN (G_GUINT64_CONSTANT (1) << 32)

typedef struct {
  SymKernel *kernel;
  SymChild *child;
  GCancellable *cancellable;
  guint64 left; /* bytes of the answer */
} Talk;

static void
talk_clear (Talk *self)
{
  g_clear_pointer (&self->child, sym_child_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Talk, talk_clear)

static gboolean
begin (Talk *self, SymKernel *kernel, GError **error)
{
  g_autofree char *program = NULL;

  if (!sym_kernel_may_wait (kernel))
    return sym_kernel_fail (error, "pictures are only read and written while a model runs");
  program = sym_child_find ("symscope-pictures", "SYMSCOPE_PICTURES", SYM_OPS_LIBEXECDIR);
  self->kernel = kernel;
  self->cancellable = sym_kernel_get_cancellable (kernel);
  self->child = sym_child_new (program, "the reader and writer of pictures", -1, error);
  return self->child != NULL;
}

static gint64
get_deadline (void)
{
  return g_get_monotonic_time () + SILENT_SECONDS * G_USEC_PER_SEC;
}

/* In pieces, each of which may take its time. */
static gboolean
move (Talk *self, gboolean sends, guint8 *bytes, guint64 size, GError **error)
{
  for (guint64 at = 0; at < size; at += PIECE_BYTES)
    {
      gsize n = (gsize) MIN (size - at, PIECE_BYTES);

      if (sends ? !sym_child_send (self->child, bytes + at, n, get_deadline (), self->cancellable,
                                   error)
                : !sym_child_receive (self->child, bytes + at, n, get_deadline (),
                                      self->cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
send_request (Talk *self,
              guint32 kind,
              const void *head,
              gsize head_size,
              const SymArray *content,
              GError **error)
{
  gsize size = sym_array_get_n_elements (content);
  SymWorkerFrame frame = { SYM_WORKER_MAGIC, kind, head_size + size };

  return move (self, TRUE, (guint8 *) &frame, sizeof frame, error) &&
         move (self, TRUE, (guint8 *) head, head_size, error) &&
         move (self, TRUE, content->data, size, error);
}

static gboolean
refuse_answer (GError **error)
{
  return sym_kernel_fail (error, "the reader and writer of pictures does not speak its protocol");
}

/* A failure is short, and worded by the process: valid text is made of it. */
static gboolean
take_failure (Talk *self, guint64 size, GError **error)
{
  char text[MAX_MESSAGE];
  g_autofree char *message = NULL;

  if (size > sizeof text)
    return refuse_answer (error);
  if (!move (self, FALSE, (guint8 *) text, size, error))
    return FALSE;
  message = g_utf8_make_valid (text, (gssize) size);
  return sym_kernel_fail (error, "%s", message);
}

static gboolean
receive_frame (Talk *self, guint32 kind, GError **error)
{
  SymWorkerFrame frame;

  if (!move (self, FALSE, (guint8 *) &frame, sizeof frame, error))
    return FALSE;
  if (frame.magic != SYM_WORKER_MAGIC)
    return refuse_answer (error);
  if (frame.kind == SYM_WORKER_FAILURE)
    return take_failure (self, frame.size, error);
  self->left = frame.size;
  return frame.kind == kind ? TRUE : refuse_answer (error);
}

/* The rest of the answer is output 0. */
static gboolean
receive_output (Talk *self, const SymShape *shape, GError **error)
{
  SymArray *y = sym_kernel_new_output (self->kernel, 0, SYM_DTYPE_UINT8, shape, error);

  return y != NULL && move (self, FALSE, y->data, self->left, error);
}

/* ---- Reading ---- */

static gboolean
receive_pixels (Talk *self, guint n_channels, GError **error)
{
  SymPicturesSize size;
  guint64 n;

  if (!receive_frame (self, SYM_PICTURES_PIXELS, error))
    return FALSE;
  if (self->left < sizeof size)
    return refuse_answer (error);
  if (!move (self, FALSE, (guint8 *) &size, sizeof size, error))
    return FALSE;
  self->left -= sizeof size;
  n = (guint64) size.height * size.width;
  if (size.channels != n_channels || n == 0 || n > SYM_PICTURES_MAX_PIXELS ||
      self->left != n * n_channels)
    return refuse_answer (error);
  return receive_output (self, &SYM_SHAPE (size.height, size.width, n_channels), error);
}

gboolean
sym_op_picture_decode (SymKernel *kernel, SymPicturesChannels channels, GError **error)
{
  const SymArray *bytes = sym_kernel_need_input (kernel, 0, error);
  g_auto (Talk) talk = { NULL };
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
  return begin (&talk, kernel, error) &&
         send_request (&talk, SYM_PICTURES_DECODE, &head, sizeof head, bytes, error) &&
         receive_pixels (&talk, channels == SYM_PICTURES_GRAY ? 1 : 3, error);
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
  g_auto (Talk) talk = { NULL };
  SymPicturesEncode head = { .format = format };

  if (pixels == NULL)
    return FALSE;
  if (pixels->dtype != SYM_DTYPE_UINT8)
    return sym_op_refuse_dtype (kernel, pixels->dtype, error);
  if (!read_size (pixels, &head, error) || !begin (&talk, kernel, error) ||
      !send_request (&talk, SYM_PICTURES_ENCODE, &head, sizeof head, pixels, error) ||
      !receive_frame (&talk, SYM_PICTURES_FILE, error))
    return FALSE;
  return talk.left > MAX_WRITTEN ? refuse_answer (error)
                                 : receive_output (&talk, &SYM_SHAPE ((SymDim) talk.left), error);
}
