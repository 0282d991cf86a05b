/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers-shape.h"

#include "ops/sym-layers-private.h"

/* ---- Flatten ---- */

static SymLayer *
make_flatten (gint64 start, gint64 end)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_torch_set_int (attributes, "start_dim", start);
  sym_torch_set_int (attributes, "end_dim", end);
  return sym_torch_new ("Flatten", attributes);
}

SymNode *
sym_flatten (SymNode *input, GError **error)
{
  return sym_flatten_dims (input, 1, -1, error);
}

SymNode *
sym_flatten_dims (SymNode *input, gint64 start, gint64 end, GError **error)
{
  return sym_torch_call (input, make_flatten (start, end), NULL, error);
}

SymLayer *
sym_nn_flatten (SymGraph *graph)
{
  return sym_graph_keep_layer (graph, make_flatten (1, -1), NULL);
}

/* ---- Reshape ---- */

static SymLayer *
make_reshape (const char *type, SymShape shape, gboolean with_batch)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_torch_set_ints (attributes, "shape", shape.dims, shape.rank);
  sym_torch_set_bool (attributes, "batch_size_included", with_batch);
  return sym_torch_new (type, attributes);
}

SymNode *
sym_reshape (SymNode *input, SymShape shape, GError **error)
{
  return sym_torch_call (input, make_reshape ("ReshapeLayer", shape, TRUE), NULL, error);
}

SymNode *
sym_view (SymNode *input, SymShape shape, GError **error)
{
  return sym_torch_call (input, make_reshape ("ViewCopyLayer", shape, TRUE), NULL, error);
}

SymLayer *
sym_nn_reshape (SymGraph *graph, SymShape shape)
{
  return sym_graph_keep_layer (graph, make_reshape ("ReshapeLayer", shape, FALSE), NULL);
}

SymLayer *
sym_nn_view_copy (SymGraph *graph, SymShape shape)
{
  return sym_graph_keep_layer (graph, make_reshape ("ViewCopyLayer", shape, FALSE), NULL);
}

SymNode *
sym_transpose (SymNode *input, GError **error)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_torch_set_string (attributes, "op", "t");
  return sym_torch_call (input, sym_torch_new ("LambdaOpLayer", attributes), NULL, error);
}

SymNode *
sym_permute (SymNode *input, SymShape order, GError **error)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_torch_set_ints (attributes, "dims", order.dims, order.rank);
  return sym_torch_call (input, sym_torch_new ("permute", attributes), NULL, error);
}

/* ---- Several inputs ---- */

static SymLayer *
make_along (const char *type, gint64 dim)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_torch_set_int (attributes, "dim", dim);
  return sym_torch_new (type, attributes);
}

SymNode *
sym_concat_all (gint64 dim, SymNode *const *nodes, guint n, GError **error)
{
  g_autoptr (SymLayer) layer = make_along ("ConcatLayer", dim);

  return sym_layer_call_all (layer, NULL, nodes, n, error);
}

SymNode *
sym_stack_all (gint64 dim, SymNode *const *nodes, guint n, GError **error)
{
  g_autoptr (SymLayer) layer = make_along ("StackLayer", dim);

  return sym_layer_call_all (layer, NULL, nodes, n, error);
}

SymLayer *
sym_nn_concat (SymGraph *graph, gint64 dim)
{
  return sym_graph_keep_layer (graph, make_along ("ConcatLayer", dim), NULL);
}

SymLayer *
sym_nn_stack (SymGraph *graph, gint64 dim)
{
  return sym_graph_keep_layer (graph, make_along ("StackLayer", dim), NULL);
}

/* ---- Upsample ---- */

static SymLayer *
make_upsample (SymShape size, gint64 factor, const char *mode)
{
  SymAttributes *attributes = sym_attributes_new ();

  if (size.rank > 0)
    sym_torch_set_ints (attributes, "size", size.dims, size.rank);
  else
    sym_torch_set_int (attributes, "scale_factor", factor);
  sym_torch_set_string (attributes, "mode", mode == NULL ? "nearest" : mode);
  return sym_torch_new ("Upsample", attributes);
}

SymNode *
sym_upsample (SymNode *input, gint64 factor, const char *mode, GError **error)
{
  if (input == NULL || !sym_torch_check_size ("Upsample", "scale_factor", factor, error))
    return NULL;
  return sym_torch_call (input, make_upsample (SYM_SHAPE (), factor, mode), NULL, error);
}

SymNode *
sym_upsample_to (SymNode *input, SymShape size, const char *mode, GError **error)
{
  return sym_torch_call (input, make_upsample (size, 1, mode), NULL, error);
}

SymLayer *
sym_nn_upsample (SymGraph *graph, gint64 factor, const char *mode)
{
  return sym_graph_keep_layer (graph, make_upsample (SYM_SHAPE (), factor, mode), NULL);
}

/* ---- Aggregate ---- */

SymNode *
sym_aggregate_with (SymNode *input,
                    const char *op,
                    const SymAggregateOptions *options,
                    GError **error)
{
  const SymShape *dim = &options->dim;
  SymAttributes *attributes;
  SymValue *dims;

  if (input == NULL)
    return NULL;

  dims = dim->rank < 1    ? sym_value_new_none ()
         : dim->rank == 1 ? sym_value_new_int (dim->dims[0])
                          : sym_value_new_ints (SYM_VALUE_TUPLE, dim->dims, (guint) dim->rank);
  attributes = sym_attributes_new ();
  sym_torch_set_string (attributes, "op", op);
  sym_attributes_set (attributes, "dim", dims, NULL);
  sym_torch_set_bool (attributes, "keepdim", options->keepdim);
  return sym_torch_call (input, sym_torch_new ("AggregateLayer", attributes), options->name, error);
}
