/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* The growing form: a graph owns its nodes and layers; pointers to nodes are borrowed and live as
 * long as the graph.  Nodes are only ever added, so their order is always an order of execution.
 * Types are inferred as each node is made, so a wrong shape is an error at the line that makes it
 * and leaves the graph as it was.  Functions that add a node return it; a NULL node among their
 * inputs or an error that is set already makes them return NULL and leave @error alone, so that
 * calls can be nested and the error be looked at once.  (PyTorch Symbolic's SymbolicData; semantics
 * by row id in the comments.) */
typedef struct _SymGraph SymGraph;
typedef struct _SymNode SymNode;

SymGraph *sym_graph_new (void);
SymGraph *sym_graph_ref (SymGraph *self);
void sym_graph_unref (SymGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymGraph, sym_graph_unref)

/* A size that has a name, for shapes of inputs: "seq".  The same one each time. */
SymDim sym_graph_get_dim (SymGraph *self, const char *name);

/* P1.  @shape excludes the batch, unless @batch_shape is given, which wins over @shape and
 * @batch_size.  Without @batch_shape the batch is unknown and shown as None, even when a size is
 * given: that one is the trace size. */
typedef struct {
  SymShape shape;
  const SymShape *batch_shape;
  gint64 batch_size; /* 0 counts as 1 */
  SymDType dtype;    /* unknown counts as float32 */
  double min_value,
      max_value;    /* values are drawn from [min, max) when the graph runs; both 0: [0, 1) */
  const char *name; /* variable name, may be NULL */
} SymInputOptions;

SymNode *sym_graph_add_input (SymGraph *self, const SymInputOptions *options, GError **error);

/* The common case: an input of @shape per sample, float32. */
SymNode *sym_input (SymGraph *self, SymShape shape, GError **error);

/* An input that is no tensor, known by its type (P3 without its value). */
SymNode *sym_graph_add_custom_input (SymGraph *self, const SymType *type, GError **error);

/* Applies a layer to operands: one new node, the first result; the others by sym_node_get_result().
 * P20, P21, P23: @name is the custom name, may be NULL.  The layer is referenced by the graph.
 * sym_layer_call() and sym_node_apply() are the two spellings of it. */
SymNode *sym_graph_call (SymGraph *self,
                         SymLayer *layer,
                         SymNode *const *operands,
                         guint n_operands,
                         const char *name,
                         GError **error);
SymNode *sym_layer_call (SymLayer *layer, SymNode *operand, GError **error);
SymNode *sym_node_apply (SymNode *self, SymLayer *layer, GError **error);

/* Hands a layer to the graph, which drops it when it ends: for layers that are applied several
 * times. Returns it; NULL for NULL.  @name, when not NULL, becomes the custom name of its calls. */
SymLayer *sym_graph_keep_layer (SymGraph *self, SymLayer *take_layer, const char *name);

/* The same with several operands, at least one; @name may be NULL. */
SymNode *sym_layer_call_all (SymLayer *layer,
                             const char *name,
                             SymNode *const *operands,
                             guint n_operands,
                             GError **error);

/* P40-P44: calls a host function with an argument tree whose SYM_VALUE_OPERAND leaves are the
 * operands by index, in order of discovery. */
SymNode *sym_graph_call_function (SymGraph *self,
                                  const SymFunction *function,
                                  SymValue *take_arguments,
                                  SymNode *const *operands,
                                  guint n_operands,
                                  const char *name,
                                  GError **error);

/* Arguments of a host function as Python's calls have them: positional and named values, with nodes
 * anywhere in their lists, tuples and dicts.  The tree becomes ((positional, ...), {named: ...}),
 * its nodes the operands in order of discovery (P40): positional first, depth first, then named. */
typedef struct _SymArguments SymArguments;

SymArguments *sym_arguments_new (void);
void sym_arguments_free (SymArguments *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymArguments, sym_arguments_free)

/* A leaf for @node, to be put somewhere into the arguments. */
SymValue *sym_arguments_node (SymArguments *self, SymNode *node);
void sym_arguments_add (SymArguments *self, SymValue *take_value);
void sym_arguments_set (SymArguments *self, const char *key, SymValue *take_value);

SymNode *sym_graph_call_with (SymGraph *self,
                              const SymFunction *function,
                              SymArguments *take_arguments,
                              const char *name,
                              GError **error);

/* Non-tensor values (P6): an attribute of the value, and a call of one.  GetAttr makes a node of
 * type "method-wrapper" for operators (__add__), "builtin_function_or_method" else; calling it
 * makes a node `wrap(reshape)`, of type @result, or of the type of the attribute's owner when that
 * is NULL. */
SymNode *sym_node_get_attribute (SymNode *self, const char *name, GError **error);
SymNode *
sym_node_call (SymNode *self, SymArguments *take_arguments, const SymType *result, GError **error);

/* One node per element of the first dimension, or of a tuple: UnpackLayer, full siblings.  Fills
 * @nodes with exactly @n; an error when there are more or fewer.  The results of a layer that has
 * several (a nested model) are siblings already: then no layer is added. */
gboolean sym_node_unpack (SymNode *self, SymNode **nodes, guint n, GError **error);

/* P7-P11.  Parents keep duplicates; children have one entry per use.  A NULL node, which a failed
 * call is, has none of all this: counts are 0, pointers NULL, sizes -1, its shape reads "?". */
SymGraph *sym_node_get_graph (SymNode *self);
guint sym_node_get_index (SymNode *self); /* creation order */
guint sym_node_get_depth (SymNode *self);
guint sym_node_get_n_parents (SymNode *self);
SymNode *sym_node_get_parent (SymNode *self, guint i);
guint sym_node_get_n_children (SymNode *self);
SymNode *sym_node_get_child (SymNode *self, guint i);
SymLayer *sym_node_get_layer (SymNode *self); /* NULL for inputs */
guint sym_node_get_n_results (SymNode *self);
SymNode *sym_node_get_result (SymNode *self, guint i); /* siblings of the same call */
gboolean sym_node_get_batch_size_known (SymNode *self);
void sym_node_set_variable (SymNode *self, const char *variable);
const char *sym_node_get_variable (SymNode *self);

/* The symbolic type; the shape with trace sizes in place of unknowns (D3: (1, 784)); its text for
 * people ((None, 784)), to be freed.  Features are the last dimension (D4).  The sizes below are
 * trace sizes, -1 where a size is a name or there is none; only those of images, which need rank 4,
 * set an error then: SYM_ERROR_ARGUMENT, "The data is not of [C,H,W] form!". */
SymType sym_node_get_type (SymNode *self);
SymShape sym_node_get_shape (SymNode *self);
char *sym_node_format_shape (SymNode *self);
gint64 sym_node_get_batch_size (SymNode *self);
gint64 sym_node_get_features (SymNode *self);
gint64 sym_node_get_numel (SymNode *self);
gint64 sym_node_get_channels (SymNode *self, GError **error);
gint64 sym_node_get_height (SymNode *self, GError **error);
gint64 sym_node_get_width (SymNode *self, GError **error);

/* Several of them at once, in the order of the letters N, C, H and W: "HW", "CHW", "HWC".  Sizes
 * that are names stay names, so that the shape can be that of another input of the graph. */
gboolean
sym_node_get_image_shape (SymNode *self, const char *order, SymShape *shape, GError **error);

/* P10: "<SymbolicTensor at 0x...; 1 parents; 0 children>". */
char *sym_node_to_string (SymNode *self);

/* P50-P57: the model between @inputs and @outputs, with layers named by the symbolic strategy.
 * Errors have the texts of P50 and P52, and one is always set where NULL is returned: a NULL node
 * is one too, unless the error that made it so is there already. */
SymModel *sym_graph_build (SymGraph *self,
                           SymNode *const *inputs,
                           guint n_inputs,
                           SymNode *const *outputs,
                           guint n_outputs,
                           GError **error);

/* The common case: one input, one output. */
SymModel *sym_node_build_model (SymNode *input, SymNode *output, GError **error);

/* The value of @model that stands for @node, SYM_NO_ID when it is not in it. */
SymId sym_graph_get_model_value (SymGraph *self, SymModel *model, SymNode *node);

/* P61: a layer of type "SymbolicModel" that runs @model; weights are shared, not copied. */
SymLayer *sym_layer_new_model (SymModel *model);

G_END_DECLS
