/* SPDX-License-Identifier: MIT */
#include "io/sym-torch-export-private.h"

#include <math.h>
#include <string.h>

#include "io/sym-json-private.h"

#define MAX_MAPS 8 /* within each other */

/* How the arguments of a node become operands and attributes.  Of an operator that is known,
 * operands lie in its slots, by their names; what is computed besides (a size of a view) comes
 * behind them, and its attribute has %N in its place. */

/* ---- Kinds ---- */

char *
sym_torch_export_dup_kind (const SymJson *json, guint argument, guint *value)
{
  SymJsonIter only = sym_json_iterate (json, argument);

  if (!sym_json_iter_next (json, &only) || only.key == SYM_JSON_NONE)
    return NULL;
  *value = only.value;
  return sym_json_dup_string (json, only.key);
}

char *
sym_torch_export_dup_name (const SymJson *json, guint value)
{
  char *name = sym_json_dup_string (json, sym_json_get_member (json, value, "name"));

  return name != NULL ? name
                      : sym_json_dup_string (json, sym_json_get_member (json, value, "as_name"));
}

char *
sym_torch_export_dup_item_name (const SymJson *json, guint item)
{
  char *name = sym_torch_export_dup_name (json, item);
  guint value = SYM_JSON_NONE;
  g_autofree char *kind = NULL;

  if (name != NULL)
    return name;
  kind = sym_torch_export_dup_kind (json, item, &value);
  return kind == NULL ? NULL : sym_torch_export_dup_name (json, value);
}

gboolean
sym_torch_export_is_tensor (const char *kind)
{
  static const char *const kinds[] = { "as_tensor",    "as_optional_tensor", "as_sym_int",
                                       "as_sym_float", "as_sym_bool",        NULL };

  return g_strv_contains (kinds, kind);
}

gboolean
sym_torch_export_is_list (const char *kind)
{
  static const char *const kinds[] = { "as_tensors",    "as_optional_tensors", "as_sym_ints",
                                       "as_sym_floats", "as_sym_bools",        NULL };

  return g_strv_contains (kinds, kind);
}

/* ---- Constants ---- */

/* JSON has no infinity, so that newer schemas tell it as text. */
static SymValue *
read_float (const SymJson *json, guint value)
{
  static const struct {
    const char *text;
    double number;
  } table[] = {
    { "Infinity", INFINITY }, { "-Infinity", -INFINITY }, { "NaN", NAN },
    { "inf", INFINITY },      { "-inf", -INFINITY },      { "nan", NAN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (sym_json_string_equals (json, value, table[i].text))
      return sym_value_new_float (table[i].number);
  return sym_net_read_value (json, value);
}

/* {"type": "cpu", "index": null} is told as cpu. */
static SymValue *
read_constant (const SymJson *json, const char *kind, guint value)
{
  g_autofree char *device = NULL;
  SymDType dtype;

  if (strcmp (kind, "as_none") == 0)
    return sym_value_new_none ();
  if (strcmp (kind, "as_graph") == 0)
    return sym_value_new_opaque ("graph");
  if (strcmp (kind, "as_float") == 0)
    return read_float (json, value);
  if (strcmp (kind, "as_device") == 0)
    {
      device = sym_json_dup_string (json, sym_json_get_member (json, value, "type"));
      return sym_value_new_string (device == NULL ? "" : device);
    }
  if (strcmp (kind, "as_scalar_type") == 0)
    {
      dtype = sym_torch_export_read_dtype (json, value);
      if (dtype != SYM_DTYPE_UNKNOWN)
        return sym_value_new_dtype (dtype);
    }
  return sym_net_read_value (json, value);
}

/* {"as_int": 3} of what could have been computed, and was not. */
static SymValue *
read_known (const SymJson *json, guint item)
{
  guint value = SYM_JSON_NONE;
  g_autofree char *kind = sym_torch_export_dup_kind (json, item, &value);

  return kind == NULL ? sym_value_new_none () : read_constant (json, kind, value);
}

/* ---- Operands ---- */

typedef struct {
  char *name, *kind;
  guint value; /* token */
  int first;   /* its first operand; -1 when it lies in no slot */
} Argument;

static void
clear_argument (gpointer data)
{
  Argument *self = data;

  g_free (self->name);
  g_free (self->kind);
}

static GArray *
list_arguments (const SymJson *json, guint inputs)
{
  GArray *arguments = g_array_new (FALSE, FALSE, sizeof (Argument));

  g_array_set_clear_func (arguments, clear_argument);
  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      Argument argument = { .value = SYM_JSON_NONE, .first = -1 };

      argument.name = sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      argument.kind = sym_torch_export_dup_kind (json, sym_json_get_member (json, i.value, "arg"),
                                                 &argument.value);
      g_array_append_val (arguments, argument);
    }
  return arguments;
}

static Argument *
find_argument (GArray *arguments, const char *name)
{
  for (guint i = 0; i < arguments->len; i++)
    {
      Argument *argument = &g_array_index (arguments, Argument, i);

      if (argument->name != NULL && strcmp (argument->name, name) == 0)
        return argument;
    }
  return NULL;
}

static void
fill_slot (const SymJson *json, Argument *argument, GPtrArray *operands)
{
  char *name = NULL;

  if (argument != NULL && argument->kind != NULL && sym_torch_export_is_list (argument->kind))
    {
      argument->first = (int) operands->len;
      for (SymJsonIter i = sym_json_iterate (json, argument->value); sym_json_iter_next (json, &i);)
        g_ptr_array_add (operands, sym_torch_export_dup_item_name (json, i.value));
      return;
    }
  if (argument != NULL && argument->kind != NULL && sym_torch_export_is_tensor (argument->kind))
    name = sym_torch_export_dup_item_name (json, argument->value);
  if (name != NULL)
    argument->first = (int) operands->len;
  g_ptr_array_add (operands, name);
}

static void
fill_slots (const SymJson *json, const SymOperator *op, GArray *arguments, GPtrArray *operands)
{
  if (op == NULL || op->slots == NULL)
    return;
  for (const SymSlotSpec *slot = op->slots; slot->name != NULL; slot++)
    fill_slot (json, find_argument (arguments, slot->name), operands);
  while (operands->len > 0 && g_ptr_array_index (operands, operands->len - 1) == NULL)
    g_ptr_array_set_size (operands, (int) operands->len - 1);
}

/* A leaf of the arguments' tree for operand @i, which is empty beyond those that there are. */
static SymValue *
make_leaf (GPtrArray *operands, guint i)
{
  return i < operands->len && g_ptr_array_index (operands, i) != NULL ? sym_value_new_operand (i)
                                                                      : sym_value_new_none ();
}

static SymValue *
add_operand (GPtrArray *operands, char *take_name)
{
  g_ptr_array_add (operands, take_name);
  return sym_value_new_operand (operands->len - 1);
}

static SymValue *
use_list (const SymJson *json, const Argument *argument, GPtrArray *operands)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  guint slot = (guint) argument->first;

  for (SymJsonIter i = sym_json_iterate (json, argument->value); sym_json_iter_next (json, &i);)
    {
      char *name;

      if (argument->first >= 0)
        {
          g_ptr_array_add (items, make_leaf (operands, slot++));
          continue;
        }
      name = sym_torch_export_dup_item_name (json, i.value);
      g_ptr_array_add (items,
                       name == NULL ? read_known (json, i.value) : add_operand (operands, name));
    }
  return sym_value_new_list ((SymValue *const *) items->pdata, items->len);
}

/* [[{"name": "a"}], [{"name": "b"}]] */
static SymValue *
use_lists (const SymJson *json, guint lists, GPtrArray *operands)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();

  for (SymJsonIter i = sym_json_iterate (json, lists); sym_json_iter_next (json, &i);)
    {
      const Argument inner = { .value = i.value, .first = -1 };

      g_ptr_array_add (items, use_list (json, &inner, operands));
    }
  return sym_value_new_list ((SymValue *const *) items->pdata, items->len);
}

static SymValue *
use_plain (const SymJson *json, const Argument *argument, GPtrArray *operands)
{
  char *name;

  if (argument->kind == NULL)
    return sym_value_new_none ();
  if (sym_torch_export_is_list (argument->kind))
    return use_list (json, argument, operands);
  if (strcmp (argument->kind, "as_nested_tensors") == 0)
    return use_lists (json, argument->value, operands);
  if (argument->first >= 0)
    return sym_value_new_operand ((guint) argument->first);
  if (!sym_torch_export_is_tensor (argument->kind))
    return read_constant (json, argument->kind, argument->value);
  name = sym_torch_export_dup_item_name (json, argument->value);
  return name == NULL ? read_known (json, argument->value) : add_operand (operands, name);
}

static SymValue *
use_argument (const SymJson *json, const Argument *argument, GPtrArray *operands, guint depth);

/* {"key": {"as_tensor": {"name": "a"}}} */
static SymValue *
use_map (const SymJson *json, guint map, GPtrArray *operands, guint depth)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();

  for (SymJsonIter i = sym_json_iterate (json, map); sym_json_iter_next (json, &i);)
    {
      Argument inner = { .value = SYM_JSON_NONE, .first = -1 };
      char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);

      inner.kind = sym_torch_export_dup_kind (json, i.value, &inner.value);
      g_ptr_array_add (names, name == NULL ? g_strdup ("") : name);
      g_ptr_array_add (values, use_argument (json, &inner, operands, depth));
      clear_argument (&inner);
    }
  return sym_value_new_dict ((const char *const *) names->pdata, (SymValue *const *) values->pdata,
                             values->len);
}

static SymValue *
use_argument (const SymJson *json, const Argument *argument, GPtrArray *operands, guint depth)
{
  if (argument->kind == NULL || strcmp (argument->kind, "as_string_to_argument") != 0)
    return use_plain (json, argument, operands);
  return depth == MAX_MAPS ? sym_value_new_opaque ("map")
                           : use_map (json, argument->value, operands, depth + 1);
}

/* ---- Attributes ---- */

/* What lies in a slot is none; nor, while nothing is known of the operator, is what is computed. */
static gboolean
is_attribute (const SymOperator *op, const Argument *argument, gboolean is_computed)
{
  if (argument->kind == NULL || argument->first >= 0 || strcmp (argument->kind, "as_graph") == 0)
    return FALSE;
  return op != NULL || !is_computed;
}

SymValue *
sym_torch_export_use_arguments (const SymJson *json,
                                guint inputs,
                                const SymOperator *op,
                                SymAttributes *attributes,
                                GPtrArray *operands)
{
  g_autoptr (GArray) arguments = list_arguments (json, inputs);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) values = g_ptr_array_new ();

  fill_slots (json, op, arguments, operands);
  for (guint i = 0; i < arguments->len; i++)
    {
      const Argument *argument = &g_array_index (arguments, Argument, i);
      g_autofree char *made_up = g_strdup_printf ("argument%u", i);
      gboolean has_name = argument->name != NULL && argument->name[0] != '\0';
      guint before = operands->len;
      SymValue *value = use_argument (json, argument, operands, 0);

      g_ptr_array_add (names, argument->name == NULL ? (gpointer) "" : argument->name);
      g_ptr_array_add (values, value);
      if (is_attribute (op, argument, operands->len > before))
        sym_attributes_set (attributes, has_name ? argument->name : made_up, sym_value_ref (value),
                            NULL);
    }
  return sym_value_new_dict ((const char *const *) names->pdata, (SymValue *const *) values->pdata,
                             values->len);
}
