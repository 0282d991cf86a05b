/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-raise-private.h"

#include <string.h>

/* ---- Names ---- */

/* Of the last layer that another framework's was lowered to: the name of that one.  "fc1" for the
 * "fc1/MatMul" that makes "fc1_output", and not "fc1/value". */
static char *
cut_type (SymRaise *self, const char *name)
{
  const char *slash = strrchr (name, '/');
  const char *result =
      sym_model_get_value_name (sym_raise_get_model (self), sym_raise_get_result_value (self, 0));
  gsize n = slash == NULL ? 0 : (gsize) (slash - name);

  if (n == 0 || strcmp (slash + 1, sym_raise_get_type (self)) != 0 ||
      strncmp (result, name, n + 1) == 0)
    return g_strdup (name);
  return g_strndup (name, n);
}

static char *
make_layer_name (SymRaise *self, gboolean is_last, const char *type)
{
  SymModel *model = sym_raise_get_model (self);
  const char *own = sym_model_get_call_name (model, sym_raise_get_call (self));
  g_autofree char *name = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *lower = g_ascii_strdown (type, -1);

  if (own == NULL || *own == '\0')
    own = sym_model_get_value_name (model, sym_raise_get_result_value (self, 0));
  plain = cut_type (self, own);
  name = sym_keras_raise_make_name (plain);
  return is_last ? g_steal_pointer (&name) : g_strdup_printf ("%s_%s", name, lower);
}

static void
name_results (SymModelBuilder *builder, SymId call, const char *layer, guint place, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = i > 0       ? g_strdup_printf ("%s[%u][%u]", layer, place, i)
                              : place > 0 ? g_strdup_printf ("%s[%u]", layer, place)
                                          : g_strdup (layer);

      sym_model_builder_set_value_name (builder, sym_model_builder_get_result (builder, call, i),
                                        name);
    }
}

/* ---- Calls ---- */

/* A layer with weights, which is applied again where they are used again. */
typedef struct {
  SymLayer *layer;
  GArray *ids; /* of SymId: its weights by slot */
  guint n_calls;
} Shared;

void
sym_keras_raise_free_shared (gpointer data)
{
  Shared *self = data;

  sym_layer_unref (self->layer);
  g_array_unref (self->ids);
  g_free (self);
}

typedef struct {
  gboolean is_last;
  gboolean is_named; /* like the layer that is raised */
  const char *type;
  const SymOperator *op;
  SymAttributes *attributes; /* owned */
  const SymId *operands;
  guint n_operands;
  SymKerasWeight *const *weights;
  guint n_weights;
  guint n_results;
} Put;

static char *
make_key (const Put *put)
{
  GString *key = g_string_new (put->type);

  for (guint i = 0; i < sym_attributes_get_n (put->attributes); i++)
    {
      g_autofree char *text = sym_value_to_string (sym_attributes_get_value (put->attributes, i));

      g_string_append_printf (key, "\n%s=%s", sym_attributes_get_name (put->attributes, i), text);
    }
  for (guint i = 0; i < put->n_weights; i++)
    g_string_append_printf (key, "\n%s", put->weights[i] == NULL ? "" : put->weights[i]->path->str);
  return g_string_free (key, FALSE);
}

/* Weights of a layer are its own in Keras: of those that another layer has as well there are two.
 */
static void
own_weight (SymRaise *self, const SymKerasWeight *weight, const char *layer)
{
  SymKerasRaise *state = sym_raise_get_data (self);
  gpointer key = GUINT_TO_POINTER (weight->base + 1);

  if (g_hash_table_contains (state->owners, key))
    sym_keras_names_add (&state->split,
                         sym_model_get_value_name (sym_raise_get_model (self), weight->base));
  g_hash_table_insert (state->owners, key, (gpointer) layer);
}

static gboolean
is_frozen (const SymModel *model, SymId value)
{
  SymParameter *parameter = sym_model_get_parameter (model, value);

  return parameter != NULL && sym_model_get_role (model, value) == SYM_ROLE_PARAMETER &&
         !sym_parameter_get_trainable (parameter);
}

static SymId
add_weight (SymRaise *self,
            const SymKerasWeight *weight,
            const char *layer,
            const SymSlotSpec *slot)
{
  SymModelBuilder *builder = sym_raise_get_builder (self);
  gboolean is_state = slot->kind != SYM_SLOT_PARAMETER;
  gboolean trainable = !is_state && !is_frozen (sym_raise_get_model (self), weight->base);
  SymType type = sym_type_tensor (weight->dtype, weight->shape);
  g_autofree char *name = g_strconcat (layer, "/", sym_keras_get_weight_name (slot->name), NULL);
  SymId value = sym_model_builder_add_value (
      builder, name, is_state ? SYM_ROLE_AUXILIARY : SYM_ROLE_PARAMETER, &type);

  own_weight (self, weight, layer);
  sym_model_builder_set_parameter (builder, value, sym_parameter_new (trainable, weight->tensor));
  return value;
}

static Shared *
add_shared (SymRaise *self, const Put *put)
{
  g_autofree char *wanted = make_layer_name (self, put->is_last || put->is_named, put->type);
  const char *name = sym_raise_choose_name (self, wanted);
  Shared *shared = g_new0 (Shared, 1);

  shared->layer = sym_layer_new (put->type, put->op, put->attributes);
  sym_layer_set_name (shared->layer, name);
  shared->ids = g_array_new (FALSE, FALSE, sizeof (SymId));
  for (guint i = 0; i < put->n_weights; i++)
    {
      SymId id = put->weights[i] == NULL
                     ? SYM_NO_ID
                     : add_weight (self, put->weights[i], name, &put->op->slots[i + 1]);

      g_array_append_val (shared->ids, id);
    }
  return shared;
}

static SymId
add_call (SymRaise *self, const Put *put, Shared *shared)
{
  SymModelBuilder *builder = sym_raise_get_builder (self);
  guint place = shared->n_calls++;
  const char *layer = sym_layer_get_name (shared->layer);
  g_autofree char *name = place == 0 ? g_strdup (layer) : g_strdup_printf ("%s[%u]", layer, place);
  SymId call = sym_model_builder_add_call (builder, name, shared->layer, put->operands,
                                           put->n_operands, put->n_results);

  for (guint i = 0; i < shared->ids->len; i++)
    sym_model_builder_append_operand (builder, call, g_array_index (shared->ids, SymId, i));
  name_results (builder, call, layer, place, put->n_results);
  return call;
}

/* Keras knows layers by what comes from inputs: what is made of numbers alone is none. */
static gboolean
has_data (SymRaise *self, const Put *put)
{
  for (guint i = 0; i < put->n_operands; i++)
    if (put->operands[i] != SYM_NO_ID &&
        sym_model_builder_get_role (sym_raise_get_builder (self), put->operands[i]) !=
            SYM_ROLE_CONSTANT)
      return TRUE;
  return FALSE;
}

/* The call; SYM_NO_ID after an error. */
static SymId
put_call (SymRaise *self, const Put *put)
{
  SymKerasRaise *state = sym_raise_get_data (self);
  g_autofree char *key = put->n_weights == 0 ? NULL : make_key (put);
  Shared *shared = key == NULL ? NULL : g_hash_table_lookup (state->shared, key);
  SymId call;

  if (!sym_raise_has_failed (self) && !has_data (self, put))
    sym_raise_fail (self, "it is made of numbers alone, and of no input");
  if (sym_raise_has_failed (self))
    return SYM_NO_ID;
  if (shared == NULL)
    {
      shared = add_shared (self, put);
      if (key != NULL)
        g_hash_table_insert (state->shared, g_steal_pointer (&key), shared);
    }
  call = add_call (self, put, shared);
  for (guint i = 0; i < put->n_results && put->is_last; i++)
    sym_raise_set_result (self, i,
                          sym_model_builder_get_result (sym_raise_get_builder (self), call, i));
  if (put->n_weights == 0)
    sym_keras_raise_free_shared (shared);
  return call;
}

static SymId
get_first_result (SymRaise *self, SymId call)
{
  return call == SYM_NO_ID ? call
                           : sym_model_builder_get_result (sym_raise_get_builder (self), call, 0);
}

/* Layers compute in their own dtype, float32 when they are not told. */
static void
add_dtype (SymRaise *self, SymAttributes *attributes)
{
  SymDType dtype = sym_raise_get_result_dtype (self, 0);

  if (!sym_dtype_is_floating (dtype))
    dtype = sym_raise_has (self, 0) ? sym_raise_get_dtype (self, 0) : dtype;
  if (sym_dtype_is_floating (dtype) && dtype != SYM_DTYPE_FLOAT32)
    sym_attributes_set (attributes, "dtype", sym_value_new_string (sym_dtype_to_string (dtype)),
                        NULL);
}

static SymId
put_layer (SymRaise *self, Put *put)
{
  put->op = sym_op_find ("keras", put->type, 0);
  put->n_results = 1;
  add_dtype (self, put->attributes);
  return get_first_result (self, put_call (self, put));
}

SymId
sym_keras_raise_layer (SymRaise *self, gboolean is_last, const char *type, SymId x, ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  Put put = { .is_last = is_last, .type = type, .operands = &x, .n_operands = 1 };
  va_list list;

  va_start (list, x);
  put.attributes = attributes = sym_raise_read_attributes (list);
  va_end (list);
  return put_layer (self, &put);
}

SymId
sym_keras_raise_weighted (SymRaise *self,
                          gboolean is_last,
                          const char *type,
                          SymId x,
                          SymKerasWeight *const *weights,
                          guint n_weights,
                          ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  Put put = { .is_last = is_last, .type = type, .operands = &x, .n_operands = 1 };
  va_list list;

  put.weights = weights;
  put.n_weights = n_weights;
  va_start (list, n_weights);
  put.attributes = attributes = sym_raise_read_attributes (list);
  va_end (list);
  return put_layer (self, &put);
}

SymId
sym_keras_raise_merge (SymRaise *self,
                       gboolean is_last,
                       const char *type,
                       const SymId *operands,
                       guint n,
                       ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  Put put = { .is_last = is_last, .type = type, .operands = operands, .n_operands = n };
  va_list list;

  va_start (list, n);
  put.attributes = attributes = sym_raise_read_attributes (list);
  va_end (list);
  return put_layer (self, &put);
}

void
sym_keras_raise_several (SymRaise *self,
                         const char *type,
                         SymId x,
                         SymKerasWeight *const *weights,
                         guint n_weights,
                         SymId *results,
                         guint n_results,
                         ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  Put put = { .is_named = TRUE, .type = type, .operands = &x, .n_operands = 1 };
  va_list list;
  SymId call;

  put.op = sym_op_find ("keras", type, 0);
  put.weights = weights;
  put.n_weights = n_weights;
  put.n_results = n_results;
  va_start (list, n_results);
  put.attributes = attributes = sym_raise_read_attributes (list);
  va_end (list);
  add_dtype (self, attributes);
  call = put_call (self, &put);
  for (guint i = 0; i < n_results; i++)
    results[i] = call == SYM_NO_ID
                     ? call
                     : sym_model_builder_get_result (sym_raise_get_builder (self), call, i);
}

/* ---- Operations ---- */

/* Operations that do not stand in keras.src.ops.numpy. */
static const struct {
  const char *type;
  const char *module;
} modules[] = {
  { "Cast", "core" },     { "Celu", "nn" },       { "Relu", "nn" },        { "Erf", "math" },
  { "Gelu", "nn" },       { "LogSoftmax", "nn" }, { "Logsumexp", "math" }, { "Norm", "linalg" },
  { "Normalize", "nn" },  { "OneHot", "nn" },     { "Resize", "image" },   { "Rsqrt", "math" },
  { "Softmax", "nn" },    { "Softplus", "nn" },   { "TopK", "math" },      { "Sigmoid", "nn" },
  { "LogSigmoid", "nn" },
};

static SymAttributes *
make_extras (const char *type)
{
  SymAttributes *extras = sym_attributes_new ();
  const char *module = "numpy";
  g_autofree char *full = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (modules); i++)
    if (strcmp (modules[i].type, type) == 0)
      module = modules[i].module;
  full = g_strconcat ("keras.src.ops.", module, NULL);
  sym_attributes_set (extras, "module", sym_value_new_string (full), NULL);
  sym_attributes_set (extras, "registered_name", sym_value_new_string (type), NULL);
  return extras;
}

static SymId
put_operation (SymRaise *self, Put *put)
{
  SymId call;

  put->op = sym_op_find ("keras.ops", put->type, 0);
  call = put_call (self, put);
  if (call != SYM_NO_ID)
    sym_model_builder_set_call_attributes (sym_raise_get_builder (self), call,
                                           make_extras (put->type));
  return call;
}

SymId
sym_keras_raise_operation (SymRaise *self,
                           gboolean is_last,
                           const char *type,
                           const SymId *operands,
                           guint n,
                           ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  Put put = { .is_last = is_last, .type = type, .operands = operands, .n_operands = n };
  va_list list;

  put.n_results = 1;
  va_start (list, n);
  put.attributes = attributes = sym_raise_read_attributes (list);
  va_end (list);
  return get_first_result (self, put_operation (self, &put));
}

SymId
sym_keras_raise_spread (SymRaise *self, const char *type, const SymId *operands, guint n, ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  g_autofree SymValue **places = g_new (SymValue *, n + 1);
  Put put = { .is_last = TRUE, .type = type, .operands = operands, .n_operands = n };
  SymValue *parts[2];
  va_list list;
  SymId call;

  put.n_results = 1;
  va_start (list, n);
  put.attributes = attributes = sym_raise_read_attributes (list);
  va_end (list);
  call = put_operation (self, &put);
  if (call == SYM_NO_ID)
    return call;
  for (guint i = 0; i < n; i++)
    places[i] = sym_value_new_operand (i);
  parts[0] = sym_value_new_list (places, n);
  parts[1] = sym_value_new_dict (NULL, NULL, 0);
  sym_model_builder_set_arguments (sym_raise_get_builder (self), call,
                                   sym_value_new_tuple (parts, 2));
  return get_first_result (self, call);
}

/* ((x), {argument: value}) */
static SymValue *
make_arguments (const char *argument, SymValue *take_value)
{
  SymValue *x = sym_value_new_operand (0);
  SymValue *parts[] = { sym_value_new_list (&x, 1),
                        sym_value_new_dict (&argument, &take_value, 1) };

  return sym_value_new_tuple (parts, 2);
}

SymId
sym_keras_raise_called (SymRaise *self,
                        gboolean is_last,
                        const char *type,
                        SymId x,
                        const char *argument,
                        SymValue *take_value,
                        ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  Put put = { .is_last = is_last, .type = type, .operands = &x, .n_operands = 1 };
  va_list list;
  SymId call;

  put.n_results = 1;
  va_start (list, take_value);
  put.attributes = attributes = sym_raise_read_attributes (list);
  va_end (list);
  sym_attributes_set (attributes, argument, sym_value_ref (take_value), NULL);
  sym_keras_mark_given (attributes, argument);
  call = put_operation (self, &put);
  if (call != SYM_NO_ID)
    sym_model_builder_set_arguments (sym_raise_get_builder (self), call,
                                     make_arguments (argument, take_value));
  else
    sym_value_unref (take_value);
  return get_first_result (self, call);
}

void
sym_keras_raise_parts (SymRaise *self, const char *type, SymId x, ...)
{
  g_autoptr (SymAttributes) attributes = NULL;
  Put put = { .is_last = TRUE, .type = type, .operands = &x, .n_operands = 1 };
  va_list list;

  put.n_results = sym_raise_count_results (self);
  va_start (list, x);
  put.attributes = attributes = sym_raise_read_attributes (list);
  va_end (list);
  put_operation (self, &put);
}
