/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-private.h"
#include "io/sym-tfjs-private.h"

#include <string.h>

/* An operation of TensorFlow within a Keras model, which TensorFlow 2.0 to 2.3 wrapped as a layer:
 *
 *   {"node_def": {"op": "Mul", "input": ["x", "Mul/y"], "attr": {"T": {"type": "DT_FLOAT"}}},
 *    "constants": {"1": 0.5}}
 *
 * It becomes a body of one call, whose inputs are what no constant is given for. */

#define MAX_INPUTS 1024

typedef struct {
  SymKerasReader *reader;
  SymModelBuilder *builder;
  guint constants;  /* token */
  GArray *operands; /* of SymId */
} Draft;

static SymId
add_input (Draft *self)
{
  SymType any = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  g_autofree char *name = g_strdup_printf ("input%u", self->operands->len);
  SymId value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_INPUT, &any);

  sym_model_builder_add_input (self->builder, value);
  return value;
}

/* FALSE for a constant that is no number. */
static gboolean
add_operands (Draft *self, guint n)
{
  const SymJson *json = self->reader->json;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = g_strdup_printf ("%u", i);
      guint constant = sym_json_get_member (json, self->constants, key);
      SymId value = constant == SYM_JSON_NONE ? add_input (self)
                                              : sym_keras_add_constant (self->reader, self->builder,
                                                                        constant, SYM_DTYPE_INT32);

      if (value == SYM_NO_ID)
        return FALSE;
      g_array_append_val (self->operands, value);
    }
  return TRUE;
}

static void
add_call (Draft *self, const char *type, const SymOperator *op, guint node, guint n_results)
{
  const SymJson *json = self->reader->json;
  g_autoptr (SymAttributes) attributes =
      sym_tfjs_read_attributes (json, sym_json_get_member (json, node, "attr"));
  g_autoptr (SymLayer) layer = sym_layer_new (type, op, attributes);
  SymId call;

  sym_layer_set_name (layer, type);
  call = sym_model_builder_add_call (self->builder, type, layer,
                                     (const SymId *) (gconstpointer) self->operands->data,
                                     self->operands->len, n_results);
  for (guint i = 0; i < n_results; i++)
    sym_model_builder_add_output (self->builder,
                                  sym_model_builder_get_result (self->builder, call, i));
}

/* What has to come before is named "^that". */
static guint
count_inputs (const SymJson *json, guint node)
{
  guint inputs = sym_json_get_member (json, node, "input"), n = 0;

  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.value);

      n += name == NULL || name[0] != '^';
    }
  return n;
}

SymModel *
sym_keras_make_tensorflow (SymKerasReader *reader, guint config, guint n_results)
{
  const SymJson *json = reader->json;
  guint node = sym_json_get_member (json, config, "node_def"), n = count_inputs (json, node);
  g_autofree char *type = sym_json_dup_string (json, sym_json_get_member (json, node, "op"));
  const SymOperator *op = type == NULL ? NULL : sym_op_find ("tf", type, 0);
  Draft self = { .reader = reader, .constants = sym_json_get_member (json, config, "constants") };
  g_autoptr (SymModel) body = NULL;
  gboolean done;

  if (op == NULL || n > MAX_INPUTS)
    return NULL;
  self.builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  self.operands = g_array_new (FALSE, FALSE, sizeof (SymId));
  done = add_operands (&self, n);
  if (done)
    add_call (&self, type, op, node, n_results);
  body = sym_model_builder_end (self.builder);
  g_array_unref (self.operands);
  return done ? g_steal_pointer (&body) : NULL;
}
