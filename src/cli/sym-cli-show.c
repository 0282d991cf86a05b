/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "core/sym-extract.h"

#include <stdio.h>

/* One node and all that can be said of it. */
typedef struct {
  const SymInference *inference;
  const SymModel *model;
  const SymSummary *summary;
  SymId value;
  SymId call;        /* that made it; SYM_NO_ID for none */
  SymSummaryRow row; /* of index 0 for parameters and constants, which have none */
} Subject;

static const SymCliOption options[] = {
  SYM_CLI_FORMAT_OPTION,
  SYM_CLI_TYPE_OPTIONS,
  { NULL },
};

static gboolean
is_parameter (const Subject *self, SymId value)
{
  SymRole role;

  if (value == SYM_NO_ID)
    return FALSE;
  role = sym_model_get_role (self->model, value);
  return role == SYM_ROLE_PARAMETER || role == SYM_ROLE_AUXILIARY;
}

/* The attributes of the layer, or those that the file has for a value that no layer makes. */
static const SymAttributes *
get_attributes (const Subject *self)
{
  if (self->call != SYM_NO_ID)
    return sym_layer_get_attributes (sym_model_get_layer (self->model, self->call));
  return sym_model_get_value_attributes (self->model, self->value);
}

static const char *
get_type_name (const Subject *self)
{
  if (self->row.index > 0)
    return self->row.type;
  return sym_role_to_string (sym_model_get_role (self->model, self->value));
}

/* ---- JSON ---- */

/* A value that JSON has no word for is its text in Python's notation. */
static gboolean
add_json_leaf (SymCliJson *json, const SymValue *value)
{
  gboolean truth;
  gint64 number;
  double real;
  g_autofree char *text = NULL;

  switch (sym_value_get_kind (value))
    {
    case SYM_VALUE_NONE:
      sym_cli_json_add_null (json);
      return TRUE;
    case SYM_VALUE_BOOL:
      sym_value_get_bool (value, &truth);
      sym_cli_json_add_bool (json, truth);
      return TRUE;
    case SYM_VALUE_INT:
      sym_value_get_int (value, &number);
      sym_cli_json_add_int (json, number);
      return TRUE;
    case SYM_VALUE_FLOAT:
      sym_value_get_float (value, &real);
      sym_cli_json_add_double (json, real);
      return TRUE;
    case SYM_VALUE_STRING:
    case SYM_VALUE_DTYPE:
      sym_cli_json_add_string (json, sym_value_get_string (value));
      return TRUE;
    case SYM_VALUE_LIST:
    case SYM_VALUE_TUPLE:
    case SYM_VALUE_DICT:
      return FALSE;
    case SYM_VALUE_ELLIPSIS:
    case SYM_VALUE_SLICE:
    case SYM_VALUE_OPERAND:
    case SYM_VALUE_OPAQUE:
    case SYM_VALUE_TENSOR:
      break;
    }
  text = sym_value_to_string (value);
  sym_cli_json_add_string (json, text);
  return TRUE;
}

/* Lists, tuples and dicts nest at most 64 deep. */
static void
add_json_value (SymCliJson *json, const SymValue *value)
{
  gboolean is_dict = sym_value_get_kind (value) == SYM_VALUE_DICT;

  if (add_json_leaf (json, value))
    return;
  if (is_dict)
    sym_cli_json_begin_object (json);
  else
    sym_cli_json_begin_array (json);
  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    {
      if (is_dict)
        sym_cli_json_add_key (json, sym_value_get_key (value, i));
      add_json_value (json, sym_value_get_child (value, i));
    }
  if (is_dict)
    sym_cli_json_end_object (json);
  else
    sym_cli_json_end_array (json);
}

static void
add_json_attributes (SymCliJson *json, const Subject *self)
{
  const SymAttributes *attributes = get_attributes (self);

  sym_cli_json_add_key (json, "attributes");
  sym_cli_json_begin_object (json);
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      sym_cli_json_add_key (json, sym_attributes_get_name (attributes, i));
      add_json_value (json, sym_attributes_get_value (attributes, i));
    }
  sym_cli_json_end_object (json);
}

static void
add_json_names (SymCliJson *json, const char *key, const Subject *self, SymIds values)
{
  sym_cli_json_add_key (json, key);
  sym_cli_json_begin_array (json);
  for (guint i = 0; i < values.n; i++)
    sym_cli_json_add_string (json, sym_model_get_unique_name (self->model, values.ids[i]));
  sym_cli_json_end_array (json);
}

static void
add_json_parameters (SymCliJson *json, const Subject *self)
{
  SymIds operands = { NULL, 0 };

  if (self->call != SYM_NO_ID)
    operands = sym_model_get_operands (self->model, self->call);
  sym_cli_json_add_key (json, "parameters");
  sym_cli_json_begin_array (json);
  for (guint i = 0; i < operands.n; i++)
    if (is_parameter (self, operands.ids[i]))
      sym_cli_json_add_typed (json, self->inference, operands.ids[i]);
  sym_cli_json_end_array (json);
}

/* What stands for a row where there is none. */
static void
add_json_rowless (SymCliJson *json, const Subject *self)
{
  guint64 n;

  sym_cli_json_add_key (json, "index");
  sym_cli_json_add_null (json);
  sym_cli_json_add_key (json, "name");
  sym_cli_json_add_string (json, sym_model_get_unique_name (self->model, self->value));
  sym_cli_json_add_key (json, "type");
  sym_cli_json_add_string (json, get_type_name (self));
  sym_cli_json_add_key (json, "output_shape");
  sym_cli_json_add_shape (json, self->inference, self->value);
  sym_cli_json_add_key (json, "dtype");
  sym_cli_json_add_dtype (json, self->inference, self->value);
  sym_cli_json_add_key (json, "params");
  if (!is_parameter (self, self->value))
    sym_cli_json_add_uint (json, 0);
  else if (sym_inference_get_n_elements (self->inference, self->value, &n))
    sym_cli_json_add_uint (json, n);
  else
    sym_cli_json_add_null (json);
  add_json_names (json, "parents", self, sym_model_get_parents (self->model, self->value));
  sym_cli_json_add_key (json, "is_output");
  sym_cli_json_add_bool (json, sym_model_is_output (self->model, self->value));
}

static gboolean
print_json (const Subject *self, SymIds children, GError **error)
{
  SymCliJson *json = sym_cli_json_new_stdout ();

  sym_cli_json_begin_object (json);
  if (self->row.index > 0)
    sym_cli_json_add_row (json, self->summary, &self->row);
  else
    add_json_rowless (json, self);
  sym_cli_json_add_key (json, "variable");
  sym_cli_json_add_string (json, sym_model_get_variable (self->model, self->value));
  add_json_attributes (json, self);
  add_json_names (json, "children", self, children);
  add_json_parameters (json, self);
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error);
}

/* ---- Text ---- */

/* The label stands beside the first of several lines. */
static void
print_line (const char *label, guint i, const char *text)
{
  printf ("  %-12s%s\n", i == 0 ? label : "", text);
}

static void
print_attributes (const Subject *self)
{
  const SymAttributes *attributes = get_attributes (self);

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      g_autofree char *value = sym_value_to_string (sym_attributes_get_value (attributes, i));
      g_autofree char *text =
          g_strdup_printf ("%s = %s", sym_attributes_get_name (attributes, i), value);

      print_line ("attributes", i, text);
    }
}

static void
print_parameters (const Subject *self)
{
  SymIds operands = { NULL, 0 };
  guint n = 0;

  if (self->call != SYM_NO_ID)
    operands = sym_model_get_operands (self->model, self->call);
  for (guint i = 0; i < operands.n; i++)
    {
      g_autofree char *shape = NULL;
      g_autofree char *text = NULL;

      if (!is_parameter (self, operands.ids[i]))
        continue;
      shape = sym_cli_format_shape (self->inference, operands.ids[i]);
      text = g_strdup_printf (
          "%s %s %s", sym_model_get_unique_name (self->model, operands.ids[i]), shape,
          sym_dtype_to_string (sym_inference_get_type (self->inference, operands.ids[i]).dtype));
      print_line ("parameters", n++, text);
    }
}

static void
print_names (const char *label, const Subject *self, SymIds values)
{
  for (guint i = 0; i < values.n; i++)
    print_line (label, i, sym_model_get_unique_name (self->model, values.ids[i]));
}

static void
print_layer (const Subject *self)
{
  SymLayer *layer = sym_model_get_layer (self->model, self->call);
  guint n_results = sym_model_get_results (self->model, self->call).n;
  g_autofree char *text = g_strdup_printf (
      "%s, %s (%s)",
      self->row.index > 0 ? self->row.layer : sym_model_get_call_name (self->model, self->call),
      sym_layer_get_type (layer), sym_category_to_string (sym_layer_get_category (layer)));
  g_autofree char *which = g_strdup_printf (
      "%u of %u", sym_model_get_output_index (self->model, self->value) + 1, n_results);

  print_line ("layer", 0, text);
  if (n_results > 1)
    print_line ("result", 0, which);
}

static void
print_text (const Subject *self, SymIds children)
{
  const char *variable = sym_model_get_variable (self->model, self->value);
  g_autofree char *shape = sym_cli_format_shape (self->inference, self->value);
  g_autofree char *depth = g_strdup_printf ("%u", sym_model_get_depth (self->model, self->value));
  g_autofree char *row = self->row.index > 0 ? g_strdup_printf ("#%u", self->row.index) : NULL;
  g_autofree char *role = g_strdup_printf (
      "%s%s", sym_role_to_string (sym_model_get_role (self->model, self->value)),
      sym_model_is_output (self->model, self->value) ? ", output of the graph" : "");

  puts (sym_model_get_unique_name (self->model, self->value));
  if (row)
    print_line ("row", 0, row);
  print_line ("variable", 0, variable ? variable : "?");
  print_line ("role", 0, role);
  print_line ("shape", 0, shape);
  print_line ("dtype", 0,
              sym_dtype_to_string (sym_inference_get_type (self->inference, self->value).dtype));
  print_line ("depth", 0, depth);
  if (self->call != SYM_NO_ID)
    print_layer (self);
  print_attributes (self);
  print_parameters (self);
  print_names ("parents", self, sym_model_get_parents (self->model, self->value));
  print_names ("children", self, children);
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymInference) inference = sym_cli_open_to_look (arguments, error);
  g_autoptr (SymSummary) summary = NULL;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (SymId));
  Subject subject = { .inference = inference };
  SymIds children;
  guint index;

  if (inference == NULL)
    return FALSE;
  subject.model = sym_inference_get_model (inference);
  if (!sym_cli_resolve (subject.model, sym_cli_arguments_get_operand (arguments, 1), &subject.value,
                        error))
    return FALSE;
  summary = sym_summary_new (inference);
  subject.summary = summary;
  subject.call = sym_model_get_producer (subject.model, subject.value);
  index = sym_summary_find_row (summary, subject.value);
  if (index > 0)
    subject.row = sym_summary_get_row (summary, index - 1);
  sym_model_collect_children (subject.model, subject.value, found);
  children = (SymIds){ (const SymId *) found->data, found->len };
  if (sym_cli_wants_json (arguments))
    return print_json (&subject, children, error);
  print_text (&subject, children);
  return TRUE;
}

const SymCliCommand sym_cli_show = {
  .name = "show",
  .operands = "FILE NODE",
  .options = options,
  .details = "NODE is looked for as the name of a node or parameter; the layer that makes it, if\n"
             "that has one output; a variable; #N, the row of the summary.",
  .run = run,
};
