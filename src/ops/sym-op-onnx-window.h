/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-onnx.h"

G_BEGIN_DECLS

/* Windows that slide over the axes behind the first two, as convolutions and pools of ONNX have
 * them.  All sizes count elements. */
typedef struct {
  int n; /* axes */
  gint64 size[SYM_MAX_RANK];
  gint64 kernel[SYM_MAX_RANK], stride[SYM_MAX_RANK], dilate[SYM_MAX_RANK];
  gint64 before[SYM_MAX_RANK], after[SYM_MAX_RANK]; /* padding */
  gint64 places[SYM_MAX_RANK];                      /* of the window, along each axis */
  const char *auto_pad;
  gboolean up; /* a last, partly filled place counts */
} SymOpOnnxWindows;

#define SYM_OP_ONNX_AUTO_PAD                                                                 \
  {                                                                                          \
    "auto_pad", SYM_ATTRIBUTE_STRING, "NOTSET", "how padding is found where it is not told", \
        "NOTSET SAME_UPPER SAME_LOWER VALID"                                                 \
  }
#define SYM_OP_ONNX_PADS                                                                           \
  {                                                                                                \
    "pads", SYM_ATTRIBUTE_INTS, "None", "padding before each axis, then behind each; 0 by default" \
  }
#define SYM_OP_ONNX_STRIDES                                                                  \
  {                                                                                          \
    "strides", SYM_ATTRIBUTE_INTS, "None", "steps of the window; 1 for each axis by default" \
  }
#define SYM_OP_ONNX_DILATIONS                                                                   \
  {                                                                                             \
    "dilations", SYM_ATTRIBUTE_INTS, "None", "distance of the places in a window; 1 by default" \
  }

/* Reads the attributes for @n axes.  @kernel is the window's size where the operator has a weight,
 * which the attribute `kernel_shape` must not contradict; of it, dimensions below zero are not
 * known.  NULL: the attribute tells. */
gboolean sym_op_onnx_windows_init (SymOpOnnxWindows *self,
                                   const SymAttributes *attributes,
                                   int n,
                                   const gint64 *kernel,
                                   GError **error);

/* Places of the window, and padding where it is not told, for axes of these sizes. */
gboolean sym_op_onnx_windows_place (SymOpOnnxWindows *self, const gint64 *sizes, GError **error);

/* The sizes of the result for those at axes 2, 3, ... of @shape, which they replace. */
gboolean sym_op_onnx_windows_infer (const SymOpOnnxWindows *self,
                                    SymRule *rule,
                                    SymShape *shape,
                                    GError **error);

/* The elements of one window. */
gint64 sym_op_onnx_windows_get_extent (const SymOpOnnxWindows *self, int axis);

/* The product of the @n numbers, which were all in the shape of an array. */
gsize sym_op_onnx_multiply (const gint64 *numbers, int n);

/* What the windows at places [@first, @first + @n) see of @n_channels planes at @x, as the matrix
 * [@n_channels * kernel, @n] at @columns; @blank is what padding consists of.  Elements have @size
 * bytes: 1, 2, 4 or 8. */
gboolean sym_op_onnx_windows_unfold (const SymOpOnnxWindows *self,
                                     SymKernel *kernel,
                                     const void *x,
                                     gsize n_channels,
                                     gsize size,
                                     gsize first,
                                     gsize n,
                                     const void *blank,
                                     void *columns,
                                     GError **error);

G_END_DECLS
