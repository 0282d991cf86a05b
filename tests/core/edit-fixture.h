/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-edit.h"
#include "core/sym-model-private.h"

#include <string.h>

/* The model that the tests of edits start from. */

/* data -> fc1 (weight) -> relu1 -> fc2 (weight), fc1 and fc2 one shared layer; relu1 also in an add
 * with itself; outputs: fc2 and the sum. */
typedef struct {
  SymModel *model;
  SymLayer *dense, *relu;
  SymId data, weight, spare;
  SymId fc1, relu1, fc2, sum;                 /* calls */
  SymId fc1_out, relu1_out, fc2_out, sum_out; /* their results */
} Fixture;

static inline SymLayer *
make_layer (const char *type, const SymOperator *op)
{
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  sym_attributes_set (attributes, "units", sym_value_new_int (10), "10");
  return sym_layer_new (type, op, attributes);
}

static const SymAttributeSpec dense_attributes[] = {
  { "units", SYM_ATTRIBUTE_INT, NULL, "" },        { "rate", SYM_ATTRIBUTE_FLOAT, "0.5", "" },
  { "flat", SYM_ATTRIBUTE_BOOL, "True", "" },      { "pad", SYM_ATTRIBUTE_INTS, "()", "" },
  { "act", SYM_ATTRIBUTE_STRING, "None", "" },     { "scales", SYM_ATTRIBUTE_FLOATS, "()", "" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "" }, { NULL, SYM_ATTRIBUTE_ANY, NULL, NULL },
};

static const SymOperator dense_operator = {
  .domain = "test",
  .name = "Dense",
  .attributes = dense_attributes,
};

static inline SymId
add_call (SymModelBuilder *builder, const char *name, SymLayer *layer, SymId a, SymId b)
{
  const SymId operands[] = { a, b };

  return sym_model_builder_add_call (builder, name, layer, operands, b == SYM_NO_ID ? 1 : 2, 1);
}

static inline void
set_up (Fixture *self, gconstpointer data)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  const SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 10));
  SymModelBuilder *b = builder;

  self->dense = make_layer ("Dense", &dense_operator);
  self->relu = make_layer ("ReLU", NULL);
  self->data = sym_model_builder_add_value (b, "data", SYM_ROLE_INPUT, &type);
  self->spare = sym_model_builder_add_value (b, "spare", SYM_ROLE_INPUT, NULL);
  self->weight = sym_model_builder_add_value (b, "weight", SYM_ROLE_PARAMETER, NULL);
  self->fc1 = add_call (b, "fc1", self->dense, self->data, self->weight);
  self->fc1_out = sym_model_builder_get_result (b, self->fc1, 0);
  self->relu1 = add_call (b, "relu1", self->relu, self->fc1_out, SYM_NO_ID);
  self->relu1_out = sym_model_builder_get_result (b, self->relu1, 0);
  self->fc2 = add_call (b, "fc2", self->dense, self->relu1_out, self->weight);
  self->fc2_out = sym_model_builder_get_result (b, self->fc2, 0);
  sym_model_builder_set_value_name (b, self->fc2_out, "fc2_output");
  self->sum = add_call (b, "sum", self->relu, self->relu1_out, self->relu1_out);
  self->sum_out = sym_model_builder_get_result (b, self->sum, 0);
  sym_model_builder_add_output (b, self->fc2_out);
  sym_model_builder_add_output (b, self->sum_out);
  self->model = sym_model_builder_end (builder);
}

static inline void
tear_down (Fixture *self, gconstpointer data)
{
  sym_model_unref (self->model);
  sym_layer_unref (self->dense);
  sym_layer_unref (self->relu);
}

/* Takes @error, which must be there and say @part. */
static inline void
assert_refused (gboolean done, GError **error, SymError code, const char *part)
{
  g_assert_false (done);
  g_assert_error (*error, SYM_ERROR, (int) code);
  if (strstr ((*error)->message, part) == NULL)
    g_error ("“%s” lacks “%s”", (*error)->message, part);
  g_clear_error (error);
}
