/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-grid.h"
#include "run/sym-packer-private.h"
#include "run/sym-plan-grid-private.h"
#include "run/sym-plan-private.h"
#include "run/sym-vector-private.h"

G_BEGIN_DECLS

/* What a compiled step is made from: a small graph of operations on float tensors of fixed shapes,
 * read from consecutive calls and then rewritten in place by one pass after the other.  Tensors and
 * operations are known by their numbers; operations are in order of execution. */

#define SYM_PLAN_NONE G_MAXUINT

typedef struct {
  SymId value;           /* of the model; SYM_NO_ID for one that a pass made */
  SymDType dtype;        /* float32; int32, int64 and bool of what comes from outside */
  SymShape shape;        /* as in the model: channels are axis 1 of three and more */
  gsize n;               /* elements */
  const float *constant; /* its numbers, borrowed, of its dtype; NULL for what is computed or fed */
  gboolean is_made;      /* by an operation of the graph */
  guint maker;           /* while calls are read: that operation, the last one, plus 1 */
  gboolean is_input;     /* comes from outside */
  gboolean is_output;    /* is needed outside */
  gboolean is_watched;   /* is shown as soon as it is made, so that nothing may skip it */
  gboolean is_last;      /* lies in memory with the channels last */
  guint twin;            /* the same in the other order, SYM_PLAN_NONE for none yet */
  guint root;            /* the tensor in whose memory it lies, perhaps itself */
  gsize offset;          /* of a root's elements in the arena */
} SymPlanTensor;

/* What convolutions and pools take a tensor for, whatever its axes are. */
typedef struct {
  gsize n, channels, height, width;
} SymPlanImages;

/* An axis over which windows slide: elements of x and of y, the window, and elements of padding
 * before x. */
typedef struct {
  gint64 from, to, kernel, stride, dilation, before;
} SymPlanAxis;

/* At most so many lie behind the channels. */
#define SYM_PLAN_AXES 3

/* Of each place of an axis of a result, so many places of the axis of x, and their weights. */
typedef struct {
  const gint32 *places;
  const float *weights;
  guint n;
  gboolean is_still; /* each place is of itself */
} SymPlanTaps;

#define SYM_PLAN_MAX_TAPS 4

typedef struct _SymPlanOp SymPlanOp;
typedef struct _SymPlanGraph SymPlanGraph;

typedef enum {
  SYM_PLAN_VIEW,        /* the same elements, in another shape */
  SYM_PLAN_COPY,        /* the same elements, perhaps in the other order */
  SYM_PLAN_ELEMENTWISE, /* @function of one or two tensors */
  SYM_PLAN_PRODUCT,     /* of the rows of x and a constant matrix */
  SYM_PLAN_QUANTIZE,    /* y = the codes of the rows of x: see SymPlanBytes */
  SYM_PLAN_BYTES,       /* y = a product or convolution of codes x and constant bytes */
  SYM_PLAN_EXPAND,      /* y = codes x as floats */
  SYM_PLAN_CODE_SUM,    /* y = codes of the sum of codes x and @other */
  SYM_PLAN_CONVOLUTION, /* of two dimensions */
  SYM_PLAN_VOLUME,      /* a convolution of three, or a transposed one of up to three */
  SYM_PLAN_POOL,        /* of two dimensions */
  SYM_PLAN_RESIZE,      /* y = blends of the pixels of x that @taps of rows and columns tell */
  SYM_PLAN_SAMPLE,      /* y = x [n, channels, ...] at the places that @other tells */
  SYM_PLAN_LOCAL_NORM,  /* y = x * (@factor + @p * sum of squares of @n channels) ^ -@q */
  SYM_PLAN_FACTORS,     /* y [3, channels] = means, factors, terms of a norm of x in @n groups */
  SYM_PLAN_MOVE,        /* some elements in another order: y [grid 1] = x [grid 0] */
  SYM_PLAN_GATHER,      /* y = the rows of x [outer, n, inner] that @other tells */
  SYM_PLAN_ROWS,        /* one of SymPlanRows */
  SYM_PLAN_MATRIX,      /* y [grid 2] = x [grid 0] . @other [grid 1] * p, of the last two axes */
  SYM_PLAN_ATTENTION,   /* see SymPlanAttention */
  SYM_PLAN_ROTATE,      /* see SymPlanRotate */
  SYM_PLAN_APPEND,      /* see SymPlanAppend */
  SYM_PLAN_RECURRENT,   /* see SymPlanRecurrent */
  SYM_PLAN_CONVERT,     /* integers and booleans as floats, or as masks */
} SymPlanOpKind;

/* Of x as [outer, n, inner] over the middle axis.  Softmaxes and norms keep the shape, with inner
 * 1; norms have @p for epsilon, @other for factors and @third for terms, or none. */
typedef enum {
  SYM_PLAN_SOFTMAX,
  SYM_PLAN_LOG_SOFTMAX,
  SYM_PLAN_NORM,
  SYM_PLAN_ROOT_NORM, /* of numbers whose mean is taken for 0 */
  SYM_PLAN_SUM,
  SYM_PLAN_MEAN,
  SYM_PLAN_MAXIMUM,
} SymPlanRows;

/* The grids of y = softmax (query . key * p + mask) . value: query [..., rows, features], key [...,
 * keys, features], value [..., keys, columns], mask [..., rows, keys], y [..., rows, columns],
 * which are x, @other, @third, @addend and y.  With a @q, scores are q tanh (score / q) before the
 * mask.  @fourth may have lengths, one for each sample, which is the first axis: keys behind as
 * many are not seen. */
typedef enum {
  SYM_PLAN_QUERY,
  SYM_PLAN_KEY,
  SYM_PLAN_VALUE,
  SYM_PLAN_MASK,
  SYM_PLAN_ANSWER,
} SymPlanAttention;

/* The grids of pairs that are turned by an angle, [batch, heads, rows, features] of x and y.  Of
 * the features @n pairs are turned, which are neighbours or, halved, each as far apart as there are
 * pairs; cosines and sines are @other and @third, rows of pairs, one for each row of x, or the one
 * of many that a position in @fourth, [batch, rows], tells. */
typedef enum {
  SYM_PLAN_ROTATED,
  SYM_PLAN_ROTATION,
} SymPlanRotate;

/* The grids [batch, heads, rows, features] of a cache, of rows that come behind what it has, and of
 * both: x, @other and y.  Where the rows begin in y, @fourth tells for each sample. */
typedef enum {
  SYM_PLAN_CACHE,
  SYM_PLAN_APPENDED,
  SYM_PLAN_ALL,
} SymPlanAppend;

/* What makes the next state of a recurrent layer.  Gates are in the order of ONNX. */
typedef enum {
  SYM_PLAN_CELL_TANH,
  SYM_PLAN_CELL_RELU,
  SYM_PLAN_CELL_GATED,      /* GRU, its reset gate acting on the state */
  SYM_PLAN_CELL_GATED_LATE, /* the same, acting on the product of that */
  SYM_PLAN_CELL_LONG,       /* LSTM */
} SymPlanCell;

/* The grids of a recurrent layer: what comes of its inputs [steps, directions, batch, gates], the
 * states that it begins with [directions, batch, features], all states that it makes [steps,
 * directions, batch, features], and the last cells [directions, batch, features], which are x,
 * @other, y and y; @third are the cells that it begins with.  @weights are those of states as
 * [directions, gates, features], @bias their biases. */
typedef enum {
  SYM_PLAN_GATES,
  SYM_PLAN_BEGIN,
  SYM_PLAN_STATES,
  SYM_PLAN_CELLS,
} SymPlanRecurrent;

#define SYM_PLAN_N_RECURRENT 4

/* What tells how codes stand for numbers: round (number / @scale) + @zero, of 0 to 255, kept from
 * @low to @high.  Those of int8 are moved by 128. */
typedef struct {
  float scale, zero, low, high;
} SymPlanCodes;

/* Products and convolutions of bytes, and what makes and uses their codes.  Zero points of codes of
 * x are told beside them, in @other, one number, unless they are found as x comes. */
typedef struct {
  gsize rows, inner;    /* of codes */
  gboolean is_image;    /* channels are last in rows of pixels */
  gboolean is_dynamic;  /* codes are found by the range of x; else x has them */
  gboolean is_signed;   /* codes are of int8 */
  gboolean needs_sums;  /* of the codes of each row */
  gboolean makes_codes; /* the result is not floats, but @codes */
  SymPlanCodes codes;   /* of what is quantised, of results, and of sums */
  float factors[2];     /* of sums of codes */
  float term;
  const guint8 *weights; /* [inner, outer] or, where the operation is transposed, turned */
  SymId from;            /* the value whose numbers these are */
  gboolean has_signed;   /* weights */
  const gint32 *zeros;   /* of weights, of each outer one; NULL where all are 0 */
} SymPlanBytes;

typedef enum {
  SYM_PLAN_LINEAR,
  SYM_PLAN_RELU,
  SYM_PLAN_CLIP,
  SYM_PLAN_FUNCTION, /* @function, of convolutions of two dimensions */
} SymPlanActivation;

struct _SymPlanOp {
  SymPlanOpKind kind;
  gboolean is_gone; /* became part of another one */
  guint x, y;       /* operand and result */

  /* Elementwise: the other operand.  Element i of the result is of element (i / repeat) % period of
   * an operand; a @period of 0 stands for i itself.  Once tensors are laid out operands may have so
   * many numbers for each @block elements of the result, where that is not 0. */
  guint other;
  gsize x_period, x_repeat, x_block, other_period, other_repeat, other_block;
  SymVectorFunction function;
  float p, q, factor;

  /* Products and convolutions, y = activation (x . weights * scales + bias + addend).  Weights are
   * borrowed, as [inner, outer] or, transposed, [outer, inner], and as [outer, inner / groups,
   * height, width]; scales and biases are the operation's own, of each outer one.  Sizes are those
   * of height and width of the images; `pads` begins with the two at the begin. */
  const float *weights;
  guint weights_from;      /* the tensor whose numbers they are */
  gboolean packs_weights;  /* of convolutions: they are computed, @other, and packed into @third */
  gboolean shares_weights; /* other calls have them, too: they stay until all is planned */
  gboolean lends_weights;  /* others will be where they are now */
  gboolean is_transposed;
  float *scales, *bias;
  gsize inner, outer;
  SymPlanImages from, to; /* x and y */
  gint64 kernel[2], strides[2], dilations[2], pads[4], groups;
  const SymPlanAxis
      *axes; /* three of a volume, whose weights are [outer, inner / groups, kernel] or,
              * transposed, [inner, outer / groups, kernel]; borrowed from the graph */
  guint addend;
  SymPlanActivation activation;
  gboolean is_maximum; /* of pools; else an average of what is inside, or of all that could be */
  gboolean counts_outside;

  SymPlanBytes *bytes; /* borrowed from the graph */

  /* The others. */
  guint third;
  SymPlanGrid *grids; /* borrowed from the graph */
  SymPlanRows rows;
  gsize n_outer, n, n_inner;
  const SymPlanTaps *taps; /* of rows and of columns, borrowed from the graph */
  SymOpGrid sampling;
  SymPlanCell cell;
  gboolean is_reverse;   /* of a recurrent layer of one direction: from the last step on */
  gboolean leaves_cells; /* whether the last cells are wanted */
  gboolean is_mask;      /* of what is converted: all bits of what is not 0 */

  /* Attention: query i sees keys from i + band[0] to i + band[1], with lengths so many further as
   * there are more keys than queries; and a query that sees none becomes 0. */
  guint fourth;
  gboolean is_banded, is_guarded;
  gint64 band[2];

  gboolean is_halved; /* of pairs that are turned */
};

/* Whether a convolution makes each channel from the same one of its operand alone. */
gboolean sym_plan_op_is_depthwise (const SymPlanOp *self);

/* Products and convolutions: what has weights, and may have an addend and an activation. */
gboolean sym_plan_op_is_heavy (const SymPlanOp *self);

struct _SymPlanGraph {
  SymPlan *plan;
  const SymInference *inference;
  GArray *tensors;     /* of SymPlanTensor */
  GArray *ops;         /* of SymPlanOp */
  GHashTable *numbers; /* from value + 1 to tensor + 1 */
  GPtrArray *blocks;   /* of memory that the passes made */
  GArray *fixed;       /* of SymId: values whose numbers went into operations */
  gsize n_examples;    /* what the first axis is taken for where only the run knows its size; 0 for
                        * nothing: then there are no such tensors */
  gsize arena;         /* elements */
};

SymPlanGraph *sym_plan_graph_new (SymPlan *plan, const SymInference *inference);
void sym_plan_graph_free (SymPlanGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymPlanGraph, sym_plan_graph_free)

/* Whether more than operations need the tensor to be what it is. */
gboolean sym_plan_tensor_is_wanted (const SymPlanTensor *self);

/* Borrowed until the next one is added. */
SymPlanTensor *sym_plan_graph_get_tensor (const SymPlanGraph *self, guint tensor);
SymPlanOp *sym_plan_graph_get_op (const SymPlanGraph *self, guint op);

/* The tensor of a value; SYM_PLAN_NONE unless it is one of float32, of a shape that is known and
 * not empty.  Numbers of constants are borrowed from the plan. */
guint sym_plan_graph_need_tensor (SymPlanGraph *self, SymId value);

/* The same of indices, of int32 or int64. */
guint sym_plan_graph_need_indices (SymPlanGraph *self, SymId value);

/* The same of indices or bool. */
guint sym_plan_graph_need_raw (SymPlanGraph *self, SymId value);

/* The operands of an operation, SYM_PLAN_NONE for one that it has not: x, @other, @third, @addend
 * and @fourth. */
#define SYM_PLAN_N_OPERANDS 5
guint *sym_plan_op_get_operand (SymPlanOp *op, guint i);

/* So many grids that live as long as the graph. */
SymPlanGrid *sym_plan_graph_add_grids (SymPlanGraph *self, gsize n);

/* SYM_PLAN_AXES of them, as long. */
const SymPlanAxis *sym_plan_graph_add_axes (SymPlanGraph *self, const SymPlanAxis *axes);

/* A tensor like @like that no value stands for. */
guint sym_plan_graph_add_tensor (SymPlanGraph *self, guint like);

/* Room for floats that lives as long as the graph. */
float *sym_plan_graph_add_block (SymPlanGraph *self, gsize n);

/* sym-plan-read.c: appends what a call does.  FALSE when there is no operation for it, or none that
 * is worth it. */
gboolean sym_plan_graph_read_call (SymPlanGraph *self, SymId call);

/* sym-plan-match.c: finds norms and attention that are written out, and lets products of computed
 * matrices read and write where operations that only move elements would have. */
void sym_plan_graph_match (SymPlanGraph *self);

/* sym-plan-match-activations.c: finds activations that are written out. */
void sym_plan_graph_match_activations (SymPlanGraph *self);

/* sym-plan-match-bytes.c: lets numbers that are quantised stay bytes: the first before anything is
 * fused, the second, which lets products make codes, after that. */
void sym_plan_graph_match_bytes (SymPlanGraph *self);
void sym_plan_graph_fuse_bytes (SymPlanGraph *self);

/* sym-plan-match-moves.c: lets moves read and write past views and other moves. */
void sym_plan_graph_match_moves (SymPlanGraph *self);

/* sym-plan-fuse.c: takes constant factors and addends into weights and biases, then sums and
 * activations into products and convolutions. */
void sym_plan_graph_fuse (SymPlanGraph *self);

/* sym-plan-layout.c: puts channels last where convolutions and pools are, copies in between. */
void sym_plan_graph_lay_out (SymPlanGraph *self);

/* sym-plan-memory.c: gives each tensor that is computed and stays inside its place in the arena,
 * for as long as it is needed: @steps tells the step of each operation, @hidden which tensors are
 * never in memory.  A product or convolution gets the place of its addend where nobody else needs
 * that. */
void sym_plan_graph_place (SymPlanGraph *self, const guint *steps, const gboolean *hidden);

/* Reads what an operation needs of the constants that were not read yet; its weights until all
 * such are forgotten. */
void sym_plan_graph_bring (SymPlanGraph *self, SymPlanOp *op, GCancellable *cancellable);

/* Weights of an operation that were packed are not held twice: lets the plan's numbers go, unless
 * something else needs them, too.  The other one tells whether other calls do. */
gboolean sym_plan_graph_shares_weights (const SymPlanGraph *self, const SymPlanOp *op);
void sym_plan_graph_let_weights_go (SymPlanGraph *self, const SymPlanOp *op);

/* The tensor in whose memory it lies. */
guint sym_plan_graph_find_root (const SymPlanGraph *self, guint tensor);

/* sym-plan-compile.c: what went into the graph's operations cannot be fed any more. */
void sym_plan_fix_constants (SymPlan *plan, const SymPlanGraph *graph);

/* sym-plan-open.c: compiles what treats each of an unknown number of examples for itself. */
void sym_plan_compile_open (SymPlan *plan, const SymPlanOptions *options, SymPacker *packer);

G_END_DECLS
