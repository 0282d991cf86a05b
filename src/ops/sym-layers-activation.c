/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers-activation.h"

#include "core/sym-error.h"
#include "ops/sym-layers-private.h"
#include "ops/sym-op.h"

#include <stddef.h>
#include <string.h>

/* The fields of the options that are numbers. */
static const struct {
  const char *name;
  gsize offset;
} number_fields[] = {
  { "negative_slope", offsetof (SymActivationOptions, negative_slope) },
  { "alpha", offsetof (SymActivationOptions, alpha) },
  { "beta", offsetof (SymActivationOptions, beta) },
  { "threshold", offsetof (SymActivationOptions, threshold) },
  { "min_val", offsetof (SymActivationOptions, min_val) },
  { "max_val", offsetof (SymActivationOptions, max_val) },
};

/* The option called @name, NULL when it is not given. */
static SymValue *
get_option (const SymActivationOptions *options, const char *name)
{
  if (strcmp (name, "approximate") == 0 && options->approximate != NULL)
    return sym_value_new_string (options->approximate);
  if (strcmp (name, "num_parameters") == 0 && options->num_parameters != 0)
    return sym_value_new_int (options->num_parameters);

  for (gsize i = 0; i < G_N_ELEMENTS (number_fields); i++)
    {
      double number = G_STRUCT_MEMBER (double, options, number_fields[i].offset);

      if (strcmp (name, number_fields[i].name) == 0 && number != 0)
        return sym_value_new_float (number);
    }
  return NULL;
}

static SymLayer *
make_activation (const char *type, const SymActivationOptions *options)
{
  const SymOperator *op = sym_op_find ("torch", type, 0);
  SymAttributes *attributes = sym_attributes_new ();
  SymLayer *layer;

  g_return_val_if_fail (op != NULL, NULL);

  for (const SymAttributeSpec *spec = op->attributes; spec->name != NULL; spec++)
    {
      SymValue *value = get_option (options, spec->name);

      if (value == NULL)
        value = sym_op_type_literal (spec->kind, spec->fallback);
      sym_attributes_set (attributes, spec->name, value, NULL);
    }
  layer = sym_torch_new (type, attributes);
  if (strcmp (type, "PReLU") == 0)
    sym_torch_add_weight (layer, "weight", SYM_SHAPE (MAX (options->num_parameters, 1)), TRUE);
  return layer;
}

SymNode *
sym_activation_with (SymNode *input,
                     const char *type,
                     const SymActivationOptions *options,
                     GError **error)
{
  if (input == NULL)
    return NULL;
  return sym_torch_call (input, make_activation (type, options), options->name, error);
}

SymLayer *
sym_nn_activation_with (SymGraph *graph, const char *type, const SymActivationOptions *options)
{
  return sym_graph_keep_layer (graph, make_activation (type, options), options->name);
}

static SymLayer *
make_along (const char *type, gint64 dim)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_torch_set_int (attributes, "dim", dim);
  return sym_torch_new (type, attributes);
}

SymNode *
sym_softmax (SymNode *input, gint64 dim, GError **error)
{
  return sym_torch_call (input, make_along ("Softmax", dim), NULL, error);
}

SymNode *
sym_log_softmax (SymNode *input, gint64 dim, GError **error)
{
  return sym_torch_call (input, make_along ("LogSoftmax", dim), NULL, error);
}

SymNode *
sym_glu (SymNode *input, gint64 dim, GError **error)
{
  return sym_torch_call (input, make_along ("GLU", dim), NULL, error);
}

SymLayer *
sym_nn_softmax (SymGraph *graph, gint64 dim)
{
  return sym_graph_keep_layer (graph, make_along ("Softmax", dim), NULL);
}

SymLayer *
sym_nn_log_softmax (SymGraph *graph, gint64 dim)
{
  return sym_graph_keep_layer (graph, make_along ("LogSoftmax", dim), NULL);
}

static SymLayer *
make_dropout (double p, GError **error)
{
  SymAttributes *attributes;

  if (error != NULL && *error != NULL)
    return NULL;
  if (!(p >= 0 && p <= 1))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "dropout probability has to be between 0 and 1, but got %g", p);
      return NULL;
    }

  attributes = sym_attributes_new ();
  sym_torch_set_float (attributes, "p", p);
  return sym_torch_new ("Dropout", attributes);
}

SymNode *
sym_dropout (SymNode *input, double p, GError **error)
{
  return input == NULL ? NULL : sym_torch_call (input, make_dropout (p, error), NULL, error);
}

SymLayer *
sym_nn_dropout (SymGraph *graph, double p, GError **error)
{
  return sym_graph_keep_layer (graph, make_dropout (p, error), NULL);
}
