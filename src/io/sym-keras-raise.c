/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-raise-private.h"

#include <string.h>

#include "core/sym-element.h"

/* As many numbers are written among the arguments of an operation at most: JSON is no place for
 * more. */
#define MAX_FIXED (1 << 20)

#define MAX_NAMED 3

void
sym_keras_names_add (SymKerasNames *self, const char *name)
{
  if (self->n++ < MAX_NAMED)
    g_string_append_printf (self->text, "%s“%s”", self->text->len == 0 ? "" : ", ", name);
}

void
sym_keras_names_tell (SymKerasNames *self, SymProblems *notes, const char *what)
{
  if (self->n > MAX_NAMED)
    g_string_append_printf (self->text, " and %u more", self->n - MAX_NAMED);
  if (self->n > 0 && notes != NULL)
    sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID, "%s: %s", what,
                      self->text->str);
}

/* ---- Names ---- */

/* Whether Keras may call an operation so that it names by itself, "get_item_1" for a GetItem: names
 * of a model must differ. */
static gboolean
is_automatic (const char *name)
{
  g_autoptr (GString) type = g_string_new (NULL);
  gsize n = strlen (name);

  while (n > 0 && g_ascii_isdigit (name[n - 1]))
    n--;
  if (n > 0 && name[n] != '\0' && name[n - 1] == '_')
    n--;
  for (gsize i = 0; i < n; i++)
    if (name[i] != '_')
      g_string_append_c (type, i == 0 || name[i - 1] == '_' ? g_ascii_toupper (name[i]) : name[i]);
  return g_ascii_islower (*name) && sym_op_find ("keras.ops", type->str, 0) != NULL;
}

/* What TensorFlow takes as a scope, and Keras 3 as a name: no slash, and a letter or digit first.
 */
char *
sym_keras_raise_make_name (const char *wanted)
{
  GString *name = g_string_new (NULL);

  for (const char *c = wanted == NULL ? "" : wanted; *c != '\0'; c++)
    if (g_ascii_isalnum (*c) || (name->len > 0 && strchr ("_.-", *c) != NULL))
      g_string_append_c (name, *c);
    else if (name->len > 0)
      g_string_append_c (name, '_');
  if (name->len == 0)
    g_string_append (name, "layer");
  if (is_automatic (name->str))
    g_string_append (name, "_layer");
  return g_string_free (name, FALSE);
}

/* ---- Operands ---- */

static gboolean
has_dtype (SymDType dtype)
{
  return dtype == SYM_DTYPE_BOOL || ((sym_dtype_is_integer (dtype) || dtype == SYM_DTYPE_FLOAT16 ||
                                      dtype == SYM_DTYPE_BFLOAT16 || dtype == SYM_DTYPE_FLOAT32 ||
                                      dtype == SYM_DTYPE_FLOAT64) &&
                                     sym_dtype_get_bits (dtype) % 8 == 0);
}

SymId
sym_keras_raise_tensor (SymRaise *self, SymId value, SymTensor *tensor)
{
  SymKerasRaise *state = sym_raise_get_data (self);
  SymModel *model = sym_raise_get_model (self);
  SymType type;
  guint64 n = 0;
  SymId made;

  if (tensor == NULL)
    {
      sym_raise_fail_about (self, value, "is a weight whose numbers are missing");
      return SYM_NO_ID;
    }
  type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  if (!sym_shape_get_n_elements (&type.shape, &n) || n == 0 || n > MAX_FIXED)
    {
      sym_raise_fail_about (self, value,
                            n == 0 ? "has no numbers"
                                   : "is a weight that no layer of Keras would hold here");
      return SYM_NO_ID;
    }
  made = sym_model_builder_add_value (sym_raise_get_builder (self),
                                      sym_model_get_value_name (model, value), SYM_ROLE_CONSTANT,
                                      &type);
  sym_model_builder_set_tensor (sym_raise_get_builder (self), made, sym_tensor_ref (tensor));
  if (sym_model_get_role (model, value) == SYM_ROLE_PARAMETER && n > 1)
    sym_keras_names_add (&state->fixed, sym_model_get_value_name (model, value));
  return made;
}

/* The role is that of weights of a layer: these are none. */
static SymId
add_fixed (SymRaise *self, SymId value, SymTensor *tensor, G_GNUC_UNUSED SymRole role)
{
  return sym_keras_raise_tensor (self, value, tensor);
}

static gboolean
find_moved (SymRaise *self, SymId value, SymTensor **tensor)
{
  g_auto (SymKerasWeight) weight = { 0 };
  gboolean found = sym_keras_raise_find_weight_of (self, value, &weight);

  *tensor = found ? g_steal_pointer (&weight.tensor) : NULL;
  return found;
}

SymId
sym_keras_raise_array (SymRaise *self, SymDType dtype, const SymShape *shape, const double *numbers)
{
  SymType type = sym_type_tensor (dtype, *shape);
  guint64 n = 1;
  guint8 *bytes;
  g_autoptr (GBytes) all = NULL;
  g_autoptr (SymBlob) blob = NULL;
  SymId made;

  sym_shape_get_n_elements (shape, &n);
  bytes = g_malloc0 (MAX (n * sym_dtype_get_bits (dtype) / 8, 1));
  for (guint64 i = 0; i < n; i++)
    sym_element_set_double (dtype, bytes, i, numbers[i]);
  all = g_bytes_new_take (bytes, n * sym_dtype_get_bits (dtype) / 8);
  blob = sym_blob_new_bytes (all);
  made = sym_model_builder_add_value (sym_raise_get_builder (self), "constant", SYM_ROLE_CONSTANT,
                                      &type);
  sym_model_builder_set_tensor (sym_raise_get_builder (self), made,
                                sym_tensor_new (dtype, shape, blob, 0, NULL));
  return made;
}

gboolean
sym_keras_raise_get_numbers (SymRaise *self, guint slot, double *numbers, guint n)
{
  SymTensor *tensor = sym_raise_has (self, slot)
                          ? sym_raise_find_numbers (self, sym_raise_get_value (self, slot))
                          : NULL;
  SymDType dtype = tensor == NULL ? SYM_DTYPE_UNKNOWN : sym_tensor_get_dtype (tensor);
  g_autofree guint8 *bytes = NULL;
  guint64 n_elements;

  if (tensor == NULL || sym_dtype_get_bits (dtype) < 8 ||
      !sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n_elements) || n_elements != n)
    return FALSE;
  bytes = g_malloc ((gsize) sym_tensor_get_n_bytes (tensor));
  if (!sym_tensor_read (tensor, 0, sym_tensor_get_n_bytes (tensor), bytes, NULL))
    return FALSE;
  for (guint i = 0; i < n; i++)
    numbers[i] = sym_element_get_double (dtype, bytes, i);
  return TRUE;
}

SymId
sym_keras_raise_number (SymRaise *self, double number, gboolean is_integer)
{
  SymShape scalar = { .rank = 0 };

  return sym_keras_raise_array (self, is_integer ? SYM_DTYPE_INT32 : SYM_DTYPE_FLOAT32, &scalar,
                                &number);
}

SymValue *
sym_keras_raise_first (void)
{
  return sym_value_new_string ("channels_first");
}

char *
sym_keras_raise_type (const char *stem, int n, const char *end)
{
  return g_strdup_printf ("%s%dD%s", stem, n, end);
}

/* ---- Moves ---- */

SymId
sym_keras_raise_reshape (SymRaise *self,
                         gboolean is_last,
                         SymId x,
                         const gint64 *shape,
                         int n,
                         gboolean keeps_batch)
{
  if (keeps_batch && n > 0)
    return sym_keras_raise_layer (self, is_last, "Reshape", x, "target_shape",
                                  sym_value_new_ints (SYM_VALUE_LIST, shape + 1, (guint) n - 1),
                                  NULL);
  return sym_keras_raise_operation (self, is_last, "Reshape", &x, 1, "newshape",
                                    sym_value_new_ints (SYM_VALUE_LIST, shape, (guint) n), NULL);
}

SymId
sym_keras_raise_permute (SymRaise *self, gboolean is_last, SymId x, const gint64 *axes, int n)
{
  if (n > 1 && axes[0] == 0)
    return sym_keras_raise_layer (self, is_last, "Permute", x, "dims",
                                  sym_value_new_ints (SYM_VALUE_LIST, axes + 1, (guint) n - 1),
                                  NULL);
  return sym_keras_raise_operation (self, is_last, "Transpose", &x, 1, "axes",
                                    sym_value_new_ints (SYM_VALUE_LIST, axes, (guint) n), NULL);
}

/* ---- The model ---- */

static const SymRaiseRule *const tables[] = { sym_keras_raise_composed,
                                              sym_keras_raise_elements,
                                              sym_keras_raise_layers,
                                              sym_keras_raise_recurrent,
                                              sym_keras_raise_shapes,
                                              sym_keras_raise_windows,
                                              NULL };

const SymRaiseTarget sym_keras_raise_target = {
  .title = "Keras",
  .domain = "keras",
  .dialect = SYM_DIALECT_PLAIN,
  .tables = tables,
  .keeps_parameters = TRUE,
  .needs_axes = TRUE,
  .folds = TRUE,
  .has_dtype = has_dtype,
  .add_tensor = add_fixed,
  .find_moved = find_moved,
  .make_name = sym_keras_raise_make_name,
};

SymModel *
sym_keras_raise (SymModel *model, const SymInference *inference, SymProblems *notes, GError **error)
{
  g_autoptr (GHashTable) shared =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, sym_keras_raise_free_shared);
  g_autoptr (GHashTable) owners = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) fixed = g_string_new (NULL);
  g_autoptr (GString) split = g_string_new (NULL);
  SymKerasRaise state = { shared, owners, { fixed, 0 }, { split, 0 } };
  SymModel *raised =
      sym_raise_model (model, inference, &sym_keras_raise_target, &state, notes, error);

  if (raised == NULL)
    return NULL;
  sym_keras_names_tell (&state.fixed, notes,
                        "weights that no layer of Keras holds are numbers of operations");
  sym_keras_names_tell (&state.split, notes,
                        "weights that several layers share are one for each of them");
  return raised;
}
