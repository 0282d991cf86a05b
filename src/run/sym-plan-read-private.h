/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-plan-graph-private.h"

G_BEGIN_DECLS

/* What a reader sees of a call.  Operands and results are tensors; those of an operand that is not
 * there, or not such a tensor, are SYM_PLAN_NONE.  Readers that make several results ask for each
 * whether it is needed at all. */
typedef struct {
  SymPlanGraph *graph;
  const SymAttributes *attributes;
  int version;
  SymIds operands, results;
  guint result; /* the first one */
} SymPlanCall;

/* How calls of an operator become operations.  FALSE when there is none, or none that is worth it;
 * nothing was appended then. */
typedef struct {
  const char *name;
  int since_version; /* of the operator's entry: before, it meant something else */
  gboolean (*read) (SymPlanCall *call, SymVectorFunction function);
  SymVectorFunction function;
  gboolean makes_several; /* results */
} SymPlanReader;

/* Readers of other files, each table ended by one without a name. */
extern const SymPlanReader sym_plan_activation_readers[]; /* sym-plan-read-activations.c */
extern const SymPlanReader sym_plan_attention_readers[];  /* sym-plan-read-attention.c */
extern const SymPlanReader sym_plan_byte_readers[];       /* sym-plan-read-bytes.c */
extern const SymPlanReader sym_plan_cache_readers[];      /* sym-plan-read-cache.c */
extern const SymPlanReader sym_plan_choice_readers[];     /* sym-plan-read-choose.c */
extern const SymPlanReader sym_plan_move_readers[];       /* sym-plan-read-moves.c */
extern const SymPlanReader sym_plan_product_readers[];    /* sym-plan-read-products.c */
extern const SymPlanReader sym_plan_recurrent_readers[];  /* sym-plan-read-recurrent.c */
extern const SymPlanReader sym_plan_rotary_readers[];     /* sym-plan-read-rotary.c */
extern const SymPlanReader sym_plan_row_readers[];        /* sym-plan-read-rows.c */
extern const SymPlanReader sym_plan_block_readers[];      /* sym-plan-read-blocks.c */
extern const SymPlanReader sym_plan_norm_readers[];       /* sym-plan-read-norms.c */
extern const SymPlanReader sym_plan_resize_readers[];     /* sym-plan-read-resize.c */
extern const SymPlanReader sym_plan_sample_readers[];     /* sym-plan-read-sample.c */
extern const SymPlanReader sym_plan_window_readers[];     /* sym-plan-read-windows.c */

const SymPlanTensor *sym_plan_call_get (const SymPlanCall *call, guint tensor);
gboolean sym_plan_call_has_operand (const SymPlanCall *call, guint i);
guint sym_plan_call_need_operand (const SymPlanCall *call, guint i);

gint64 sym_plan_call_get_int (const SymPlanCall *call, const char *name, gint64 fallback);
double sym_plan_call_get_float (const SymPlanCall *call, const char *name, double fallback);

/* FALSE when there are not as many. */
gboolean sym_plan_call_get_ints (const SymPlanCall *call,
                                 const char *name,
                                 gint64 *values,
                                 int n,
                                 gint64 fallback);

/* Whether an operand is a tensor without elements. */
gboolean sym_plan_call_is_empty (const SymPlanCall *call, guint i);

/* Whether anyone needs a result, and the tensor of it; SYM_PLAN_NONE when nobody does. */
gboolean sym_plan_call_needs_result (const SymPlanCall *call, guint i);
guint sym_plan_call_need_result (const SymPlanCall *call, guint i);

/* The numbers of an attribute, or of a constant operand of int64 or int32: how many they are, at
 * most
 * @max, or -1 for none, and for those that are not known.  Notes that the numbers of the operand
 * went into an operation. */
int sym_plan_call_get_list (const SymPlanCall *call,
                            const char *name,
                            guint operand,
                            gint64 *values,
                            int max);

/* An axis that may count from the end; -1 when there is none such. */
int sym_plan_call_find_axis (gint64 axis, int rank);

/* An operation that makes the result. */
SymPlanOp sym_plan_call_new_op (const SymPlanCall *call, SymPlanOpKind kind, guint x);
gboolean sym_plan_call_append (SymPlanCall *call, const SymPlanOp *op);

/* The operation of a kind that makes a tensor, borrowed until the next one is appended; NULL for
 * none. */
const SymPlanOp *
sym_plan_call_find_maker (const SymPlanCall *call, guint tensor, SymPlanOpKind kind);

/* Appends @function of two tensors, broadcast to @y. */
gboolean sym_plan_call_append_binary (SymPlanCall *call,
                                      SymVectorFunction function,
                                      guint x,
                                      guint other,
                                      guint y);

/* Appends one that makes a tensor of @shape of @x by broadcasting, and returns that. */
guint sym_plan_call_expand (SymPlanCall *call, guint x, const SymShape *shape);

/* A tensor of floats that no value stands for. */
guint sym_plan_call_add_tensor (const SymPlanCall *call, const SymShape *shape);

/* What makes all of a tensor of @shape, one after the other, of where the grid says in x. */
guint sym_plan_call_append_move (SymPlanCall *call,
                                 guint x,
                                 const SymPlanGrid *from,
                                 const SymShape *shape);

/* The rows of x times a constant matrix [inner, outer] or, transposed, [outer, inner] of the tensor
 * @from, factor and bias ([outer] or NULL), into @y. */
typedef struct {
  guint x, y, from;
  const float *weights, *bias;
  gsize inner, outer;
  gboolean is_transposed;
  double factor;
} SymPlanCallProduct;

gboolean sym_plan_call_append_product (SymPlanCall *call, const SymPlanCallProduct *product);

/* sym-plan-read-einsum.c */
gboolean sym_plan_call_read_einsum (SymPlanCall *call, SymVectorFunction function);

/* sym-plan-read-resize.c: x with its last axes, up to three, made of the places that taps tell,
 * from as many elements as @from to as many as @to. */
gboolean sym_plan_call_append_taps (SymPlanCall *call,
                                    guint x,
                                    const SymPlanTaps *taps,
                                    const gint64 *from,
                                    const gint64 *to);

/* sym-plan-read-windows.c: takes the windows of a convolution of pictures into the operation, whose
 * channels are told; FALSE when they do not make the result. */
gboolean
sym_plan_call_slide (const SymPlanCall *call, guint x, const SymDim *kernel, SymPlanOp *op);

/* sym-plan-read-margins.c: x padded with what it has inside.  FALSE, with nothing appended, when
 * that is not among the ways, or there is padding before the third axis. */
gboolean
sym_plan_call_append_margins (SymPlanCall *call, guint x, const char *mode, const gint64 *pads);

G_END_DECLS
