/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "core/sym-infer.h"
#include "core/sym-model-builder.h"
#include "ops/sym-op.h"

/* One call of an operator, of MXNet unless told otherwise, told by texts.  Values are parted by
 * spaces: "1,3,?,8" has an unknown dimension, "*" an unknown rank, "()" none, "2,3:int8" a dtype,
 * "-" stands for an absent operand. */
typedef struct {
  const char *op;
  const char *attributes; /* "kernel=(3, 3); num_filter=8" */
  const char *operands;
  const char *outputs; /* what is known of the outputs before; NULL for nothing */
  /* "operands -> outputs" after, or outputs alone; may be NULL with an error */
  const char *expected;
  const char *error;     /* part of the message */
  const char *bodies[3]; /* see rule_case_read_body() */
  const char *domain;    /* NULL: "mxnet" */
} RuleCase;

static inline SymType
rule_case_read_type (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  g_auto (GStrv) dims = NULL;

  if (parts[1] != NULL)
    g_assert_true (sym_dtype_from_string (parts[1], &type.dtype));
  if (g_str_equal (parts[0], "*"))
    return type;
  type.shape.rank = 0;
  if (g_str_equal (parts[0], "()"))
    return type;
  dims = g_strsplit (parts[0], ",", -1);
  for (guint i = 0; dims[i] != NULL; i++)
    type.shape.dims[type.shape.rank++] =
        g_str_equal (dims[i], "?") ? SYM_DIM_UNKNOWN : g_ascii_strtoll (dims[i], NULL, 10);
  return type;
}

static inline SymAttributes *
rule_case_read_attributes (const SymOperator *op, const char *text)
{
  g_auto (GStrv) pairs = g_strsplit (text, "; ", -1);
  g_autoptr (SymOpLiterals) known = sym_op_literals_new ();
  SymAttributes *attributes = sym_attributes_new ();

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      const char *equals = strchr (pairs[i], '=');

      if (equals != NULL)
        sym_op_literals_set (known, op, pairs[i], (gsize) (equals - pairs[i]), equals + 1,
                             strlen (equals + 1), attributes, NULL, 0, SYM_NO_ID);
    }
  return attributes;
}

static inline SymId
rule_case_add_call (SymModelBuilder *builder,
                    GHashTable *values,
                    const char *name,
                    const char *text)
{
  const char *open = strchr (text, '{'), *close = strrchr (text, '}');
  g_autofree char *op_name = g_strndup (text, (gsize) (open - text - 1));
  g_autofree char *literals = g_strndup (open + 1, (gsize) (close - open - 1));
  g_auto (GStrv) operands = g_strsplit (close + 2, " ", -1);
  const SymOperator *op = sym_op_find ("mxnet", op_name, 0);
  g_autoptr (SymAttributes) attributes = rule_case_read_attributes (op, literals);
  g_autoptr (SymLayer) layer = sym_layer_new (op_name, op, attributes);
  SymId ids[8], call;
  guint n = 0;

  for (; operands[n] != NULL; n++)
    {
      char *dot = strchr (operands[n], '.');
      guint output = dot == NULL ? 0 : (guint) g_ascii_strtoull (dot + 1, NULL, 10);

      if (dot != NULL)
        *dot = '\0';
      g_assert_true (g_hash_table_contains (values, operands[n]));
      ids[n] = GPOINTER_TO_UINT (g_hash_table_lookup (values, operands[n])) - 1 + output;
    }
  call = sym_model_builder_add_call (builder, name, layer, ids, n,
                                     (guint) sym_op_get_n_outputs (op, attributes, NULL));
  return sym_model_builder_get_result (builder, call, 0);
}

/* A line is "name = Op {attributes} operands", or "name: type" for a variable. */
static inline void
rule_case_add_line (SymModelBuilder *builder, GHashTable *values, const char *line)
{
  const char *equals = strstr (line, " = ");
  char *name = g_strndup (line, strcspn (line, " :"));
  SymId value;

  if (equals != NULL)
    value = rule_case_add_call (builder, values, name, equals + 3);
  else
    {
      SymType type = rule_case_read_type (strstr (line, ": ") + 2);

      value = sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &type);
    }
  g_hash_table_insert (values, name, GUINT_TO_POINTER (value + 1));
}

/* A model from lines, the last of which is "-> names" for its outputs. */
static inline SymModel *
rule_case_read_body (const char *text)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = g_strv_length (lines) - 1;
  g_auto (GStrv) outputs = g_strsplit (lines[n] + strlen ("-> "), " ", -1);

  for (guint i = 0; i < n; i++)
    rule_case_add_line (builder, values, lines[i]);
  for (guint i = 0; outputs[i] != NULL; i++)
    sym_model_builder_add_output (builder,
                                  GPOINTER_TO_UINT (g_hash_table_lookup (values, outputs[i])) - 1);
  return sym_model_builder_end (builder);
}

static inline void
rule_case_add_bodies (const RuleCase *self, SymLayer *layer)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bodies) && self->bodies[i] != NULL; i++)
    {
      g_autoptr (SymModel) body = rule_case_read_body (self->bodies[i]);
      g_autofree char *name = g_strdup_printf ("subgraph%u", i);

      sym_layer_add_body (layer, name, body, FALSE);
    }
}

/* The model of one call; its values are in the order of operands, then outputs. */
static inline SymModel *
rule_case_build (const RuleCase *self)
{
  const SymOperator *op = sym_op_find (self->domain == NULL ? "mxnet" : self->domain, self->op, 0);
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) layer = NULL;
  g_auto (GStrv) operands = g_strsplit (self->operands, " ", -1);
  g_auto (GStrv) outputs = g_strsplit (self->outputs != NULL ? self->outputs : "", " ", -1);
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  SymId ids[64], call;
  guint n = 0, n_outputs;

  g_assert_nonnull (op);
  attributes = rule_case_read_attributes (op, self->attributes);
  layer = sym_layer_new (self->op, op, attributes);
  rule_case_add_bodies (self, layer);
  n_outputs = (guint) sym_op_get_n_outputs (op, attributes, NULL);
  if (n_outputs == 0)
    n_outputs = MAX (g_strv_length (outputs), 1);
  for (; operands[n] != NULL && operands[n][0] != '\0'; n++)
    {
      SymType type = rule_case_read_type (g_str_equal (operands[n], "-") ? "*" : operands[n]);
      g_autofree char *name = g_strdup_printf ("in%u", n);
      SymId value = sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &type);

      ids[n] = g_str_equal (operands[n], "-") ? SYM_NO_ID : value;
    }
  call = sym_model_builder_add_call (builder, "node", layer, ids, n, n_outputs);
  for (guint i = 0; i < n_outputs && outputs[i] != NULL && outputs[i][0] != '\0'; i++)
    {
      SymType type = rule_case_read_type (outputs[i]);

      sym_model_builder_set_type (builder, sym_model_builder_get_result (builder, call, i), &type);
    }
  return sym_model_builder_end (builder);
}

static inline void
rule_case_append (GString *text, const SymInference *inference, SymId value, gboolean dtypes)
{
  SymType type = sym_inference_get_type (inference, value);
  g_autofree char *shape = type.shape.rank == 0
                               ? g_strdup ("()")
                               : sym_inference_format_shape (inference, &type.shape, ",");

  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                          type.shape.rank < 0 ? "*" : shape);
  if (dtypes && type.dtype != SYM_DTYPE_UNKNOWN)
    g_string_append_printf (text, ":%s", sym_dtype_to_string (type.dtype));
}

/* Runs the case and asserts what it says. */
static inline void
rule_case_run (const RuleCase *self)
{
  g_autoptr (SymModel) model = rule_case_build (self);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  const SymProblems *problems = sym_inference_get_problems (inference);
  const char *message =
      sym_problems_get_n (problems) > 0 ? sym_problems_get (problems, 0)->message : NULL;
  SymIds results = sym_model_get_results (model, 0);
  g_autoptr (GString) all = g_string_new (NULL), outputs = g_string_new (NULL);
  gboolean dtypes = self->expected != NULL && strchr (self->expected, ':') != NULL;

  g_test_message ("%s {%s} %s", self->op, self->attributes, self->operands);
  if (self->error != NULL)
    {
      g_test_message ("%s", message);
      g_assert_nonnull (message);
      g_assert_nonnull (strstr (message, self->error));
      g_assert_true (g_str_has_prefix (message, "Error in operator node: "));
      if (self->expected == NULL)
        return;
    }
  else
    g_assert_cmpstr (message, ==, NULL);
  for (SymId i = 0; i < sym_model_get_n_values (model) - results.n; i++)
    rule_case_append (all, inference, i, dtypes);
  g_string_append (all, " ->");
  for (guint i = 0; i < results.n; i++)
    {
      rule_case_append (outputs, inference, results.ids[i], dtypes);
      rule_case_append (all, inference, results.ids[i], dtypes);
    }
  g_assert_cmpstr (strstr (self->expected, "->") != NULL ? all->str : outputs->str, ==,
                   self->expected);
}
