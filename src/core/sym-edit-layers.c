/* SPDX-License-Identifier: MIT */
#include "core/sym-edit-private.h"

/* ---- Which calls apply which layer ---- */

static void
list_call (GHashTable *layers, SymLayer *layer, SymId call)
{
  GArray *calls = g_hash_table_lookup (layers, layer);

  if (calls == NULL)
    {
      calls = g_array_new (FALSE, FALSE, sizeof (SymId));
      g_hash_table_insert (layers, layer, calls);
    }
  g_array_append_val (calls, call);
}

static GHashTable *
ensure_layers (SymEdit *self)
{
  guint n_calls = sym_model_builder_get_n_calls (self->builder);

  if (self->layer_calls != NULL)
    return self->layer_calls;

  self->layer_calls = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  for (SymId call = 0; call < n_calls; call++)
    if (sym_model_builder_has_call (self->builder, call))
      list_call (self->layer_calls, sym_model_builder_get_layer (self->builder, call), call);
  return self->layer_calls;
}

void
sym_edit_note_layer (SymEdit *self, SymId call)
{
  if (self->layer_calls != NULL)
    list_call (self->layer_calls, sym_model_builder_get_layer (self->builder, call), call);
}

/* Puts @new wherever @old is applied, so that a shared layer stays shared. */
static void
replace_layer (SymEdit *self, SymLayer *old, SymLayer *new)
{
  GHashTable *layers = ensure_layers (self);
  gpointer stolen = NULL;
  GArray *calls;

  g_hash_table_steal_extended (layers, old, NULL, &stolen);
  calls = stolen;
  g_hash_table_insert (layers, new, calls);
  for (guint i = 0; i < calls->len; i++)
    sym_model_builder_set_layer (self->builder, g_array_index (calls, SymId, i), new);
}

/* Which calls apply which layer is found out anew when that is asked for. */
void
sym_edit_set_layer (SymEdit *self, SymId call, SymLayer *layer)
{
  g_clear_pointer (&self->layer_calls, g_hash_table_unref);
  sym_model_builder_set_layer (self->builder, call, layer);
}

void
sym_edit_rename_layer (SymEdit *self, SymId call, const char *old, const char *new)
{
  SymLayer *layer = sym_model_builder_get_layer (self->builder, call);
  g_autoptr (SymLayer) renamed = NULL;

  if (g_strcmp0 (sym_layer_get_name (layer), old) != 0)
    return;
  renamed = sym_layer_with_attributes (layer, (SymAttributes *) sym_layer_get_attributes (layer));
  sym_layer_set_name (renamed, new);
  replace_layer (self, layer, renamed);
}

/* ---- Attributes ---- */

static const SymAttributeSpec *
find_spec (const SymOperator *op, const char *name)
{
  for (guint i = 0; op != NULL && op->attributes != NULL && op->attributes[i].name != NULL; i++)
    if (g_str_equal (op->attributes[i].name, name))
      return &op->attributes[i];

  return NULL;
}

static gboolean
is_float_list (const SymValue *value)
{
  SymValueKind kind = sym_value_get_kind (value);
  double number;

  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    if (!sym_value_get_float (sym_value_get_child (value, i), &number))
      return FALSE;

  return kind == SYM_VALUE_LIST || kind == SYM_VALUE_TUPLE;
}

/* What a value of that kind is called; NULL when @value is one. */
static const char *
find_mismatch (const SymAttributeSpec *spec, const SymValue *value)
{
  SymValueKind kind = sym_value_get_kind (value);
  double number;
  gint64 integer;

  if (kind == SYM_VALUE_NONE && spec->fallback != NULL)
    return NULL;
  switch (spec->kind)
    {
    case SYM_ATTRIBUTE_INT:
      return sym_value_get_int (value, &integer) ? NULL : "an integer";
    case SYM_ATTRIBUTE_FLOAT:
      return sym_value_get_float (value, &number) ? NULL : "a number";
    case SYM_ATTRIBUTE_BOOL:
      return sym_value_get_int (value, &integer) && (integer == 0 || integer == 1)
                 ? NULL
                 : "True or False";
    case SYM_ATTRIBUTE_STRING:
      return kind == SYM_VALUE_STRING ? NULL : "a text";
    case SYM_ATTRIBUTE_INTS:
      return sym_value_get_ints (value, NULL, 0) >= 0 ? NULL : "a list of integers";
    case SYM_ATTRIBUTE_FLOATS:
      return is_float_list (value) ? NULL : "a list of numbers";
    case SYM_ATTRIBUTE_DTYPE:
      return sym_value_get_string (value) != NULL ? NULL : "a dtype";
    case SYM_ATTRIBUTE_ANY:
    default:
      return NULL;
    }
}

static gboolean
check_attribute (SymLayer *layer, const char *name, const SymValue *value, GError **error)
{
  const SymAttributeSpec *spec = find_spec (sym_layer_get_operator (layer), name);
  const char *expected;

  if (value == NULL && sym_attributes_find (sym_layer_get_attributes (layer), name) == NULL)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "%s has no attribute “%s” to remove",
                   sym_layer_get_type (layer), name);
      return FALSE;
    }
  expected = value == NULL || spec == NULL ? NULL : find_mismatch (spec, value);
  if (expected != NULL)
    {
      g_autofree char *text = sym_value_to_string (value);

      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "“%s” of %s must be %s, not %s", name,
                   sym_layer_get_type (layer), expected, text);
      return FALSE;
    }
  return TRUE;
}

gboolean
sym_edit_set_attribute (SymEdit *self,
                        SymId call,
                        const char *name,
                        SymValue *take_value,
                        GError **error)
{
  g_autoptr (SymValue) value = take_value;
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) changed = NULL;
  SymLayer *layer;

  if (!sym_edit_check_call (self, call, error))
    return FALSE;
  layer = sym_model_builder_get_layer (self->builder, call);
  if (!check_attribute (layer, name, value, error))
    return FALSE;

  attributes =
      sym_attributes_with (sym_layer_get_attributes (layer), name, g_steal_pointer (&value), NULL);
  changed = sym_layer_with_attributes (layer, attributes);
  replace_layer (self, layer, changed);
  return TRUE;
}

/* ---- Types ---- */

gboolean
sym_edit_set_type (SymEdit *self, SymId value, const SymType *type, GError **error)
{
  const SymTypes *types;
  g_autofree char *what = NULL;

  if (!sym_edit_check_value (self, value, error))
    return FALSE;
  types = self->builder->types == NULL ? self->base->types : self->builder->types;
  what = g_strdup_printf ("the type of “%s”", sym_edit_get_value_name (self, value));
  if (!sym_terms_check_type (types->terms, type, what, error))
    return FALSE;

  sym_model_builder_set_type (self->builder, value, type);
  return TRUE;
}
