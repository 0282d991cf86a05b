/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* What the files of Keras' layers share.  Attributes are the layer's config as its file has it, so
 * a rule asks by the name of Keras 2 and 3 and is answered from that of Keras 1 as well
 * ("nb_filter" for "filters").  Weights lie as in Keras 2 and 3: kernels [window..., in, out].
 * Semantics are those of keras.layers in 2.15 and 3, and of 1.2 for what only that has. */

#define SYM_OP_KERAS .domain = "keras", .since_version = 1

/* The domain of what extends a layer of Keras: it has the name of that layer. */
#define SYM_OP_KERAS_LIKE "keras.like"

/* "input"; any number of inputs. */
extern const SymSlotSpec sym_op_keras_one[];
extern const SymSlotSpec sym_op_keras_many[];

/* What layers have as weights: "kernel" and "bias"; "depthwise_kernel" in place of the kernel, or
 * with "pointwise_kernel"; "gamma", "beta" and what was seen of the data; "embeddings". */
extern const SymSlotSpec sym_op_keras_weighted[];
extern const SymSlotSpec sym_op_keras_depthwise[];
extern const SymSlotSpec sym_op_keras_separable[];
extern const SymSlotSpec sym_op_keras_normalized[];
extern const SymSlotSpec sym_op_keras_table[];

/* ---- Attributes ---- */

const SymValue *sym_op_keras_find (const SymAttributes *attributes, const char *name);

/* Whether there is one, be it None. */
gboolean sym_op_keras_is_given (const SymAttributes *attributes, const char *name);
gint64 sym_op_keras_get_int (const SymAttributes *attributes, const char *name, gint64 fallback);
double sym_op_keras_get_float (const SymAttributes *attributes, const char *name, double fallback);
gboolean
sym_op_keras_get_bool (const SymAttributes *attributes, const char *name, gboolean fallback);
const char *
sym_op_keras_get_string (const SymAttributes *attributes, const char *name, const char *fallback);

/* @n integers: one that is given stands for all of them, one that is absent is the fallback. */
gboolean sym_op_keras_get_ints (const SymAttributes *attributes,
                                const char *name,
                                int n,
                                gint64 fallback,
                                gint64 *values,
                                GError **error);

/* Whether channels come before the window's axes: "channels_first", "th". */
gboolean sym_op_keras_is_channels_first (const SymAttributes *attributes);

/* The dtype that a layer computes in: of its policy, float32 without one. */
SymDType sym_op_keras_get_dtype (const SymAttributes *attributes);

/* Whether it keeps its weights in float32 all the same. */
gboolean sym_op_keras_is_mixed (const SymAttributes *attributes);

/* Whether a layer with these attributes has weight @slot: "bias" goes by `use_bias`, "gamma" by
 * `scale` and so on.  TRUE for slots of data. */
gboolean sym_op_keras_has_slot (const SymOperator *op, guint slot, const SymAttributes *attributes);

/* ---- Rules ---- */

/* Output 0 has the shape and dtype of operand 0. */
gboolean sym_op_keras_same (SymRule *rule, GError **error);

/* Tells output 0 and its dtype, that of the layer's policy; or that of operand 0. */
gboolean sym_op_keras_set (SymRule *rule, SymShape shape, GError **error);
gboolean sym_op_keras_set_like (SymRule *rule, SymShape shape, GError **error);

/* Fails unless operand 0 has that rank; *@known tells whether it is known. */
gboolean sym_op_keras_check_rank (SymRule *rule, int rank, gboolean *known, GError **error);

/* A window of @n axes that slides over data. */
typedef struct {
  int n;
  gboolean channels_first;
  const char *padding; /* "valid", "same", "causal", "full" */
  gint64 kernel[3], stride[3], dilation[3];
} SymOpKerasWindow;

/* The axis of the data that window axis @i slides over, and that of the channels. */
int sym_op_keras_window_axis (const SymOpKerasWindow *self, int i);
int sym_op_keras_window_channels (const SymOpKerasWindow *self);
gboolean sym_op_keras_slide (SymRule *rule,
                             const SymOpKerasWindow *self,
                             int i,
                             SymDim size,
                             SymDim *result,
                             GError **error);

/* How much is added before and after axis @i, of @size elements. */
void
sym_op_keras_pads (const SymOpKerasWindow *self, int i, gint64 size, gint64 *before, gint64 *after);

/* ---- Lowering ---- */

const SymAttributes *sym_op_keras_attributes (SymOpLower *self);

/* Operand @i in the dtype of the layer. */
SymId sym_op_keras_input (SymOpLower *self, guint i);

/* Data of @n window axes with the channels moved behind the batch, and back. */
SymId sym_op_keras_channels_first (SymOpLower *self, SymId x, int n);
SymId sym_op_keras_channels_last (SymOpLower *self, SymId x, int n);

/* What `activation` (or attribute @name) of the layer makes of @x. */
SymId sym_op_keras_activate (SymOpLower *self, const char *name, SymId x);

/* The same by the name of a function: "relu". */
SymId sym_op_keras_activate_by (SymOpLower *self, const char *name, SymId x);

/* @x, which has the shape @from, of the size of @to, with what `interpolation` says between:
 * "nearest", "bilinear" or "bicubic", whose curves are TensorFlow's.  @places and @rounding are
 * ONNX's coordinate_transformation_mode and nearest_mode.  What becomes smaller is smoothed where
 * @smooths says so, but by the nearest. */
SymId sym_op_keras_resize (SymOpLower *self,
                           SymId x,
                           const SymShape *from,
                           const SymShape *to,
                           const char *interpolation,
                           const char *places,
                           const char *rounding,
                           gboolean smooths);

/* A bias, or NO_ID, added along the last axis, or along axis 1 of @rank. */
SymId sym_op_keras_add_bias (SymOpLower *self, SymId x, SymId bias, int rank, gboolean first);

G_END_DECLS
