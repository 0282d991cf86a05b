/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-tf.h"

G_BEGIN_DECLS

/* A window of TensorFlow's over 1 to 3 axes of data [N, spatial..., C], or channels first. Strides,
 * dilations, ksize and explicit_paddings are lists with an element for every axis of the data; over
 * one axis TensorFlow.js has stride and dilation instead. */
typedef struct {
  int n;
  gboolean channels_first;
  const char *padding; /* "VALID", "SAME", "EXPLICIT" */
  gint64 kernel[3], stride[3], dilation[3], before[3], after[3];
} SymOpTfWindow;

/* Reads all but the kernel of an operator over @n axes. */
gboolean
sym_op_tf_window_read (SymOpTfWindow *self, const SymAttributes *attributes, int n, GError **error);

/* The kernel from the attribute `ksize`. */
gboolean
sym_op_tf_window_read_size (SymOpTfWindow *self, const SymAttributes *attributes, GError **error);

/* The axis of the data that window axis @i slides over, and that of the channels. */
int sym_op_tf_window_axis (const SymOpTfWindow *self, int i);
int sym_op_tf_window_channels (const SymOpTfWindow *self);

/* How many places the window has along axis @i of @size; the kernel may be SYM_DIM_UNKNOWN. */
gboolean sym_op_tf_window_slide (const SymOpTfWindow *self,
                                 SymRule *rule,
                                 int i,
                                 SymDim size,
                                 SymDim *result,
                                 GError **error);

/* What is added before and after axis @i of @size: with "SAME" the odd one goes after. */
void sym_op_tf_window_pads (const SymOpTfWindow *self,
                            int i,
                            gint64 size,
                            gint64 *before,
                            gint64 *after);

/* The same of all axes of data of @shape, as ONNX lists it. */
SymValue *sym_op_tf_window_list_pads (const SymOpTfWindow *self, const SymShape *shape);

/* Data with its channels behind the batch, whichever way it came, and back. */
SymId sym_op_tf_window_enter (const SymOpTfWindow *self, SymOpLower *lower, SymId x);
SymId sym_op_tf_window_leave (const SymOpTfWindow *self, SymOpLower *lower, SymId x);

G_END_DECLS
